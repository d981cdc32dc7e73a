import { vi } from 'vitest';
import { must } from '../../../shared/lib/must.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import type { FetchedSegment, FetchSegment } from '../download-segments.ts';
import type { BuiltSnapshot } from './build-snapshot.ts';
import type { openCollections } from './open-collections.ts';

export const hashesOf = ({ manifest }: BuiltSnapshot) => manifest.segments.map(({ hash }) => hash);

export const isAskedFor = (asked: ReadonlyMap<string, unknown>, hash: string) =>
  vi.waitUntil(() => asked.has(hash), { timeout: 30_000, interval: 5 });

/** The collections of a device whose requests for segments the test answers. */
export function createHeldSegments(device: Awaited<ReturnType<typeof openCollections>>) {
  const asked = new Map<string, (answer: FetchedSegment) => void>();
  const clock = manualClock();
  const fetchSegment: FetchSegment = (_collection, hash) => new Promise((resolve) => asked.set(hash, resolve));
  return {
    clock,
    asked,
    collections: device.open({ clock, fetchSegment }),
    /** Answers as soon as the segment is requested. */
    answer: async (hash: string, answer: FetchedSegment) => {
      await isAskedFor(asked, hash);
      must(asked.get(hash), hash)(answer);
    },
  };
}
