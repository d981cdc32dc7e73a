import { MikroORM } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { Pool, type ClientBase, type PoolConfig } from 'pg';
import { minute } from '../../shared/lib/durations.ts';
import { admitConnection } from './admit-connection.ts';
import { pgTypes } from './column-parsers.ts';
import type { Database } from './database.ts';
import { gatePool } from './gate-pool.ts';
import { guardPool, type Admission, type AnswerLimits, type GuardedPool } from './guard-pool.ts';
import { listenPostgres, type ListenLimits } from './listen-postgres.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { ormOptions } from './orm-options.ts';
import { pipelinedTransaction } from './pipelined-transaction.ts';
import type { Schema } from './schema.ts';
import { createTimelineFence, type TimelineFence } from './timeline-fence.ts';

export interface PostgresSource {
  url: string;
  /** Connections kept at most; the pool makes the next one wait. */
  poolSize?: number;
  /** Told of connections that broke while idle; queries in flight fail by themselves. */
  onError?: (error: Error) => void;
  /** Other limits than the usual ones, for fast tests. */
  answer?: Partial<AnswerLimits>;
  listening?: Partial<ListenLimits>;
  /** Seconds after which a connection is made anew: the address may lead to another server by then. */
  connectionLife?: number;
  /** Timelines that are known to have ended; without it the connections share one that knows of none. */
  fence?: TimelineFence;
  /** For the command that takes it into use after all: it may be one that a later timeline is known of. */
  mayBeSuperseded?: boolean | undefined;
}

/** Milliseconds. Nothing of ours runs long: a statement past this is stuck, and an error is better than held locks. */
const limits = { statement: 15_000, lock: 5_000, idleInTransaction: 30_000, connect: 5_000, idleConnection: 30_000 };
const usualConnectionLife = 60;

/** Milliseconds an answer may take to arrive here. */
const answerLimits: AnswerLimits = { statement: limits.statement + 2_000, trivial: 5_000, unused: 5_000 };
/** A migration may take as long as it needs, and yet not wait for ever for a server that is gone. */
const migrationLimits: AnswerLimits = { ...answerLimits, statement: 30 * minute };
const listenLimits: ListenLimits = { pulse: 10_000, answer: 5_000 };

/** A native PostgreSQL. The pool is ours, so that limits and column types hold for every connection. */
export async function openPostgres({
  url,
  poolSize = 10,
  onError = () => undefined,
  answer,
  listening,
  connectionLife = usualConnectionLife,
  fence = createTimelineFence(),
  mayBeSuperseded = false,
}: PostgresSource): Promise<Database> {
  const admit = (client: Pick<ClientBase, 'query'>) => admitConnection(fence, client, mayBeSuperseded);
  const { orm, pool, diskFullAgeMs } = await connect(
    url,
    {
      max: poolSize,
      maxLifetimeSeconds: connectionLife,
      statement_timeout: limits.statement,
      lock_timeout: limits.lock,
      idle_in_transaction_session_timeout: limits.idleInTransaction,
    },
    { ...answerLimits, ...answer },
    onError,
    { generation: fence.generation, admit },
  );
  const listener = listenPostgres(url, { ...listenLimits, ...listening }, onError, admit);
  fence.onEnd(listener.renew);
  return {
    kind: 'postgres',
    orm,
    sql: orm.em.getKysely<Schema>(),
    transaction: pipelinedTransaction(pool),
    share: (maxAtOnce) => {
      const gated = gatePool(pool, maxAtOnce);
      return {
        sql: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: gated }) }),
        transaction: pipelinedTransaction(gated),
      };
    },
    listen: listener.listen,
    listenState: listener.hearing,
    diskFullAgeMs,
    fence,
    // Migrations may take as long as they need: they get connections without the limits.
    migrate: () =>
      migratePostgres(
        url,
        migrationLimits.statement,
        async () => (await connect(url, { max: 3 }, migrationLimits, onError)).orm,
      ),
    close: async () => {
      await listener.close();
      await orm.close(true);
      // The query builder ends a pool only where it has used it itself, and transactions pass it by.
      await pool.end();
    },
  };
}

type Connected = Pick<GuardedPool, 'diskFullAgeMs'> & { orm: MikroORM; pool: PostgresPool };

async function connect(
  url: string,
  settings: PoolConfig,
  answer: AnswerLimits,
  onError: (error: Error) => void,
  admission?: Admission,
): Promise<Connected> {
  const pool = new Pool({
    connectionString: url,
    types: pgTypes(),
    connectionTimeoutMillis: limits.connect,
    idleTimeoutMillis: limits.idleConnection,
    keepAlive: true,
    pipeline: true,
    options: '-c timezone=UTC',
    application_name: 'dwang',
    ...settings,
  });
  // Without a listener a dropped connection is an uncaught exception, idle or checked out.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const guarded = guardPool(pool, answer, admission);
  const orm = await MikroORM.init({
    ...ormOptions(),
    clientUrl: url,
    driverOptions: new PostgresDialect({ pool: guarded.pool }),
  });
  return { orm, pool: guarded.pool, diskFullAgeMs: guarded.diskFullAgeMs };
}
