import {
  Dexie,
  RangeSet,
  type DBCore,
  type DBCoreKeyRange,
  type DBCoreMutateRequest,
  type DBCoreMutateResponse,
  type DBCoreTable,
  type DBCoreTransaction,
  type Middleware,
} from 'dexie';

/** One record as a transaction left it; without `row` it was deleted. Or all records of a store between two keys. */
export type Write =
  | { readonly store: string; readonly key: unknown; readonly row: object | undefined }
  | { readonly store: string; readonly range: Omit<DBCoreKeyRange, 'type'> | 'all' };

/**
 * What a transaction wrote. `at`: its number among all that wrote into these stores, whichever tab or worker it was.
 */
export interface Commit {
  readonly at: number;
  readonly writes: readonly Write[];
}

/** Dexie's `DBCoreRangeType.Any`, which is a type alone. */
const anyKey = 3;

/** The record of `meta` that counts the commits. */
const counter = 'written';

/**
 * One who was told of every number up to this one knows what the stores hold. Inside a transaction over `meta`, or by
 * itself.
 */
export async function lastCommit(meta: { get(key: typeof counter): PromiseLike<unknown> }): Promise<number> {
  return ((await meta.get(counter)) as { value: number } | undefined)?.value ?? 0;
}

interface Noted {
  readonly writes: Write[];
  /** Resolves when the transaction has its number. */
  readonly at: ReturnType<DBCoreTable['get']>;
  number: number;
}

function writesOf(
  store: string,
  { schema }: DBCoreTable,
  request: DBCoreMutateRequest,
  { failures, results }: DBCoreMutateResponse,
): Write[] {
  if (request.type === 'deleteRange') return [{ store, range: request.range.type === anyKey ? 'all' : request.range }];
  if (request.type === 'delete')
    return request.keys.flatMap((key, at) => (failures[at] === undefined ? [{ store, key, row: undefined }] : []));
  return (request.values as object[]).flatMap((row, at) => {
    const key = results?.[at] ?? schema.primaryKey.extractKey?.(row);
    // The number that the browser gives an added entry is in its answer alone.
    return failures[at] === undefined ? [{ store, key, row: store === 'outbox' ? { ...row, seq: key } : row }] : [];
  });
}

/** The disk was not as the transaction expected it: another commit came first. Nothing was written. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** What live queries are told of a store in which anything may have changed. */
function anythingIn(database: string, { name, schema }: DBCoreTable): [string, RangeSet][] {
  const parts = ['', ':dels', ...schema.indexes.map((index) => index.name ?? '')];
  return parts.map((part) => [`idb://${database}/${name}/${part}`, new RangeSet(-Infinity, [[]])]);
}

export interface CommitNotes {
  /**
   * Writes what was worked out in memory as of commit `at`, without a read before it; rejects with `Overtaken` where
   * that was not the last one. Called before anything else writes in this transaction. A person waits for it: it asks
   * the browser itself, and the library costs as much again.
   */
  put(transaction: object, at: number, rows: readonly { store: string; row: object }[]): PromiseLike<void>;
  readonly middleware: Middleware<DBCore>;
}

/**
 * Tells what each read-write transaction wrote into `stores`, when it is complete and not before, and of each that
 * ended, complete or not.
 * `tell` follows when those who waited for the transaction have heard.
 * It is counted in the transaction itself, so that one who missed a commit finds out at the next (a number is left
 * out).
 */
export function createCommitNotes(
  stores: readonly string[],
  hear: { ended(transaction: object, commit: Commit | undefined): void; tell(): void },
): CommitNotes {
  const isNoted = new Set(stores);
  const noted = new WeakMap<object, Noted>();
  let open: DBCore | undefined;
  const put: CommitNotes['put'] = (transaction, at, rows) =>
    new Dexie.Promise<void>((resolve, reject) => {
      const trans = transaction as IDBTransaction;
      const own: Noted = { writes: [], at: Dexie.Promise.resolve(at + 1), number: at + 1 };
      noted.set(trans, own);
      const stores = [...new Set(rows.map(({ store }) => store)), 'meta'];
      const parts = stores.flatMap((store) => anythingIn(open!.schema.name, open!.table(store)));
      // The library's own, which has what it wrote before.
      const { mutatedParts } = trans as { mutatedParts?: object };
      Object.assign(trans, { mutatedParts: { ...mutatedParts, ...Object.fromEntries(parts) } });
      const ask = <T>(request: IDBRequest<T>, hear: (result: T) => void) => {
        request.onsuccess = () => hear(request.result);
        request.onerror = () => reject(request.error);
      };
      const meta = trans.objectStore('meta');
      ask(meta.get(counter), (before?: { value: number }) => {
        if (before?.value !== at) reject(new Overtaken());
      });
      ask(meta.put({ key: counter, value: at + 1 }), () => undefined);
      for (const { store, row } of rows)
        ask(trans.objectStore(store).put(row), (key) => {
          own.writes.push({ store, key, row: store === 'outbox' ? { ...row, seq: key } : row });
          if (own.writes.length === rows.length) resolve();
        });
    });
  const middleware: Middleware<DBCore> = {
    stack: 'dbcore',
    name: 'note-commits',
    create: (core) => {
      open = core;
      const count = (trans: DBCoreTransaction) => {
        const meta = core.table('meta');
        const putCount = (at: number) =>
          meta.mutate({ trans, type: 'put', values: [{ key: counter, value: at }] }).then(() => at);
        const read = meta.get({ trans, key: counter }) as ReturnType<DBCoreTable['get']>;
        // At random where the store is new: after the browser cleared it, no tab takes another one's first commit for
        // its own next.
        return read.then((stored?: { value: number }) =>
          putCount((stored?.value ?? Math.floor(Math.random() * 2 ** 40)) + 1),
        );
      };
      return {
        ...core,
        transaction: (asked, mode, options) => {
          if (mode !== 'readwrite' || !asked.some((store) => isNoted.has(store)))
            return core.transaction(asked, mode, options);
          const transaction = core.transaction(asked.includes('meta') ? asked : [...asked, 'meta'], mode, options);
          const target = transaction as unknown as EventTarget;
          target.addEventListener('complete', () => {
            const own = noted.get(transaction);
            hear.ended(transaction, own && { at: own.number, writes: own.writes });
          });
          target.addEventListener('abort', () => hear.ended(transaction, undefined));
          // After the library's own handlers, which are added in this step: who waits for the write hears of it before
          // screens are drawn.
          queueMicrotask(() => {
            for (const name of ['complete', 'abort']) target.addEventListener(name, hear.tell);
          });
          return transaction;
        },
        table: (store) => {
          const table = core.table(store);
          if (!isNoted.has(store)) return table;
          return {
            ...table,
            mutate: (request) => {
              const { trans } = request;
              // What writes nothing, as a request without mutations does, is no commit, and costs none.
              const isNothing =
                request.type !== 'deleteRange' &&
                (request.type === 'delete' ? request.keys : request.values).length === 0;
              if (isNothing || (trans as { mode?: string }).mode !== 'readwrite') return table.mutate(request);
              const own = noted.get(trans) ?? { writes: [], at: count(trans), number: 0 };
              noted.set(trans, own);
              // The library's own promises: between them the transaction stays open. What empties a store empties it of
              // the count as well.
              const asked =
                request.type === 'deleteRange' ? own.at.then(() => table.mutate(request)) : table.mutate(request);
              return asked.then((result) =>
                own.at.then((number) => {
                  own.number = number;
                  own.writes.push(...writesOf(store, table, request, result));
                  return result;
                }),
              );
            },
          };
        },
      };
    },
  };
  return { middleware, put };
}
