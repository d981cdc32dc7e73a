import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usualDatabase, openTestDb, type TestDatabase } from '../../testing/test-db.ts';
import { seedDemo, type DemoSeeding } from './seed-demo.ts';
import { seedMany } from './seed-many.ts';
import { seedReference } from './seed-reference.ts';

describe.each(usualDatabase)('seeding on %s', (kind) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDb(kind);
  });
  afterAll(() => db.close());

  const count = async (table: string) =>
    (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db.sql)).rows[0]?.n;
  const head = async () =>
    (await sql<{ head: string }>`select coalesce(max(version), 0) as head from sync_change`.execute(db.sql)).rows[0]
      ?.head;
  const accounts: string[] = [];
  const files = new Map<string, number>();
  const seeding = (): DemoSeeding => ({
    database: db,
    clock: () => new Date('2026-11-21T00:00:00.000Z'),
    createConfirmedUser: ({ email, id }) => {
      accounts.push(email);
      return Promise.resolve({ id });
    },
    put: ({ bucket, key, bytes }) => {
      files.set(`${bucket}/${key}`, bytes.length);
      return Promise.resolve();
    },
  });

  it('writes the lists once and makes no version when nothing differs', async () => {
    await seedReference(db);
    expect(await count('reference')).toBe(440);
    const before = await head();
    await seedReference(db);
    expect(await head()).toBe(before);
  });

  it('puts right what differs, and only that', async () => {
    await sql`update reference set name = 'Otaki' where id = 'wellington/otaki'`.execute(db.sql);
    const before = await head();
    await seedReference(db);
    const { rows } = await sql`select entity_id from sync_change where version > ${before}`.execute(db.sql);
    expect(rows).toEqual([{ entity_id: 'wellington/otaki' }]);
  });

  it('writes nothing of the demo where it was cut off, and all of it the next time', async () => {
    const broken = { ...seeding(), put: () => Promise.reject(new Error('disk full')) };
    await expect(seedDemo(broken)).rejects.toThrow('disk full');
    expect(await count('users')).toBe(0);
    accounts.length = 0;
    expect(await seedDemo(seeding())).toEqual({ seeded: true });
    expect([await count('jobs'), await count('tradies'), await count('interests')]).toEqual([60, 3, 11]);
    expect(accounts.toSorted()).toEqual([
      'homeowner2@demo.nz',
      'homeowner@demo.nz',
      'lapsed@demo.nz',
      'tradie@demo.nz',
      'trialing@demo.nz',
    ]);
    const { rows } = await sql<{ url: string }>`select unnest(images) as url from jobs`.execute(db.sql);
    expect(rows.length).toBeGreaterThan(40);
    for (const { url } of rows) expect(files.get(url), url).toBeLessThan(30_000);
  });

  it('leaves a demo that is there as it is', async () => {
    await sql`update jobs set title = 'Mine now' where title like 'Replace eight palings%'`.execute(db.sql);
    const before = await head();
    expect(await seedDemo(seeding())).toEqual({ seeded: false });
    expect(await head()).toBe(before);
  });

  it('fills an empty database with as many rows as asked for', async () => {
    const empty = await openTestDb(kind);
    const { jobs } = await seedMany(empty, { jobs: 3_000, tradies: 400 });
    const { rows } =
      await sql`select id, title, images, budget_max, created_at from jobs where id = ${jobs[17]?.id}`.execute(
        empty.sql,
      );
    expect(rows).toEqual([
      {
        id: jobs[17]?.id,
        title: jobs[17]?.title,
        images: jobs[17]?.images,
        created_at: new Date(jobs[17]?.createdAt ?? ''),
        budget_max: jobs[17]?.budgetMax?.toFixed(2) ?? null,
      },
    ]);
    expect(
      (
        await sql`select (select count(*)::int from jobs) as jobs, (select count(*)::int from users where tradie_id is not null) as tradies`.execute(
          empty.sql,
        )
      ).rows,
    ).toEqual([{ jobs: 3_000, tradies: 400 }]);
    await empty.close();
  });
});
