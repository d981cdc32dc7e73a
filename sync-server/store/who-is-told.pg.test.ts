import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { User } from '../../shared/tables/index.ts';
import { makeInterest, makeJob } from '../../shared/testing/make.ts';
import { openStoreHarness, stores, type StoreHarness } from '../testing/store-harness.ts';

describe.each(stores)('who is told of a row in %s', (kind) => {
  let harness: StoreHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openStoreHarness(kind);
    owner = await harness.homeowner();
  });
  afterEach(() => harness.close());

  it('tells a tradie’s profile to the owner whose job is answered, and to none whose jobs were answered before', async () => {
    const [tradie, first, job] = [await harness.tradie(), await harness.homeowner(), makeJob({ userId: owner.id })];
    const theirs = makeJob({ userId: first.id });
    const between = { tradieId: tradie.tradieId, userId: tradie.id };
    const [interest, earlier] = [
      makeInterest({ ...between, jobId: job.id, ownerId: owner.id }),
      makeInterest({ ...between, jobId: theirs.id, ownerId: first.id }),
    ];
    await harness.store.write(async (tx) => {
      await tx.insertRows('jobs', [job, theirs]);
      await tx.insertRows('interests', [earlier]);
    });
    const [before, { single }] = [await harness.store.single.readHead(), harness.store];
    const changesOf = async (userId: string, after = before) =>
      (await single.changesAfter(userId, after, 100)).map(({ table, isRemoved }) => [table, isRemoved]);
    await harness.store.write((tx) => tx.insertRows('interests', [interest]));
    expect(new Set((await single.commitsAfter(before)).people)).toEqual(new Set([owner.id, tradie.id]));
    expect(await changesOf(first.id)).toEqual([]);
    expect(await single.changesOf(first.id, await harness.store.single.readHead())).toEqual([]);
    expect(new Set((await changesOf(owner.id)).map(([table]) => table))).toEqual(new Set(['interests', 'tradies']));
    expect(await single.changesOf(owner.id, await harness.store.single.readHead())).toHaveLength(2);
    const toldUntil = async (userId: string, version: string) =>
      (await single.toldUntil(userId, version)).map(({ table, id }) => [table, id]);
    expect(await toldUntil(owner.id, before)).toEqual([]);
    expect(await toldUntil(owner.id, await single.readHead())).toEqual([['tradies', tradie.tradieId]]);
    // Both what was told of a row and the row's own change: once.
    const [profile] = await single.visibleRows('tradies', [tradie.tradieId], tradie.id);
    await harness.store.write((tx) =>
      tx.updateRows('tradies', ['description'], [{ ...must(profile, 'a profile'), description: 'New words' }]),
    );
    expect((await changesOf(owner.id)).filter(([table]) => table === 'tradies')).toHaveLength(1);
    expect(await changesOf(first.id)).toEqual([['tradies', false]]);
    const then = await harness.store.single.readHead();
    await harness.remove('interests', interest.id);
    expect(new Set((await changesOf(owner.id, then)).map(([table]) => table))).toEqual(
      new Set(['interests', 'tradies']),
    );
    expect(await single.visibleRows('tradies', [tradie.tradieId], owner.id)).toEqual([]);
    expect(await changesOf(first.id, then)).toEqual([]);
  });
});
