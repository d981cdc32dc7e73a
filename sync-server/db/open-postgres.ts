import { MikroORM } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import { Pool, type PoolConfig } from 'pg';
import { minute } from '../../shared/lib/durations.ts';
import { pgTypes } from './column-parsers.ts';
import type { Database } from './database.ts';
import { guardPool, type AnswerLimits, type GuardedPool } from './guard-pool.ts';
import { inTransaction } from './in-transaction.ts';
import { listenPostgres, type ListenLimits } from './listen-postgres.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { ormOptions } from './orm-options.ts';
import type { Schema } from './schema.ts';

export interface PostgresSource {
  url: string;
  /** Connections kept at most; the pool makes the next one wait. */
  poolSize?: number;
  /** Told of connections that broke while idle; queries in flight fail by themselves. */
  onFault?: (error: Error) => void;
  /** Other limits than the usual ones, for fast tests. */
  answer?: Partial<AnswerLimits>;
  listening?: Partial<ListenLimits>;
}

/** Milliseconds. Nothing of ours runs long: a statement past this is stuck, and an error is better than held locks. */
const limits = { statement: 15_000, lock: 5_000, idleInTransaction: 30_000, connect: 5_000, idleConnection: 30_000 };

/** Milliseconds an answer may take to arrive here. */
const answerLimits: AnswerLimits = { statement: limits.statement + 2_000, trivial: 5_000, unused: 5_000 };
/** A migration may take as long as it needs, and yet not wait for ever for a server that is gone. */
const migrationLimits: AnswerLimits = { ...answerLimits, statement: 30 * minute };
const listenLimits: ListenLimits = { pulse: 10_000, answer: 5_000 };

/** A native PostgreSQL. The pool is ours, so that limits and column types hold for every connection. */
export async function openPostgres({
  url,
  poolSize = 10,
  onFault = () => undefined,
  answer,
  listening,
}: PostgresSource): Promise<Database> {
  const { orm, diskFullAgeMs } = await connect(
    url,
    {
      max: poolSize,
      statement_timeout: limits.statement,
      lock_timeout: limits.lock,
      idle_in_transaction_session_timeout: limits.idleInTransaction,
    },
    { ...answerLimits, ...answer },
    onFault,
  );
  const listener = listenPostgres(url, { ...listenLimits, ...listening }, onFault);
  return {
    kind: 'postgres',
    orm,
    sql: orm.em.getKysely<Schema>(),
    transaction: inTransaction(orm.em.getKysely<Schema>(), 'postgres'),
    listen: listener.listen,
    listenState: listener.hearing,
    diskFullAgeMs,
    // Migrations may take as long as they need: they get connections without the limits.
    migrate: () =>
      migratePostgres(
        url,
        migrationLimits.statement,
        async () => (await connect(url, { max: 3 }, migrationLimits, onFault)).orm,
      ),
    close: async () => {
      await listener.close();
      await orm.close(true);
    },
  };
}

type Connected = Pick<GuardedPool, 'diskFullAgeMs'> & { orm: MikroORM };

async function connect(
  url: string,
  settings: PoolConfig,
  answer: AnswerLimits,
  onFault: (error: Error) => void,
): Promise<Connected> {
  const pool = new Pool({
    connectionString: url,
    types: pgTypes(),
    connectionTimeoutMillis: limits.connect,
    idleTimeoutMillis: limits.idleConnection,
    keepAlive: true,
    options: '-c timezone=UTC',
    application_name: 'dwang',
    ...settings,
  });
  // Without a listener a dropped connection is an uncaught exception, idle or checked out.
  pool.on('error', onFault);
  pool.on('connect', (client) => client.on('error', onFault));
  const guarded = guardPool(pool, answer);
  const orm = await MikroORM.init({
    ...ormOptions(),
    clientUrl: url,
    driverOptions: new PostgresDialect({ pool: guarded.pool }),
  });
  return { orm, diskFullAgeMs: guarded.diskFullAgeMs };
}
