/** More than a reader of the collection has to catch up with while segments are downloaded. */
const maxKept = 8;

/** Texts of segments that were just downloaded, so that they need not be read back from the disk. */
export interface SegmentCache {
  put(hash: string, text: string): void;
  /** Gives a text once; undefined where it is not held (any more). */
  take(hash: string): string | undefined;
}

export function createSegmentCache(): SegmentCache {
  const texts = new Map<string, string>();
  return {
    put: (hash, text) => {
      texts.set(hash, text);
      for (const oldest of texts.keys()) {
        if (texts.size <= maxKept) return;
        texts.delete(oldest);
      }
    },
    take: (hash) => {
      const text = texts.get(hash);
      texts.delete(hash);
      return text;
    },
  };
}
