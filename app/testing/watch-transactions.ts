import type { Dexie } from 'dexie';

interface Asked {
  stores: string[];
  durability: unknown;
}

/** Writing transactions, as the browser is asked for them, from when the database is opened next; into `asked`. */
export function watchTransactions(db: Dexie, asked: Asked[] = []): Asked[] {
  db.use({
    stack: 'dbcore',
    level: -1,
    name: 'spy',
    create: (core) => ({
      ...core,
      transaction: (stores, mode, options) => {
        if (mode === 'readwrite') asked.push({ stores: stores.toSorted(), durability: options?.durability });
        return core.transaction(stores, mode, options);
      },
    }),
  });
  return asked;
}
