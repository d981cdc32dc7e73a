import type { DBCore, Middleware } from 'dexie';

/** Notes each transaction of a database for as long as it has not ended: one that never does shows itself nowhere else. */
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
        for (const end of ['complete', 'abort'] as const) target.addEventListener(end, () => underWay.delete(transaction));
        return transaction;
      },
    }),
  };
}
