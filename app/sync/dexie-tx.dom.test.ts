import { expect, test } from 'vitest';
import { makeInterest, makeJob, makeTestId } from '../../shared/testing/make.ts';
import { describeTx } from '../../shared/testing/tx-contract.ts';
import { openPersonDb } from '../db/person-db.ts';
import { draftStores, createWriteSet } from './dexie-tx.ts';

const open = () => openPersonDb(makeTestId());

describeTx('Dexie', async () => {
  const db = open();
  return {
    transact: (work) =>
      db.transaction('rw', [...draftStores], async () => {
        const draft = createWriteSet(db);
        const result = await draft.attempt([], work);
        await draft.flush();
        return result;
      }),
    makeJob,
    makeInterest,
  };
});

test('the first write of a row keeps what the server last said of it; the second does not (I5)', async () => {
  const db = open();
  const [job, made] = [makeJob({ title: 'As the server said' }), makeJob()];
  await db.jobs.add(job);
  await db.transaction('rw', [...draftStores], async () => {
    const draft = createWriteSet(db);
    await draft.attempt([], (tx) => tx.jobs.update(job.id, { title: 'First' }));
    await draft.attempt([], (tx) => tx.jobs.update(job.id, { title: 'Second' }));
    await draft.attempt([], (tx) => tx.jobs.insert(made));
    await draft.flush();
  });
  expect(await db.jobs.get(job.id)).toMatchObject({ title: 'Second' });
  expect(await db.shadow.get(['jobs', job.id])).toEqual({ table: 'jobs', id: job.id, row: job });
  expect(await db.shadow.get(['jobs', made.id])).toEqual({ table: 'jobs', id: made.id, row: null });
});

test('what a body wrote before it rejected is discarded', async () => {
  const db = open();
  const job = makeJob();
  await db.transaction('rw', [...draftStores], async () => {
    const draft = createWriteSet(db);
    await expect(
      draft.attempt([], async (tx) => {
        await tx.jobs.insert(job);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await draft.flush();
  });
  expect(await db.jobs.count()).toBe(0);
  expect(await db.shadow.count()).toBe(0);
});

test('a row that is only in a collection is adopted when it is written to, and only then', async () => {
  const db = open();
  const [read, written] = [makeJob({ userId: null }), makeJob({ userId: null, interestCount: 4 })];
  const base = [read, written].map((row) => ({ table: 'jobs' as const, row }));
  await db.transaction('rw', [...draftStores], async () => {
    const draft = createWriteSet(db);
    await draft.attempt(base, async (tx) => {
      expect(await tx.jobs.get(read.id)).toEqual(read);
      await tx.jobs.update(written.id, { interestCount: 5 });
    });
    await draft.flush();
  });
  expect(await db.jobs.toArray()).toEqual([{ ...written, interestCount: 5 }]);
  expect(await db.shadow.toArray()).toEqual([{ table: 'jobs', id: written.id, row: null }]);
});
