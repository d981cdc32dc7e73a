import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hour, minute } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import type { User } from '../../shared/tables/index.ts';
import { makeInterest, makeJob, makeReference, makeTestId } from '../../shared/testing/make.ts';
import { openStoreHarness, stores, type StoreHarness } from '../testing/store-harness.ts';
import type { SyncTx } from './sync-store.ts';

const at = new Date('2026-11-21T00:00:00.000Z');
const later = (ms: number) => new Date(at.getTime() + ms);
const farAhead = () => new Date(Date.now() + hour);

/*
 * The promises of store/sync-store.ts that no order of two transactions is needed for; those are in
 * concurrent-store.pg.test.ts.
 */
describe.each(stores)('a store in %s', (kind) => {
  let harness: StoreHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openStoreHarness(kind);
    owner = await harness.homeowner();
  });
  afterEach(() => harness.close());

  const head = () => harness.store.single.readHead();
  const addJob = async (changes = {}) => {
    const job = makeJob({ userId: owner.id, ...changes });
    await harness.store.write((tx) => tx.insertRows('jobs', [job]));
    return job;
  };
  const code = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: { code?: string }) => error.code ?? 'no code',
    );

  describe('a commit', () => {
    it('draws one version for all it changed, and records each change for its audience alone', async () => {
      const [stranger, before] = [await harness.homeowner(), await head()];
      const jobs = [makeJob({ userId: owner.id }), makeJob({ userId: owner.id })];
      await harness.store.write((tx) => tx.insertRows('jobs', jobs));
      const now = await head();
      const { single } = harness.store;
      expect(BigInt(now)).toBeGreaterThan(BigInt(before));
      expect(new Set(await single.changesAfter(owner.id, before, 10))).toEqual(
        new Set(jobs.map(({ id }) => ({ table: 'jobs', id, version: now, isRemoved: false }))),
      );
      expect(await single.changesAfter(owner.id, before, 1)).toHaveLength(1);
      expect(await single.changesOf(owner.id, now)).toHaveLength(2);
      expect(await single.changesAfter(stranger.id, before, 10)).toEqual([]);
      expect(await single.changesAfter(owner.id, now, 10)).toEqual([]);
    });

    it('draws none where nothing of a synced row changed, and none where it fails', async () => {
      const [job, before] = [await addJob(), await head()];
      await harness.store.write((tx) => tx.updateRows('jobs', ['title'], [job]));
      const failed = harness.store.write(async (tx) => {
        await tx.insertRows('jobs', [makeJob({ userId: owner.id })]);
        throw new Error('after the write');
      });
      await expect(failed).rejects.toThrow('after the write');
      expect([await head(), await harness.store.single.changesAfter(owner.id, before, 10)]).toEqual([before, []]);
    });

    it('says whom it concerns, and tells those who listen', async () => {
      const tradie = await harness.tradie();
      const job = await addJob();
      const before = await head();
      let told = 0;
      const stop = await harness.store.listen(() => void (told += 1));
      const interest = makeInterest({
        jobId: job.id,
        tradieId: tradie.tradieId,
        userId: tradie.id,
        ownerId: owner.id,
      });
      await harness.store.write(async (tx) => {
        await tx.insertRows('interests', [interest]);
        await tx.updateRows('users', ['firstName'], [{ ...owner, firstName: 'Another' }]);
      });
      await expect.poll(() => told).toBe(1);
      await stop();
      const commits = await harness.store.single.commitsAfter(before);
      expect(new Set(commits.people)).toEqual(new Set([owner.id, tradie.id]));
      expect(commits).toMatchObject({ head: await head(), isMoved: false, accounts: [owner.id], collections: [] });
      // A new job in the feed, on the other hand.
      await addJob();
      expect((await harness.store.single.commitsAfter(commits.head)).collections).toEqual(['feed']);
    });

    it('removes a row for those who had it, and the removal is purged once the snapshot has it', async () => {
      const job = await addJob();
      await harness.remove('jobs', job.id);
      const removed = await head();
      expect(await harness.store.single.changesOf(owner.id, removed)).toEqual([
        { table: 'jobs', id: job.id, version: removed, isRemoved: true },
      ]);
      const lease = { id: makeTestId(), now: at, until: later(minute) };
      const purge = () => harness.store.write((tx) => tx.purgeRemovals(farAhead()));
      await harness.store.single.acquireLease('feed', lease);
      expect([await purge(), await harness.store.single.isBelowFloor('0')]).toEqual([0, false]);
      await harness.store.write((tx) => tx.switchManifest('feed', lease, { version: removed, shape: '', entries: [] }));
      expect(await harness.store.write((tx) => tx.purgeRemovals(new Date(0)))).toBe(0);
      expect([await purge(), await harness.store.single.isBelowFloor('0'), await head()]).toEqual([1, true, removed]);
      expect(await harness.store.single.isBelowFloor(removed)).toBe(false);
    });
  });

  describe('rows', () => {
    it('are read by those who may see them, as they may see them', async () => {
      const [job, tradie, stranger] = [await addJob(), await harness.tradie(), await harness.tradie()];
      const visible = (userId: string) => harness.store.single.visibleRows('jobs', [job.id], userId);
      expect([await visible(owner.id), await visible(tradie.id)]).toEqual([[job], []]);
      const interest = makeInterest({ jobId: job.id, tradieId: tradie.tradieId, userId: tradie.id, ownerId: owner.id });
      await harness.store.write((tx) => tx.insertRows('interests', [interest]));
      expect([await visible(tradie.id), await visible(stranger.id)]).toEqual([[{ ...job, userId: null }], []]);
      const [seen] = await harness.store.single.visibleRows('interests', [interest.id], tradie.id);
      expect(seen).toMatchObject({ id: interest.id, ownerId: null });
    });

    it('are locked by id or by a unique key, and found as the transaction has written them', async () => {
      const [job, tradie] = [await addJob(), await harness.tradie()];
      const interest = makeInterest({ jobId: job.id, tradieId: tradie.tradieId, userId: tradie.id, ownerId: owner.id });
      await harness.store.write(async (tx) => {
        await tx.insertRows('interests', [interest]);
        await tx.updateRows('jobs', ['title'], [{ ...job, title: 'Written here' }]);
        expect(await tx.lockRows('jobs', { id: [makeTestId(), job.id] })).toEqual([{ ...job, title: 'Written here' }]);
        expect(await tx.lockRows('interests', { jobId: [job.id], tradieId: [tradie.tradieId] })).toEqual([interest]);
        expect(await tx.lockRows('interests', { jobId: [job.id], tradieId: [makeTestId()] })).toEqual([]);
        expect(await tx.existingIds('jobs', [job.id, makeTestId()])).toEqual(new Set([job.id]));
        expect(await tx.lockPerson(owner.id)).toMatchObject({ person: owner, head: await tx.readHead() });
        expect(await tx.lockPerson(makeTestId())).toBeUndefined();
      });
      expect(await harness.store.single.findPeople([tradie.id, makeTestId()])).toMatchObject([{ id: tradie.id }]);
    });

    it('are turned down as PostgreSQL does: a taken id, a taken key, a text it cannot hold, a row that is not there', async () => {
      const [job, tradie] = [await addJob(), await harness.tradie()];
      const interest = () =>
        makeInterest({ jobId: job.id, tradieId: tradie.tradieId, userId: tradie.id, ownerId: owner.id });
      await harness.store.write((tx) => tx.insertRows('interests', [interest()]));
      const write = (work: (tx: SyncTx) => Promise<void>) => code(harness.store.write(work));
      expect(await write((tx) => tx.insertRows('jobs', [job]))).toBe('23505');
      expect(await write((tx) => tx.insertRows('interests', [interest()]))).toBe('23505');
      expect(await write((tx) => tx.insertRows('jobs', [makeJob({ userId: owner.id, title: '\0' })]))).toMatch(/^22/);
      expect(await write((tx) => tx.updateRows('jobs', ['title'], [{ ...job, id: makeTestId() }]))).toBe('no code');
      expect(await code(harness.store.snapshot((tx) => (tx as SyncTx).insertRows('jobs', [makeJob()])))).toBe('25006');
    });

    it('count against the jobs a person may post, by the time they were posted', async () => {
      const postedAt = new Date(Date.now() - hour).toISOString();
      await addJob({ createdAt: postedAt });
      await addJob({ createdAt: new Date(Date.now() - minute).toISOString() });
      await addJob({ createdAt: new Date(Date.now() - 25 * hour).toISOString() });
      await harness.store.write(async (tx) => {
        expect(await tx.countLatelyPosted(owner.id)).toBe(2);
        expect((await tx.nextPostAt(owner.id, 2)).getTime()).toBe(new Date(postedAt).getTime() + 24 * hour);
      });
    });

    it('of the reference list are known by their kind; storage is asked about files', async () => {
      await harness.store.write(async (tx) => {
        await tx.insertRows('reference', [makeReference({ id: 'fencing' })]);
        expect(await tx.readReferences()).toEqual(new Set(['category:fencing']));
        expect(await tx.findFiles(['job-photos/a.jpg'])).toEqual(new Map([['job-photos/a.jpg', null]]));
      });
    });

    it('of a person come with the position', async () => {
      const read = must(await harness.store.snapshot((tx) => tx.readPosition(owner.id)), 'a position');
      expect(read).toEqual({
        person: owner,
        position: {
          head: await head(),
          timeline: expect.any(String),
          tombstoneFloor: '0',
          isMoved: false,
          cookieKey: expect.any(String),
        },
      });
      expect(await harness.store.single.readPosition(makeTestId())).toBeUndefined();
      expect(await harness.store.noticeRestore({ warn: () => undefined })).toBe(false);
      const seen = { timeline: read.position.timeline, head: String(BigInt(read.position.head) + 9n) };
      expect(await harness.store.noticeRestore({ warn: () => undefined }, seen)).toBe(true);
      const now = must(await harness.store.single.readPosition(owner.id), 'a position').position;
      expect(now.timeline).not.toBe(seen.timeline);
      expect(BigInt(now.tombstoneFloor)).toBeGreaterThan(BigInt(read.position.head));
    });
  });

  describe('outcomes', () => {
    const decided = (uid: string, message = 'No.') => ({
      uid,
      name: 'job.post',
      argsHash: `hash of ${message}`,
      verdict: { status: 'refused' as const, code: 'invalid', message },
    });

    it('are kept once, found by their uid in any case, oldest first', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      await harness.store.write(async (tx) => {
        expect(await tx.writeOutcomes(owner.id, later(1), [decided(one)])).toBe(1);
        expect(await tx.writeOutcomes(owner.id, at, [decided(one, 'Again'), decided(other, 'A \0')])).toBe(1);
        expect(await tx.findUids(owner.id, [one.toUpperCase(), randomUUID()])).toEqual([
          { uid: one, argsHash: 'hash of No.' },
        ]);
      });
      const kept = await harness.store.single.readOutcomes(owner.id, [one, other.toUpperCase()]);
      expect(kept.map(({ uid, verdict }) => [uid, verdict.message])).toEqual([
        [other, 'A \ufffd'],
        [one, 'No.'],
      ]);
      const stranger = await harness.homeowner();
      expect(await harness.store.single.readOutcomes(stranger.id, [one])).toEqual([]);
    });

    it('that fail are counted, and at last become a dead letter, unless they were decided meanwhile', async () => {
      const uid = randomUUID();
      const count = (ms: number) => harness.store.single.countAttempt(owner.id, uid, later(ms), 'why');
      expect([await count(0), await count(5)]).toEqual([
        { attempts: 1, firstAt: at },
        { attempts: 2, firstAt: at },
      ]);
      const verdict = { status: 'parked' as const, code: 'parked', message: 'Kept.' };
      const failed = { uid, name: 'job.post', args: { title: '\0' }, argsHash: 'h', verdict, error: 'why' };
      await harness.store.write((tx) => tx.writeDeadLetter(owner.id, at, failed));
      expect(await harness.store.single.readOutcomes(owner.id, [uid])).toEqual([{ uid, argsHash: 'h', verdict }]);
      expect((await count(9)).attempts).toBe(1);
      const known = randomUUID();
      await harness.store.write(async (tx) => {
        await tx.writeOutcomes(owner.id, at, [decided(known)]);
        await tx.writeDeadLetter(owner.id, at, { ...failed, uid: known });
      });
      expect(await harness.store.single.readOutcomes(owner.id, [known])).toMatchObject([
        { verdict: { code: 'invalid' } },
      ]);
    });

    it('of a job are followed by one look at who seeks it, where it was posted in this transaction', async () => {
      const job = makeJob({ userId: owner.id, createdAt: at.toISOString() });
      await harness.store.write(async (tx) => {
        await tx.insertRows('jobs', [job]);
        await tx.recordMade('job.alerts', owner.id, later(1), [job.id]);
      });
      expect(await harness.effects('job.alerts')).toEqual([]);
      for (let n = 0; n < 2; n += 1)
        await harness.store.write((tx) => tx.recordMade('job.alerts', owner.id, at, [job.id]));
      expect(await harness.effects('job.alerts')).toEqual([{ jobId: job.id }]);
    });

    it('of an interest are followed by one mail, where it was expressed in this transaction', async () => {
      const [job, tradie] = [await addJob(), await harness.tradie()];
      const interest = makeInterest({
        jobId: job.id,
        tradieId: tradie.tradieId,
        userId: tradie.id,
        ownerId: owner.id,
        createdAt: at.toISOString(),
      });
      await harness.store.write(async (tx) => {
        await tx.insertRows('interests', [interest]);
        await tx.recordMade('interest.mail', owner.id, at, [interest.id]);
        await tx.recordMade('interest.mail', tradie.id, later(1), [interest.id]);
      });
      expect(await harness.effects('interest.mail')).toEqual([]);
      for (let n = 0; n < 2; n += 1)
        await harness.store.write((tx) => tx.recordMade('interest.mail', tradie.id, at, [interest.id]));
      expect(await harness.effects('interest.mail')).toEqual([{ interestId: interest.id }]);
    });
  });

  it('carries out what it is asked together in the order in which it was asked', async () => {
    const [one, other] = [makeJob({ userId: owner.id }), makeJob({ userId: owner.id })];
    const ids = [one.id, other.id];
    const calls = (tx: SyncTx) => [
      tx.existingIds('jobs', ids).then((found) => found.size),
      code(tx.insertRows('jobs', [one])),
      tx.existingIds('jobs', ids).then((found) => found.size),
      code(tx.insertRows('jobs', [one])),
      code(tx.insertRows('jobs', [other])),
    ];
    expect(await harness.store.write((tx) => Promise.all(calls(tx)))).toEqual([0, 'done', 1, '23505', '25P02']);
    expect(await harness.store.write((tx) => tx.existingIds('jobs', ids))).toEqual(new Set());
  });

  describe('a savepoint', () => {
    it('undoes what was written since, and the rest commits', async () => {
      const [kept, undone, last] = [
        makeJob({ userId: owner.id }),
        makeJob({ userId: owner.id }),
        makeJob({ userId: owner.id }),
      ];
      await harness.store.write(async (tx) => {
        await tx.insertRows('jobs', [kept]);
        const savepoint = await tx.savepoint();
        await tx.insertRows('jobs', [undone]);
        expect(await code(tx.insertRows('jobs', [kept]))).toBe('23505');
        expect(await code(tx.readReferences())).toBe('25P02');
        await savepoint.rollback();
        await savepoint.release();
        await (await tx.savepoint()).release();
        await tx.insertRows('jobs', [last]);
      });
      const ids = [kept, undone, last].map(({ id }) => id);
      expect(await harness.store.write((tx) => tx.existingIds('jobs', ids))).toEqual(new Set([kept.id, last.id]));
    });

    it('that was never gone back to leaves nothing of a transaction with an error in it', async () => {
      const job = await addJob();
      const lost = makeJob({ userId: owner.id });
      await harness.store.write(async (tx) => {
        await tx.insertRows('jobs', [lost]);
        await tx.insertRows('jobs', [job]).catch(() => undefined);
      });
      expect(await harness.store.write((tx) => tx.existingIds('jobs', [lost.id]))).toEqual(new Set());
    });
  });
});
