import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import pLimit from 'p-limit';
import type { StoredSegment } from '../store/collection-tables.ts';

/**
 * Segments compressed so that several can be one answer: zstd frames may follow each other, which neither brotli's nor
 * (in browsers) gzip's may.
 */
export interface SegmentFrames {
  /** Undefined where it is not made yet; then it is being made, beside other work. */
  of(segment: StoredSegment): Uint8Array | undefined;
}

/** About as small as brotli makes them, in about the same time. */
const level = 13;

/**
 * Frames in this instance's memory, `limit` bytes of them at most; the least recently used go first. `onError`: one
 * could not be made, and its segment goes out alone.
 */
export function createSegmentFrames(limit: number, onError: (error: unknown) => void): SegmentFrames {
  const frames = new Map<string, Uint8Array>();
  const making = new Set<string>();
  const inTurn = pLimit(1);
  let held = 0;

  function keep(hash: string, frame: Uint8Array): void {
    frames.set(hash, frame);
    held += frame.length;
    for (const [oldest, { length }] of frames) {
      if (held <= limit) return;
      frames.delete(oldest);
      held -= length;
    }
  }

  async function make({ hash, br }: StoredSegment): Promise<void> {
    try {
      const text = await promisify(zlib.brotliDecompress)(br);
      const params = { [zlib.constants.ZSTD_c_compressionLevel]: level };
      keep(hash, await promisify(zlib.zstdCompress)(text, { params }));
    } finally {
      making.delete(hash);
    }
  }

  return {
    of: (segment) => {
      const { hash } = segment;
      const frame = frames.get(hash);
      if (frame !== undefined) {
        frames.delete(hash);
        frames.set(hash, frame);
        return frame;
      }
      // Node 20 has no zstd.
      if ('zstdCompress' in zlib && !making.has(hash)) {
        making.add(hash);
        inTurn(() => make(segment)).catch(onError);
      }
      return undefined;
    },
  };
}
