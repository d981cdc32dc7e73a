import { vi } from 'vitest';

/** What fake-indexeddb has for ending a transaction with a reason; rolls back. */
interface Endable {
  _abort(reason: string): void;
}

/**
 * A full storage from now on, as a browser reports it: a transaction that adds anything goes well until it should
 * complete, and is aborted with QuotaExceededError then (Dexie rejects with an AbortError around it). Returns what
 * frees the space again.
 */
export function fillStorage(): () => void {
  const spies = (['add', 'put'] as const).map((method) => {
    const real = IDBObjectStore.prototype[method];
    return vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (this: IDBObjectStore, ...given) {
      const transaction = this.transaction as IDBTransaction & Endable;
      const dispatch = IDBTransaction.prototype.dispatchEvent.bind(transaction);
      transaction.dispatchEvent = (event) => {
        if (event.type !== 'complete') return dispatch(event);
        transaction._abort('QuotaExceededError');
        return true;
      };
      return real.apply(this, given);
    });
  });
  return () => spies.forEach((spy) => spy.mockRestore());
}
