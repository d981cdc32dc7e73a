import { MikroORM } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import { Pool, type PoolConfig } from 'pg';
import { pgTypes } from './column-parsers.ts';
import type { Database } from './database.ts';
import { inTransaction } from './in-transaction.ts';
import { listenPostgres } from './listen-postgres.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { nameLostConnections } from './name-lost-connections.ts';
import { ormOptions } from './orm-options.ts';

export interface PostgresSource {
  url: string;
  /** Connections kept at most; the pool makes the next one wait. */
  poolSize?: number;
  /** Told of connections that broke while idle; queries in flight fail by themselves. */
  onFault?: (error: Error) => void;
}

/** Milliseconds. Nothing of ours runs long: a statement past this is stuck, and being told beats holding locks. */
const limits = { statement: 15_000, lock: 5_000, idleInTransaction: 30_000, connect: 5_000, idleConnection: 30_000 };

/** A native PostgreSQL. The pool is ours, so that limits and column types hold for every connection. */
export async function openPostgres({ url, poolSize = 10, onFault = () => undefined }: PostgresSource): Promise<Database> {
  const { orm } = await connect(url, {
    max: poolSize,
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
  }, onFault);
  const listener = listenPostgres(url, onFault);
  return {
    kind: 'postgres',
    orm,
    sql: orm.em.getKysely(),
    transaction: inTransaction(orm.em.getKysely(), 'postgres'),
    listen: listener.listen,
    // Migrations may take as long as they need: they get connections without the limits.
    migrate: () => migratePostgres(url, async () => (await connect(url, { max: 3 }, onFault)).orm),
    close: async () => {
      await listener.close();
      await orm.close(true);
    },
  };
}

async function connect(url: string, settings: PoolConfig, onFault: (error: Error) => void): Promise<{ orm: MikroORM }> {
  const pool = new Pool({
    connectionString: url,
    types: pgTypes(),
    connectionTimeoutMillis: limits.connect,
    idleTimeoutMillis: limits.idleConnection,
    options: '-c timezone=UTC',
    application_name: 'dwang',
    ...settings,
  });
  // Without a listener a dropped connection is an uncaught exception, idle or checked out.
  pool.on('error', onFault);
  pool.on('connect', (client) => client.on('error', onFault));
  const orm = await MikroORM.init({ ...ormOptions(), clientUrl: url, driverOptions: new PostgresDialect({ pool: nameLostConnections(pool) }) });
  return { orm };
}
