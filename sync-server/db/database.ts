import type { MikroORM } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import type { TimelineFence } from './timeline-fence.ts';

/** The query builder over every table there is. */
export type Sql = Kysely<Schema>;

export interface TransactionOptions {
  /** `snapshot` is REPEATABLE READ READ ONLY (SPEC S3); `write`, the default, is READ COMMITTED. */
  mode?: 'write' | 'snapshot';
}

/** How far what `listen` promises is proved. */
export interface ListenState {
  /** Which connection: another number after each reconnection. */
  connection: number;
  /**
   * Milliseconds since the last proof that notices arrive began: the notices of everything committed before it were
   * received. Infinity before the first one.
   */
  ageMs: number;
}

/**
 * One PostgreSQL, native or PGlite, behind one interface.
 *
 * PGlite has a single connection: while a transaction is open nothing else may query, so work inside
 * `transaction` must use the `sql` it is handed, never the outer one.
 */
export interface Database {
  readonly kind: 'postgres' | 'pglite';
  readonly orm: MikroORM;
  /** Queries outside a transaction. */
  readonly sql: Sql;
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * LISTEN on a channel; the returned function stops listening. Lost connections are remade, and `onNotice` is then
   * called with ''.
   */
  listen(channel: string, onNotice: (payload: string) => void): Promise<() => Promise<void>>;
  /** Queries and transactions of which at most so many are under way at once; the others hold no connection. */
  readonly share?: ((maxAtOnce: number) => Pick<Database, 'sql' | 'transaction'>) | undefined;
  /** Undefined while no connection listens. */
  listenState(): ListenState | undefined;
  /** Milliseconds since a write last found the disk full; undefined where none did, or another place says so. */
  diskFullAgeMs?(): number | undefined;
  /** Keeps this server from a database that is an earlier timeline of the one it has used. */
  readonly fence?: TimelineFence | undefined;
  /** Applies the migrations that are missing; one instance at a time does it. */
  migrate(): Promise<void>;
  /** A copy of the embedded database's files, consistent; a PostgreSQL has tools of its own. */
  readonly dump?: (() => Promise<Blob>) | undefined;
  close(): Promise<void>;
}
