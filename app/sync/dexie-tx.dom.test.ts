import { describe, expect, test } from 'vitest';
import { makeInterest, makeJob, makeTestId } from '../../shared/testing/make.ts';
import { describeTx } from '../../shared/testing/tx-contract.ts';
import { openPersonDb } from '../db/person-db.ts';
import { writeSetStores, createWriteSet } from './dexie-tx.ts';

const open = () => openPersonDb(makeTestId());

describeTx('Dexie', async () => {
  const db = open();
  return {
    transact: (work) =>
      db.transaction('rw', [...writeSetStores], async () => {
        const writeSet = createWriteSet(db);
        const result = await writeSet.attempt([], work);
        await writeSet.flush();
        return result;
      }),
    makeJob,
    makeInterest,
  };
});

test('the first write of a row keeps its server row; the second does not (I5)', async () => {
  const db = open();
  const [job, made] = [makeJob({ title: 'As the server said' }), makeJob()];
  await db.jobs.add(job);
  await db.transaction('rw', [...writeSetStores], async () => {
    const writeSet = createWriteSet(db);
    await writeSet.attempt([], (tx) => tx.jobs.update(job.id, { title: 'First' }));
    await writeSet.attempt([], (tx) => tx.jobs.update(job.id, { title: 'Second' }));
    await writeSet.attempt([], (tx) => tx.jobs.insert(made));
    await writeSet.flush();
  });
  expect(await db.jobs.get(job.id)).toMatchObject({ title: 'Second' });
  expect(await db.shadow.get(['jobs', job.id])).toEqual({ table: 'jobs', id: job.id, row: job });
  expect(await db.shadow.get(['jobs', made.id])).toEqual({ table: 'jobs', id: made.id, row: null });
});

test('what a body wrote before it rejected is discarded', async () => {
  const db = open();
  const job = makeJob();
  await db.transaction('rw', [...writeSetStores], async () => {
    const writeSet = createWriteSet(db);
    await expect(
      writeSet.attempt([], async (tx) => {
        await tx.jobs.insert(job);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await writeSet.flush();
  });
  expect(await db.jobs.count()).toBe(0);
  expect(await db.shadow.count()).toBe(0);
});

test('a row that is only in a collection is adopted when it is written to, and only then', async () => {
  const db = open();
  const [read, written] = [makeJob({ userId: null }), makeJob({ userId: null, interestCount: 4 })];
  const base = [read, written].map((row) => ({ table: 'jobs' as const, row }));
  await db.transaction('rw', [...writeSetStores], async () => {
    const writeSet = createWriteSet(db);
    await writeSet.attempt(base, async (tx) => {
      expect(await tx.jobs.get(read.id)).toEqual(read);
      await tx.jobs.update(written.id, { interestCount: 5 });
    });
    await writeSet.flush();
  });
  expect(await db.jobs.toArray()).toEqual([{ ...written, interestCount: 5 }]);
  expect(await db.shadow.toArray()).toEqual([{ table: 'jobs', id: written.id, row: null }]);
});

describe('inserting a row that exists already is a bug, wherever that row is', () => {
  const job = makeJob();
  const [interest, same] = [makeInterest({ jobId: job.id }), makeInterest({ jobId: job.id })];
  const alike = { ...same, tradieId: interest.tradieId };
  test.each(['in the store', 'in the write set of an earlier mutation', 'in its own write set'] as const)(
    '%s',
    async (where) => {
      const db = open();
      if (where === 'in the store') await db.interests.add(interest);
      await db.transaction('rw', [...writeSetStores], async () => {
        const writeSet = createWriteSet(db);
        if (where === 'in the write set of an earlier mutation')
          await writeSet.attempt([], (tx) => tx.interests.insert(interest));
        const insert = (row: typeof interest) =>
          writeSet.attempt([], async (tx) => {
            if (where === 'in its own write set') await tx.interests.insert(interest);
            await tx.interests.insert(row);
          });
        await expect(insert({ ...interest, tradieId: makeTestId() })).rejects.toThrow('already');
        await expect(insert(alike)).rejects.toThrow('same key');
        await expect(insert(same)).resolves.toBeUndefined();
      });
    },
  );
});

test('a row is found by the unique key that it has now, and not by the one it had', async () => {
  const db = open();
  const interest = makeInterest();
  const key = { jobId: interest.jobId, tradieId: interest.tradieId };
  await db.interests.add(interest);
  const jobId = makeTestId();
  await db.transaction('rw', [...writeSetStores], async () => {
    const writeSet = createWriteSet(db);
    await writeSet.attempt([], async (tx) => {
      await tx.interests.update(interest.id, { jobId });
      expect(await tx.interests.find(key)).toBeUndefined();
      expect(await tx.interests.find({ ...key, jobId })).toMatchObject({ id: interest.id });
    });
    // The first mutation is kept, the second moves the row again.
    await writeSet.attempt([], async (tx) => {
      await tx.interests.update(interest.id, { jobId: interest.jobId });
      expect(await tx.interests.find({ ...key, jobId })).toBeUndefined();
      expect(await tx.interests.find(key)).toMatchObject({ id: interest.id });
    });
  });
});

test('after flush() a write set starts again: it reads what is in the store by then', async () => {
  const db = open();
  const job = makeJob({ title: 'Old' });
  await db.jobs.add(job);
  await db.transaction('rw', [...writeSetStores], async () => {
    const writeSet = createWriteSet(db);
    await writeSet.attempt([], (tx) => tx.jobs.update(job.id, { title: 'First' }));
    await writeSet.flush();
    await db.jobs.put({ ...job, title: 'Put by another tab' });
    await writeSet.attempt([], async (tx) =>
      expect(await tx.jobs.get(job.id)).toMatchObject({ title: 'Put by another tab' }),
    );
  });
  expect(await db.shadow.toArray()).toEqual([{ table: 'jobs', id: job.id, row: job }]);
});

test('a key that the table does not declare, also part of one, is a bug', async () => {
  const db = open();
  await db.transaction('rw', [...writeSetStores], async () => {
    const find = createWriteSet(db).attempt([], (tx) => tx.interests.find({ jobId: makeTestId() }));
    await expect(find).rejects.toThrow('interests has no unique key jobId');
  });
});

test('a row of another table with the same id in the base is not found', async () => {
  const db = open();
  const job = makeJob();
  await db.transaction('rw', [...writeSetStores], async () => {
    const writeSet = createWriteSet(db);
    await writeSet.attempt(
      [
        { table: 'interests', row: makeInterest({ id: job.id }) },
        { table: 'jobs', row: makeJob() },
      ],
      async (tx) => {
        expect(await tx.jobs.get(job.id)).toBeUndefined();
        await expect(tx.jobs.update(job.id, { title: 'New' })).rejects.toThrow('has no row');
      },
    );
  });
});
