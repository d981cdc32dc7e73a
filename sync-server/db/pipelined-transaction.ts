import {
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely';
import type { Database, Sql } from './database.ts';
import type { Schema } from './schema.ts';

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();
const driver = new DummyDriver();

const begins = { write: 'begin', snapshot: 'start transaction isolation level repeatable read read only' } as const;
const writing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/**
 * `Database.transaction` over a pool of connections that send each statement at once, as node-postgres does with
 * `pipeline`: what is asked without waiting for the answer before it goes along with it, and PostgreSQL carries it out
 * in that order, each statement in a snapshot of its own. The query builder's own transaction lets each wait for the
 * one before.
 *
 * BEGIN goes along with the first statements, as long as these only read: nothing is written before it is known that
 * there is a transaction. The COMMIT of a snapshot is not waited for: it has nothing to lose.
 */
export function pipelinedTransaction(pool: PostgresPool): Database['transaction'] {
  const dialect = new PostgresDialect({ pool });
  return async (work, { mode = 'write' } = {}) => {
    const client = await pool.connect();
    const over = overConnection(client, client.query(begins[mode], []));
    try {
      const executor = new DefaultQueryExecutor(compiler, adapter, {
        provideConnection: (consumer) => consumer(over.connection),
      });
      const done = await work(new Kysely<Schema>({ config: { dialect }, dialect, driver, executor }) as Sql);
      await over.end();
      const committed = client.query('commit', []);
      if (mode === 'snapshot') committed.catch(() => undefined);
      else await committed;
      return done;
    } catch (error) {
      await over.end().catch(() => undefined);
      // A ROLLBACK that fails as well must not hide why there was one.
      await client.query('rollback', []).catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  };
}

/** The connection as the query builder has it, while its transaction is open. */
function overConnection(client: PostgresPoolClient, beginning: Promise<unknown>) {
  let isBegun = false;
  let mustWait = false;
  let isOver = false;
  const begun = beginning.then(() => void (isBegun = true));
  // Its failure is thrown where it is waited for.
  begun.catch(() => undefined);
  const connection: DatabaseConnection = {
    async executeQuery({ sql, parameters }) {
      if (!isBegun && (mustWait ||= !/^\s*select\b/i.test(sql))) await begun;
      // Asked and never waited for: by now another may have the connection.
      if (isOver) throw new Error('the transaction is over');
      const { command, rowCount, rows } = await client.query<never>(sql, parameters);
      return { rows, ...(writing.has(command) ? { numAffectedRows: BigInt(rowCount) } : {}) };
    },
    streamQuery: () => {
      throw new Error('a transaction reads whole answers');
    },
  };
  return {
    connection,
    end: () => {
      isOver = true;
      return begun;
    },
  };
}
