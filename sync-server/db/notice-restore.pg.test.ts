import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { makeUser } from '../../shared/testing/make.ts';
import { insertRows } from './write-rows.ts';
import { openTestDb } from '../testing/test-db.ts';
import { cloneTemplate } from '../testing/test-postgres.ts';
import { startNewTimeline } from './new-timeline.ts';
import { noticeRestore } from './notice-restore.ts';
import { openPostgres } from './open-postgres.ts';
import { createTimelineFence } from './timeline-fence.ts';
import type { Database } from './database.ts';

const warned: unknown[] = [];
const log = { warn: (...line: unknown[]) => void warned.push(line) } as never;
const timelineOf = async (of: Database) =>
  (await sql<{ lineage: string }>`select lineage from sync_meta`.execute(of.sql)).rows[0]!.lineage;

it('[S5] a database that comes back under another identity begins a new timeline, once; one that was only restarted does not', async () => {
  const home = await openTestDb('postgres');
  const first = await timelineOf(home);
  expect(await noticeRestore(home, log)).toBe(false);
  expect(await noticeRestore(home, log)).toBe(false);
  expect(await timelineOf(home)).toBe(first);
  const admin = await openPostgres({ url: home.url!.replace(/\/[^/]*$/, '/postgres') });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${home.url!.split('/').at(-1)}`.execute(
    admin.sql,
  );
  await admin.close();
  const clone = await cloneTemplate(home.url!);
  const restored = await openPostgres({ url: clone.url });
  expect(await timelineOf(restored)).toBe(first);
  // Two servers that start at once agree on one.
  expect(
    (await Promise.all([noticeRestore(restored, log), noticeRestore(restored, log)])).filter(Boolean),
  ).toHaveLength(1);
  const second = await timelineOf(restored);
  expect(second).not.toBe(first);
  expect(await noticeRestore(restored, log)).toBe(false);
  expect(await timelineOf(restored)).toBe(second);
  expect(warned).toHaveLength(1);
  await restored.close();
  await clone.drop();
  await home.close();
});

it('[S5] a timeline that is begun late, after the restored database was written to, has only what was known of the one before', async () => {
  const database = await openTestDb('pglite');
  const head = async () =>
    (await sql<{ head: string }>`select max(version) as head from sync_change`.execute(database.sql)).rows[0]!.head;
  await insertRows(database.sql, 'users', [makeUser()]);
  const known = await head();
  await insertRows(database.sql, 'users', [makeUser()]);
  const [before, late] = [await timelineOf(database), await startNewTimeline(database.sql, known)];
  expect(late).toMatchObject({ previous: before, point: known });
  await insertRows(database.sql, 'users', [makeUser()]);
  const newest = await head();
  expect(BigInt(newest)).toBeGreaterThan(BigInt(known));
  // More than there is cannot be known.
  expect((await startNewTimeline(database.sql, String(BigInt(newest) + 5n))).point).toBe(newest);
  await database.close();
});

it('[S5] a database of an ended timeline that lacks the newest columns is refused as any other', async () => {
  const former = await openTestDb('postgres');
  const fence = createTimelineFence([await timelineOf(former)]);
  await sql`alter table sync_meta drop column later_version`.execute(former.sql);
  const reached = await openPostgres({ url: former.url!, fence });
  await expect(sql`select from sync_meta`.execute(reached.sql)).rejects.toMatchObject({ name: 'TimelineEnded' });
  await reached.close();
  await former.close();
});

it('leaves the embedded database alone', async () => {
  const database = await openTestDb('pglite');
  expect(await noticeRestore(database, log)).toBe(false);
  await database.close();
});
