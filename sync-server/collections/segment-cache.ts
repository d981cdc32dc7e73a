import type { StoredSegment } from '../store/collection-tables.ts';

export interface SegmentCache {
  /** The segment from memory, or as `load` finds it; concurrent requests cause one load. */
  get(hash: string, load: () => Promise<StoredSegment | undefined>): Promise<StoredSegment | undefined>;
  put(segment: StoredSegment): void;
}

const weight = ({ br, gzip }: StoredSegment) => br.length + gzip.length;

/** Ready bytes in this instance's memory, at most `limit` of them; the least recently used go first. */
export function createSegmentCache(limit: number): SegmentCache {
  const ready = new Map<string, StoredSegment>();
  const loading = new Map<string, Promise<StoredSegment | undefined>>();
  let held = 0;

  function forget(hash: string): void {
    const segment = ready.get(hash);
    if (segment === undefined) return;
    ready.delete(hash);
    held -= weight(segment);
  }

  function put(segment: StoredSegment): void {
    forget(segment.hash);
    ready.set(segment.hash, segment);
    held += weight(segment);
    for (const hash of ready.keys()) {
      if (held <= limit) return;
      forget(hash);
    }
  }

  return {
    put,
    async get(hash, load) {
      const found = ready.get(hash);
      if (found !== undefined) {
        ready.delete(hash);
        ready.set(hash, found);
        return found;
      }
      const begun = loading.get(hash) ?? load().finally(() => loading.delete(hash));
      loading.set(hash, begun);
      const segment = await begun;
      if (segment !== undefined && !ready.has(hash)) put(segment);
      return segment;
    },
  };
}
