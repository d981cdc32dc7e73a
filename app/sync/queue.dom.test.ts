import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { mustBeInFlight, openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
beforeEach(async () => {
  clock = manualClock();
  harness = await openDeviceHarness({ clock });
  phone = await harness.as(harness.addHomeowner());
});
afterEach(() => harness.close());

const post = (title?: string) => postGate(phone, title);
const waiting = () => phone.db.outbox.count();
/** Lets the back-off run out. */
const later = async (ms = 60_000) => {
  clock.advance(ms);
  await phone.settle();
};

describe('C7: cancelling', () => {
  test('what was never sent can be cancelled, with what depends on it; without a network nothing counts as sent', async () => {
    phone.goOffline();
    await phone.sync.mutate('job.post', {
      id: makeTestId(),
      title: 'Kept',
      description: 'D',
      locationId: 'l',
      urgency: 'soon',
      categoryId: 'c',
    });
    const id = makeTestId();
    const { uid } = await phone.sync.mutate('job.post', {
      id,
      title: 'T',
      description: 'D',
      locationId: 'l',
      urgency: 'soon',
      categoryId: 'c',
    });
    await phone.sync.mutate('job.edit', { id, set: { title: 'Better' }, base: { title: 'T' } });
    await later();
    const decided = phone.sync.waitFor(uid, Infinity);
    expect(await phone.sync.cancel(uid)).toMatchObject({ kind: 'cancelled', uids: [uid, expect.any(String)] });
    expect(await decided).toEqual({ kind: 'cancelled' });
    expect((await phone.db.jobs.toArray()).map(({ title }) => title)).toEqual(['Kept']);
    phone.goOnline();
    await phone.settle();
    expect(harness.server.rows.jobs.size).toBe(1);
  });

  test('once an attempt may have reached the server, its outcome decides', async () => {
    phone.hold();
    const { uid } = await post();
    await phone.settle();
    expect(await phone.sync.cancel(uid)).toEqual({ kind: 'already-sent' });
    mustBeInFlight(phone).dropRequest();
    await phone.settle();
    expect(await phone.sync.cancel(uid)).toEqual({ kind: 'already-sent' });
    phone.goOnline();
    await phone.settle();
    expect(await phone.sync.cancel(uid)).toEqual({ kind: 'gone' });
  });
});

describe('rejected', () => {
  async function rejectedEdit() {
    const { uid: posted } = await post();
    await phone.settle();
    const job = await phone.db.jobs.toCollection().first();
    phone.goOffline();
    const { uid } = await phone.sync.mutate('job.edit', {
      id: job?.id ?? '',
      set: { title: 'Mine' },
      base: { title: job?.title },
    });
    harness.server.write((rows) => rows.jobs.set(job?.id ?? '', { ...rows.jobs.get(job?.id ?? '')!, title: 'Theirs' }));
    phone.goOnline();
    await phone.settle();
    return { posted, uid };
  }

  test('is undone, and kept with its text and the reason; the same edit again is a mutation of its own', async () => {
    const { posted, uid } = await rejectedEdit();
    expect(await phone.sync.waitFor(posted, Infinity)).toEqual({ kind: 'applied' });
    expect(await phone.sync.waitFor(uid, Infinity)).toMatchObject({
      kind: 'rejected',
      rejected: { code: 'stale', fields: { title: '"Theirs"' }, args: { set: { title: 'Mine' } } },
    });
    expect((await phone.db.jobs.toCollection().first())?.title).toBe('Theirs');
    await phone.sync.discard(uid);
    expect(await phone.sync.findRejected(uid)).toBeUndefined();
  });

  test('is sent again under a new uid, and leaves the list in the same step', async () => {
    const { uid } = await rejectedEdit();
    harness.server.write((rows) =>
      rows.jobs.forEach((job, id) => rows.jobs.set(id, { ...job, title: 'Fix the gate' })),
    );
    await harness.sync();
    const again = await phone.sync.retryRejected(uid);
    expect(must(again, 'the mutation that is sent again').uid).not.toBe(uid);
    await phone.settle();
    expect([await phone.db.refused.count(), (await phone.db.jobs.toCollection().first())?.title]).toEqual([0, 'Mine']);
  });
});

test('waitFor gives up waiting when told to, not the write', async () => {
  phone.goOffline();
  const { uid } = await post();
  await phone.settle();
  const decided = phone.sync.waitFor(uid, 2_000);
  clock.advance(2_000);
  expect(await decided).toEqual({ kind: 'still-waiting' });
  expect(await waiting()).toBe(1);
});
