import type { CollectionName } from '../../shared/tables/collections.ts';

type Hear = (hash: string, text: string) => void;

/** Segments as they are downloaded, for what reads their collection in this tab: none is read back from the disk. */
export interface DownloadedSegments {
  put(collection: CollectionName, hash: string, text: string): void;
  /** Returns the function that ends it. */
  hear(collection: CollectionName, hear: Hear): () => void;
}

export function createDownloadedSegments(): DownloadedSegments {
  const readers = new Map<Hear, CollectionName>();
  return {
    put: (collection, hash, text) => {
      for (const [hear, of] of readers) if (of === collection) hear(hash, text);
    },
    hear: (collection, hear) => {
      readers.set(hear, collection);
      return () => void readers.delete(hear);
    },
  };
}
