import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { insertPeople } from '../db/seed/insert-rows.ts';
import { manyRows } from '../db/seed/many-rows.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { asSystem } from './as-system.ts';

let db: TestDatabase;
const people = manyRows({ jobs: 1, tradies: 1 });
const job = makeJob({ userId: people.jobs[0]?.userId ?? '' });
beforeEach(async () => {
  db = await openTestDb('postgres');
  await db.transaction((sql) => insertPeople(sql, people));
});
afterEach(() => db.close());

const head = () => createSqlStore(db).single.readHead();
const read = () => asSystem(db, (tx) => tx.hold('jobs', job.id));

it('inserts and changes rows as devices will see them, and gives back what was said inside', async () => {
  expect(await read()).toBeUndefined();
  expect(await asSystem(db, (tx) => tx.insert('jobs', job).then(() => 'done'))).toBe('done');
  expect(await read()).toMatchObject({ id: job.id, title: job.title });
  const before = await head();
  await asSystem(db, (tx) => tx.update('jobs', job, { title: 'Another', budgetMax: job.budgetMax }));
  expect(await read()).toEqual({ ...(await read()), title: 'Another', budgetMax: job.budgetMax });
  expect(BigInt(await head())).toBeGreaterThan(BigInt(before));
});

it('sends devices nothing where everything is as it says already', async () => {
  await asSystem(db, (tx) => tx.insert('jobs', job));
  const before = await head();
  await asSystem(db, (tx) => tx.update('jobs', job, { title: job.title, images: [...job.images] }));
  expect(await head()).toBe(before);
});

it('writes all of it or nothing, with what it writes elsewhere', async () => {
  const failed = asSystem(db, async (tx) => {
    await tx.insert('jobs', job);
    await tx.sql
      .insertInto('reference')
      .values({ kind: 'category', id: makeTestId(), name: 'x', data: '{}' } as never)
      .execute();
    throw new Error('after the writes');
  });
  await expect(failed).rejects.toThrow();
  expect(await read()).toBeUndefined();
});
