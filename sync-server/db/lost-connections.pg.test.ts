import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import type { Database, Sql } from './database.ts';
import { isTransient } from './is-transient.ts';
import { openPostgres } from './open-postgres.ts';

let other: TestDatabase;
beforeAll(async () => {
  other = await openTestDb('postgres');
});
afterAll(() => other.close());

const cut = (pid: number) => sql`select pg_terminate_backend(${pid})`.execute(other.sql);
const pidOf = async (tx: Sql) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]!.pid;

/**
 * More at once than the pool has places. A connection that was just cut may cost one of them; a place that is lost
 * costs every try.
 */
const serves = (database: Database) =>
  Promise.all([1, 2, 3].map(() => database.transaction(pidOf))).then(
    () => true,
    () => false,
  );

/** Where in a transaction the connection is cut. */
const cutPoints: [string, (tx: Sql, pid: number) => Promise<unknown>][] = [
  [
    'between two statements',
    async (tx, pid) => {
      await cut(pid);
      return sql`select 1`.execute(tx);
    },
  ],
  ['before COMMIT', (_tx, pid) => cut(pid)],
  [
    'before ROLLBACK',
    async (_tx, pid) => {
      await cut(pid);
      throw Object.assign(new Error('said by the test'), { code: '40001' });
    },
  ],
];

it.each(cutPoints)(
  'a connection that is cut %s fails its transaction, and its place in the pool is free again',
  async (_when, work) => {
    const database = await openPostgres({ url: other.url ?? '', poolSize: 2 });
    for (let time = 0; time < 5; time += 1) {
      const failed = database.transaction(async (tx) => work(tx, await pidOf(tx)));
      await expect(failed).rejects.toSatisfy(isTransient);
    }
    await expect.poll(() => serves(database), { timeout: 30_000 }).toBe(true);
    await database.close();
  },
);

it('a connection that was cut while it was idle in the pool frees its place as well', async () => {
  const database = await openPostgres({
    url: `${other.url ?? ''}?application_name=${encodeURIComponent('cut me')}`,
    poolSize: 2,
  });
  for (let time = 0; time < 5; time += 1) {
    await expect.poll(() => serves(database), { timeout: 30_000 }).toBe(true);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = 'cut me'`.execute(
      other.sql,
    );
    await Promise.allSettled([1, 2].map(() => database.transaction(pidOf)));
  }
  await expect.poll(() => serves(database), { timeout: 30_000 }).toBe(true);
  await database.close();
});
