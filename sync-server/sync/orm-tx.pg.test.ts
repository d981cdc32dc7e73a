import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { makeInterest, makeJob } from '../../shared/testing/make.ts';
import { describeTx } from '../../shared/testing/tx-contract.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import { sqlTx } from '../store/sql-store.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { openSyncHarness, type SyncHarness } from '../testing/sync-harness.ts';
import { createOrmTx } from './orm-tx.ts';

describe.each(usualDatabase)('over %s', (kind) => {
  let harness: SyncHarness, owner: User, person: User, tradie: Tradie;
  beforeAll(async () => {
    harness = await openSyncHarness(kind);
    owner = await harness.homeowner();
    ({ user: person, tradie } = await harness.tradie());
  });
  afterAll(() => harness.close());

  const store = (made: string[]) => ({
    makeJob: (changes = {}) => {
      const job = makeJob({ userId: owner.id, ...changes });
      made.push(job.id);
      return job;
    },
    makeInterest: (changes = {}) => {
      const interest = makeInterest({ tradieId: tradie.id, userId: person.id, ownerId: owner.id, ...changes });
      made.push(interest.id);
      return interest;
    },
  });

  describe.each([
    ['read when it is asked for', false],
    ['read beforehand', true],
  ] as const)('%s', (_, isPrepared) => {
    describeTx('the ORM', async () => {
      const made: string[] = [];
      return {
        ...store(made),
        transact: (work) =>
          harness.db.transaction(async (sql) => {
            const candidates = isPrepared ? [...made, tradie.id, person.id] : [];
            const { tx, keep, flush } = await createOrmTx(sqlTx(sql), {
              targets: isPrepared ? made.map((id) => ({ table: 'jobs', id })) : [],
              candidates,
            });
            const answer = await work(tx);
            keep();
            await flush();
            return answer;
          }),
      };
    });
  });

  test('[S2] what was discarded has no effect, and what was kept counts for the next', async () => {
    const job = makeJob({ userId: owner.id });
    await harness.db.transaction(async (sql) => {
      const { tx, keep, discard, flush } = await createOrmTx(sqlTx(sql), { targets: [], candidates: [job.id] });
      await tx.jobs.insert(job);
      keep();
      await tx.jobs.update(job.id, { title: 'Never' });
      discard();
      expect((await tx.jobs.get(job.id))?.title).toBe(job.title);
      await flush();
      await tx.jobs.update(job.id, { title: 'After the flush', images: ['a'] });
      await tx.jobs.update(job.id, { interestCount: 2 });
      keep();
      await flush();
    });
    const read = await harness.db.transaction(async (sql) =>
      (await createOrmTx(sqlTx(sql), { targets: [], candidates: [] })).tx.jobs.get(job.id.toUpperCase()),
    );
    expect(read).toEqual({ ...job, title: 'After the flush', images: ['a'], interestCount: 2 });
  });

  test.each([
    ['a category that is not there', { categoryId: 'wizard' }, 'categoryId'],
    ['a town that is not there', { locationId: 'southland/atlantis' }, 'locationId'],
    ['a town in place of a category', { categoryId: 'southland/winton' }, 'categoryId'],
  ])('rejects %s, by its field', async (_, changes, field) => {
    const work = (change: boolean) =>
      harness.db.transaction(async (sql) => {
        const { tx } = await createOrmTx(sqlTx(sql), { targets: [], candidates: [] });
        const job = makeJob({ userId: owner.id, ...(change ? {} : changes) });
        await tx.jobs.insert(job);
        await tx.jobs.update(job.id, changes);
      });
    for (const rejection of [
      await work(true).catch((error: unknown) => error),
      await work(false).catch((error: unknown) => error),
    ]) {
      expect(rejection).toBeInstanceOf(Rejection);
      expect(rejection).toMatchObject({
        code: 'invalid',
        fields: { [field]: expect.stringContaining('from the list') as string },
      });
    }
  });

  test('an old row whose town has since gone can still be changed elsewhere', async () => {
    const job = await harness.job(owner, { locationId: 'gone/long-ago' });
    await harness.db.transaction(async (sql) => {
      const { tx, keep, flush } = await createOrmTx(sqlTx(sql), { targets: [], candidates: [] });
      await tx.jobs.update(job.id, { title: 'Still here', locationId: null });
      keep();
      await flush();
      expect((await tx.jobs.get(job.id))?.locationId).toBeNull();
    });
  });

  test('an id that is taken is an answer, not an error', async () => {
    const job = await harness.job(owner);
    for (const candidates of [[], [job.id]]) {
      const taken = harness.db.transaction(async (sql) =>
        (await createOrmTx(sqlTx(sql), { targets: [], candidates })).tx.jobs.insert(job),
      );
      await expect(taken).rejects.toMatchObject({ code: 'already-exists' });
    }
  });
});
