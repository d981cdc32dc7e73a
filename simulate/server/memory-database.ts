import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely';
import type { Database, Sql } from '../../sync-server/db/database.ts';
import type { Life, Loop } from '../time/loop.ts';
import type { Statement } from './memory-statement.ts';
import { statements } from './memory-statements.ts';
import type { MemoryStore, MemoryTx } from './memory-store.ts';

/** Where in a transaction a fault may happen: the answer is what is thrown there, or that the calling process is dead. */
export type Strike = (life: Life, at: 'statement' | 'commit' | 'committed') => Error | 'killed' | undefined;

/** The product issues a statement that the double does not know: add it in memory-statements.ts. */
export class UnknownStatement extends Error {
  override name = 'UnknownStatement';
}

const known = new Map<string, { statement: Statement; caught: readonly string[] }>();

function statementFor(sql: string): { statement: Statement; caught: readonly string[] } {
  const found = known.get(sql);
  if (found !== undefined) return found;
  const flat = sql
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  for (const statement of statements) {
    const match = statement[0].exec(flat);
    if (match === null) continue;
    const entry = { statement, caught: match.slice(1) };
    known.set(sql, entry);
    return entry;
  }
  throw new UnknownStatement(flat);
}

/** A query builder over `run`. */
function builderOver(run: (query: CompiledQuery) => Promise<QueryResult<unknown>>): Sql {
  const connection: DatabaseConnection = {
    executeQuery: run as DatabaseConnection['executeQuery'],
    // oxlint-disable-next-line require-yield -- there is no cursor here, and none is used
    streamQuery: async function* () {
      throw new Error('not streamed');
    },
  };
  const driver = Object.assign(new DummyDriver(), { acquireConnection: async () => connection });
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

export interface Connections {
  loop: Loop;
  store: MemoryStore;
  strike: Strike;
  /** Called with statements the double does not know: no fault of the product's, and never to be counted as one. */
  onUnknown(error: UnknownStatement): void;
  /** Milliseconds a round trip to the database takes. */
  tripMs(): number;
  /** Milliseconds until a commit is notified, as by LISTEN. */
  noticeMs(): number;
  /** Since when this process's listening connection delivers nothing; undefined while it delivers. */
  deafSince(life: Life): number | undefined;
  /** Its connections accept what is sent and answer nothing. */
  isSilent(life: Life): boolean;
}

/** As long as the pool waits for an answer before it counts a connection as lost (db/guard-pool.ts). */
const poolTimeoutMs = 20_000;

/** The `Database` that the server's code gets, for one of its processes. A dead process is never answered again. */
export function memoryDatabase(
  { loop, store, strike, onUnknown, tripMs, noticeMs, deafSince, isSilent }: Connections,
  life: Life,
): Database {
  async function execute(tx: MemoryTx, { sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> {
    await loop.pause(tripMs(), life);
    if (isSilent(life)) {
      await loop.pause(poolTimeoutMs, life);
      throw Object.assign(new Error('no answer from the database'), { code: 'ETIMEDOUT' });
    }
    await meetFaults('statement');
    const { statement, caught } = known.get(sql) ?? mustKnow(sql);
    const { rows, affected } = await statement[1]({ tx, values: parameters, caught, sql: sql.trim() });
    // A lock may have been waited for: nothing is delivered after the end.
    await loop.pause(0, life);
    return { rows, numAffectedRows: BigInt(affected ?? rows.length) };
  }

  function mustKnow(sql: string): ReturnType<typeof statementFor> {
    try {
      return statementFor(sql);
    } catch (error) {
      if (error instanceof UnknownStatement) onUnknown(error);
      throw error;
    }
  }

  async function meetFaults(at: Parameters<Strike>[1]): Promise<void> {
    const fault = strike(life, at);
    if (fault === 'killed') await new Promise(() => {});
    if (fault instanceof Error) throw fault;
  }

  async function within<T>(mode: 'write' | 'snapshot', work: (tx: MemoryTx) => Promise<T>): Promise<T> {
    await loop.pause(tripMs(), life);
    const tx = store.begin(life, mode);
    try {
      const done = await work(tx);
      await loop.pause(tripMs(), life);
      await meetFaults('commit');
      store.commit(tx);
      await meetFaults('committed');
      return done;
    } catch (error) {
      store.rollback(tx);
      throw error;
    }
  }

  return {
    kind: 'postgres',
    get orm(): never {
      throw new Error('The simulator has no object mapper; sync does not use one.');
    },
    sql: builderOver((query) => within('write', (tx) => execute(tx, query))),
    transaction: (work, options = {}) =>
      within(options.mode ?? 'write', (tx) => work(builderOver((query) => execute(tx, query)))),
    listen: async (_channel, onNotice) => {
      let isListening = true;
      store.onCommit(
        (version) =>
          void loop.after(
            noticeMs(),
            () => isListening && deafSince(life) === undefined && onNotice(String(version)),
            life,
          ),
      );
      return async () => void (isListening = false);
    },
    hearing: () => ({ connection: 0, ageMs: loop.now() - (deafSince(life) ?? loop.now()) }),
    migrate: async () => {},
    close: async () => {},
  };
}
