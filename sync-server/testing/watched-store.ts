import type { SyncStore } from '../store/sync-store.ts';

/** The store, with `asked` called for each transaction and each single call. */
export function watchedStore(store: SyncStore, asked: () => void): SyncStore {
  return {
    ...store,
    get single() {
      asked();
      return store.single;
    },
    write: (work) => {
      asked();
      return store.write(work);
    },
    snapshot: (work) => {
      asked();
      return store.snapshot(work);
    },
  };
}
