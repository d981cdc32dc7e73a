import { beforeEach, describe, expect, test } from 'vitest';
import type { Tx } from '../mutations/tx.ts';
import type { Interest, Job } from '../tables/index.ts';

export interface TxUnderTest {
  /** Runs `work` in one transaction of its own and keeps its writes. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Rows in the store's own reference lists and people, so that a database with foreign keys accepts them. */
  makeJob(changes?: Partial<Job>): Job;
  makeInterest(changes?: Partial<Interest>): Interest;
}

/** One suite for every Tx (memory, Dexie, ORM): what a mutation's body may rely on. */
export function describeTx(name: string, open: () => Promise<TxUnderTest>): void {
  describe(`${name} keeps the Tx contract`, () => {
    let store: TxUnderTest;
    beforeEach(async () => {
      store = await open();
    });

    test('an absent row is undefined, not an error', async () => {
      const { id } = store.makeJob();
      expect(await store.transact((tx) => tx.jobs.get(id))).toBeUndefined();
    });

    test('reads its own writes inside the transaction', async () => {
      const job = store.makeJob();
      const seen = await store.transact(async (tx) => {
        await tx.jobs.insert(job);
        await tx.jobs.update(job.id, { title: 'New title', images: ['https://example.nz/1.jpg'] });
        return tx.jobs.get(job.id);
      });
      expect(seen).toEqual({ ...job, title: 'New title', images: ['https://example.nz/1.jpg'] });
    });

    test('keeps what was written, to the last column', async () => {
      const job = store.makeJob({ budgetMax: 1_234.5, description: 'Ōtāne — “quotes”, \n lines & emoji 🪚' });
      await store.transact((tx) => tx.jobs.insert(job));
      expect(await store.transact((tx) => tx.jobs.get(job.id))).toEqual(job);
    });

    test('an update leaves the other columns alone and may set null', async () => {
      const job = store.makeJob({ budgetMax: 900 });
      await store.transact((tx) => tx.jobs.insert(job));
      await store.transact((tx) => tx.jobs.update(job.id, { budgetMax: null }));
      expect(await store.transact((tx) => tx.jobs.get(job.id))).toEqual({ ...job, budgetMax: null });
    });

    test('an update of nothing is one, and changes nothing', async () => {
      const job = store.makeJob();
      await store.transact((tx) => tx.jobs.insert(job));
      await store.transact((tx) => tx.jobs.update(job.id, {}));
      expect(await store.transact((tx) => tx.jobs.get(job.id))).toEqual(job);
    });

    test('finds a row by a declared unique key, written in this transaction or before', async () => {
      const job = store.makeJob();
      await store.transact((tx) => tx.jobs.insert(job));
      const interest = store.makeInterest({ jobId: job.id });
      const key = { jobId: interest.jobId, tradieId: interest.tradieId };
      expect(await store.transact((tx) => tx.interests.find(key))).toBeUndefined();
      const within = await store.transact(async (tx) => {
        await tx.interests.insert(interest);
        return tx.interests.find(key);
      });
      expect(within).toEqual(interest);
      expect(await store.transact((tx) => tx.interests.find(key))).toEqual(interest);
    });

    test('a key that the table does not declare is a bug', async () => {
      await expect(store.transact((tx) => tx.interests.find({ note: 'x' }))).rejects.toThrow();
    });

    test('changing a row that was handed out changes nothing', async () => {
      const job = store.makeJob();
      await store.transact(async (tx) => {
        await tx.jobs.insert(job);
        const mine = await tx.jobs.get(job.id);
        mine!.images.push('https://example.nz/never.jpg');
      });
      expect(await store.transact((tx) => tx.jobs.get(job.id))).toEqual(job);
    });

    test('an update of a row that is not there is a bug', async () => {
      const { id } = store.makeJob();
      await expect(store.transact((tx) => tx.jobs.update(id, { title: 'x' }))).rejects.toThrow();
    });
  });
}
