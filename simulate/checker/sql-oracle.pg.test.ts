import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RowOf, TableName } from '../../shared/tables/index.ts';
import type { Sql } from '../../sync-server/db/database.ts';
import { asRow, columnsSql } from '../../sync-server/db/rows.ts';
import { insertRows } from '../../sync-server/db/write-rows.ts';
import { insertPeople } from '../../sync-server/db/seed/insert-rows.ts';
import { openTestDb, usualDatabase } from '../../sync-server/testing/test-db.ts';
import { range, runBatch } from '../batch/run-batch.ts';
import type { FinalState } from './final-state.ts';

/*
 * The simulator's own oracle works on its double of the database. Here the rows left after whole runs are put into a
 * real database, and SQL written by hand from the product's promise says what each person may see: neither the double,
 * nor the tables' audience paths, nor visibility.ts takes part.
 */

const seeds = [...range(1, process.env['TEST_LONG'] === '1' ? 6 : 3)];
/** Every fourth seed never heals, so nothing is promised about its end. */
const heals = (seed: number) => seed % 4 !== 0;

const stories: { seed: number; left: FinalState }[] = [];
const broken: unknown[] = [];
beforeAll(async () => {
  await runBatch({
    seeds: seeds.filter(heals),
    steps: 100,
    keepsEnd: true,
    onEnded: ({ seed, left, violation }) => {
      if (violation !== undefined) broken.push(violation);
      if (left !== undefined) stories.push({ seed, left });
      return true;
    },
  });
});

async function read<Name extends TableName>(
  db: Sql,
  table: Name,
  where: ReturnType<typeof sql>,
): Promise<RowOf<Name>[]> {
  const { rows } = await sql<
    Record<string, unknown>
  >`select ${columnsSql(table, 't')} from ${sql.table(table)} t where ${where} order by t.id`.execute(db);
  return rows.map((row) => asRow<Name>(row));
}

/** Jobs of one's own and those one has answered; the owner's name only on one's own. */
async function jobsOf(db: Sql, me: string) {
  const jobs = await read(
    db,
    'jobs',
    sql`t.user_id = ${me} or exists (select 1 from interests i where i.job_id = t.id and i.user_id = ${me})`,
  );
  return jobs.map((job) => (job.userId === me ? job : { ...job, userId: null }));
}

/**
 * Interests one has expressed, and those in one's own jobs; who owns the job and whether they called is for the owner.
 */
async function interestsOf(db: Sql, me: string) {
  const interests = await read(
    db,
    'interests',
    sql`t.user_id = ${me} or exists (select 1 from jobs j where j.id = t.job_id and j.user_id = ${me})`,
  );
  return interests.map((interest) =>
    interest.ownerId === me
      ? interest
      : { ...interest, ownerId: null, contactedAt: null, ownerNote: null, seenAt: null },
  );
}

/** One's own business, and those who have answered one's own jobs. */
const tradiesOf = (db: Sql, me: string) =>
  read(
    db,
    'tradies',
    sql`t.user_id = ${me} or exists (select 1 from interests i join jobs j on j.id = i.job_id where i.tradie_id = t.id and j.user_id = ${me})`,
  );

/** The feed: active jobs, for a person who has a subscription now; of these regions, and those that may be anywhere. */
async function feedOf(
  db: Sql,
  { userId: me, regions }: FinalState['groups'][number],
  at: string,
): Promise<string[] | undefined> {
  const { rows } =
    await sql`select 1 from users where id = ${me} and tradie_id is not null and subscription_status in ('active', 'trialing')
    and (subscription_valid_until is null or subscription_valid_until > ${at}::timestamptz)`.execute(db);
  if (rows.length === 0) return undefined;
  const jobs = await sql<{
    id: string;
  }>`select j.id from jobs j left join reference town on town.id = j.location_id where j.status = 'active'
    and (${regions === undefined} or town.region is null or town.region = any(${regions ?? []}::text[])) order by j.id`.execute(
    db,
  );
  return jobs.rows.map(({ id }) => id);
}

describe.each(usualDatabase)('what each device holds in the end is what SQL says, on %s', (kind) => {
  const opened: Awaited<ReturnType<typeof openTestDb>>[] = [];
  afterAll(async () => {
    for (const db of opened) await db.close();
  });

  test('whole runs', async () => {
    expect([broken, stories.length]).toEqual([[], seeds.filter(heals).length]);
    let rows = 0;
    for (const { seed, left } of stories) {
      const db = await openTestDb(kind);
      opened.push(db);
      const table = <Name extends TableName>(name: Name) => (left.tables[name] ?? []) as unknown as RowOf<Name>[];
      await db.transaction(async (tx) => {
        await insertRows(tx, 'reference', table('reference'));
        await insertPeople(tx, { users: table('users'), tradies: table('tradies') });
        await insertRows(tx, 'jobs', table('jobs'));
        await insertRows(tx, 'interests', table('interests'));
        await insertRows(tx, 'marks', table('marks'));
        await insertRows(tx, 'searches', table('searches'));
        await insertRows(tx, 'preferences', table('preferences'));
      });
      for (const group of left.groups) {
        const { key, userId, privateRows, feed } = group;
        const where = `seed ${seed}, ${key}`;
        expect(privateRows.users, where).toEqual(await read(db.sql, 'users', sql`t.id = ${userId}`));
        expect(privateRows.jobs, where).toEqual(await jobsOf(db.sql, userId));
        expect(privateRows.interests, where).toEqual(await interestsOf(db.sql, userId));
        for (const own of ['marks', 'searches', 'preferences'] as const)
          expect(privateRows[own], where).toEqual(await read(db.sql, own, sql`t.user_id = ${userId}`));
        expect(privateRows.tradies, where).toEqual(await tradiesOf(db.sql, userId));
        expect(feed?.map(({ id }) => String(id)).toSorted(), where).toEqual(await feedOf(db.sql, group, left.at));
        rows += privateRows.jobs.length + privateRows.interests.length;
      }
    }
    expect(rows).toBeGreaterThan(10);
  });
});
