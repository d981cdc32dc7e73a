import type {
  DBCore,
  DBCoreKeyRange,
  DBCoreMutateRequest,
  DBCoreMutateResponse,
  DBCoreTable,
  DBCoreTransaction,
  Middleware,
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

export interface CommitNotes {
  /**
   * This transaction writes what was worked out in memory as of commit `at`, without a read before its first write; it
   * rejects with
   * `Overtaken` where that was not the last one. Called before it writes.
   */
  expect(transaction: object, at: number): void;
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
  const expected = new WeakMap<object, number>();
  const middleware: Middleware<DBCore> = {
    stack: 'dbcore',
    name: 'note-commits',
    create: (core) => {
      const noted = new WeakMap<object, Noted>();
      const count = (trans: DBCoreTransaction) => {
        const meta = core.table('meta');
        const put = (at: number) =>
          meta.mutate({ trans, type: 'put', values: [{ key: counter, value: at }] }).then(() => at);
        const read = meta.get({ trans, key: counter }) as ReturnType<DBCoreTable['get']>;
        const before = expected.get(trans);
        if (before === undefined) {
          // At random where the store is new: after the browser cleared it, no tab takes another one's first commit for
          // its own next.
          return read.then((stored?: { value: number }) =>
            put((stored?.value ?? Math.floor(Math.random() * 2 ** 40)) + 1),
          );
        }
        const written = put(before + 1);
        return read.then((stored?: { value: number }) =>
          written.then((at) => {
            if (stored?.value !== before) throw new Overtaken();
            return at;
          }),
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
  return { middleware, expect: (transaction, at) => void expected.set(transaction, at) };
}
