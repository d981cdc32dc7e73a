import type { DBCore, Middleware } from 'dexie';

/** Lists each transaction of a database until it ends: one that never ends is visible nowhere else. */
export function notesTransactions(underWay: Set<object>): Middleware<DBCore> {
  return {
    stack: 'dbcore',
    name: 'notes-transactions',
    create: (core) => ({
      ...core,
      transaction: (...asked) => {
        const transaction = core.transaction(...asked);
        const target = transaction as unknown as EventTarget;
        underWay.add(transaction);
        for (const end of ['complete', 'abort'] as const)
          target.addEventListener(end, () => underWay.delete(transaction));
        return transaction;
      },
    }),
  };
}
