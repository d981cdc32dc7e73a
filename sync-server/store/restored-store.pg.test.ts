import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { User } from '../../shared/tables/index.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { openStoreHarness, stores, type StoreHarness } from '../testing/store-harness.ts';

const at = new Date('2026-11-21T00:00:00.000Z');
const later = (ms: number) => new Date(at.getTime() + ms);

/* What store/sync-store.ts promises of a restore. */
describe.each(stores)('a store in %s, restored', (kind) => {
  let harness: StoreHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openStoreHarness(kind);
    owner = await harness.homeowner();
  });
  afterEach(() => harness.close());

  it('[S13] is named with the timeline before it and the newest version that is there of that one', async () => {
    expect(await harness.store.single.readTimelines()).toEqual([]);
    await harness.store.write((tx) => tx.insertRows('jobs', [makeJob({ userId: owner.id })]));
    const { position } = must(await harness.store.single.readPosition(owner.id), 'a position');
    const seen = { timeline: position.timeline, head: String(BigInt(position.head) + 9n) };
    await harness.store.noticeRestore({ warn: () => undefined }, seen);
    const { timeline } = must(await harness.store.single.readPosition(owner.id), 'a position').position;
    expect(await harness.store.snapshot((tx) => tx.readTimelines())).toEqual([
      {
        timeline,
        previous: position.timeline,
        point: position.head,
        first: expect.stringMatching(/^\d+$/) as string,
        beganAt: expect.any(Date) as Date,
      },
    ]);
  });

  it('[S13] what is sent again is noted once a uid: since when, and what became of it last', async () => {
    const uid = randomUUID();
    const line = { uid, name: 'job.post', from: { timeline: 't', version: '7' }, device: undefined };
    const note = (when: Date, became: 'restoring' | 'applied') =>
      harness.store.write((tx) => tx.noteSentAgain(owner.id, when, [{ ...line, became }]));
    await note(at, 'restoring');
    await note(later(1), 'applied');
    await harness.store.write((tx) => tx.noteSentAgain(owner.id, at, []));
    expect(await harness.sentAgain(owner.id)).toEqual([
      { uid, timeline: 't', version: '7', became: 'applied', first_at: at, last_at: later(1) },
    ]);
    expect(await harness.sentAgain((await harness.homeowner()).id)).toEqual([]);
  });
});
