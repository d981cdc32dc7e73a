import { afterEach, beforeEach, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTestId, makeTradie } from '../../shared/testing/make.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import type { Restored } from './journal.ts';

/* What people saw on their phone after a restore, and should not have seen. */

let harness: DeviceHarness;
beforeEach(async () => {
  harness = await openDeviceHarness();
});
afterEach(() => harness.close());

const post = async (phone: Phone, title = 'Fix the gate') => {
  const id = makeTestId();
  const args = { id, title, description: 'It sags.', locationId: 'l', urgency: 'soon' as const, categoryId: 'c' };
  return { id, ...(await phone.sync.mutate('job.post', args)) };
};

it('[C16][I10] an interest that this phone is sending again is not counted as gone, where its person became a tradie after the backup', async () => {
  const user = harness.addHomeowner();
  const [owner, phone] = [await harness.as(harness.addHomeowner()), await harness.as(user)];
  const job = await post(owner);
  await harness.sync();
  const restore = harness.server.backUp();
  const tradie = makeTradie({ userId: user.id });
  harness.server.write(({ tradies, users }) => {
    tradies.set(tradie.id, tradie);
    users.set(user.id, {
      ...must(users.get(user.id), 'their row'),
      tradieId: tradie.id,
      subscriptionStatus: 'active',
    });
  });
  await harness.sync();
  const interest = makeTestId();
  await phone.sync.mutate('interest.express', { id: interest, jobId: job.id });
  await harness.sync();
  expect(harness.server.rows.interests.has(interest)).toBe(true);
  restore();
  await harness.sync(phone);
  expect(await phone.db.outbox.count()).toBe(1);
  // Their business was made by a call, which no phone brings back, other phones least of all: they are told of it in
  // words of its own.
  expect(await restoredOn(phone)).toBeUndefined();
  expect((await phone.db.meta.get('lostBusiness'))?.value).toMatchObject({
    id: tradie.id,
    businessName: tradie.businessName,
  });
});

it('[C16][I10] a title that is being restored stays on the screen while the edit before it is on another phone', async () => {
  const user = harness.addHomeowner();
  const [phone, other] = [await harness.as(user), await harness.as(user)];
  const job = await post(phone, 'First');
  await harness.sync();
  const restore = harness.server.backUp();
  await other.sync.mutate('job.edit', { id: job.id, set: { title: 'Second' }, base: { title: 'First' } });
  await harness.sync();
  await phone.sync.mutate('job.edit', { id: job.id, set: { title: 'Third' }, base: { title: 'Second' } });
  await harness.sync();
  other.goOffline();
  restore();
  await harness.sync(phone);
  expect(await phone.db.outbox.toArray()).toMatchObject([{ restoring: 'stale' }]);
  expect(await phone.db.jobs.get(job.id)).toMatchObject({ title: 'Third' });
});

const restoredOn = async ({ db }: Phone) => {
  const restored = (await db.meta.get('restored'))?.value as Restored | undefined;
  return restored && { gone: restored.left?.length, wentBack: restored.wentBack };
};
const close = (phone: Phone, id: string) => phone.sync.mutate('job.close', { id });

it('[C16] a job that a phone which is gone had closed is open again, and its owner’s other phone says so once', async () => {
  const user = harness.addHomeowner();
  const [phone, gone] = [await harness.as(user), await harness.as(user)];
  const [job] = [await post(phone), await post(phone, 'Paint the gate')];
  await harness.sync();
  const restore = harness.server.backUp();
  await close(gone, job.id);
  await harness.sync();
  expect(await phone.db.jobs.get(job.id)).toMatchObject({ status: 'closed' });
  gone.goOffline();
  restore();
  await harness.sync(phone);
  expect(await phone.db.jobs.get(job.id)).toMatchObject({ status: 'active' });
  expect(await restoredOn(phone)).toEqual({ gone: 0, wentBack: 1 });
});

it('[C16] a job that its owner closes again, on the phone that had closed it, is not said to have gone back', async () => {
  const user = harness.addHomeowner();
  const [phone, other] = [await harness.as(user), await harness.as(user)];
  const job = await post(phone);
  await harness.sync();
  const restore = harness.server.backUp();
  await close(other, job.id);
  await harness.sync();
  phone.goOffline();
  restore();
  await harness.sync(other);
  expect(await restoredOn(other)).toBeUndefined();
  phone.goOnline();
  await harness.sync(phone);
  expect(await phone.db.jobs.get(job.id)).toMatchObject({ status: 'closed' });
  expect(await restoredOn(phone)).toBeUndefined();
});

it('[C16] what changed since the restore, and what this phone had not heard of before it, is not said to have gone back', async () => {
  const user = harness.addHomeowner();
  const [phone, other] = [await harness.as(user), await harness.as(user)];
  const [known, lost] = [await post(phone, 'Known'), await post(phone, 'Lost')];
  await harness.sync();
  phone.goOffline();
  const edit = (title: string, id: string, before: string) =>
    other.sync.mutate('job.edit', { id, set: { title }, base: { title: before } });
  await edit('Known to the backup alone', known.id, 'Known');
  await harness.sync(other);
  const restore = harness.server.backUp();
  restore();
  await edit('Of the new timeline', lost.id, 'Lost');
  await harness.sync(other);
  phone.goOnline();
  await harness.sync(phone);
  expect((await phone.db.jobs.toArray()).map(({ title }) => title).toSorted()).toEqual([
    'Known to the backup alone',
    'Of the new timeline',
  ]);
  expect(await restoredOn(phone)).toBeUndefined();
});

it('[C16] an interest that left is counted once: the number beside its job is not counted as well', async () => {
  const [owner, tradie] = [await harness.as(harness.addHomeowner()), await harness.as(harness.addTradie())];
  const job = await post(owner);
  await harness.sync();
  const restore = harness.server.backUp();
  await tradie.sync.mutate('interest.express', { id: makeTestId(), jobId: job.id });
  await harness.sync();
  tradie.goOffline();
  restore();
  await harness.sync(owner);
  expect(await owner.db.jobs.get(job.id)).toMatchObject({ interestCount: 0 });
  expect(await owner.db.interests.count()).toBe(0);
  expect(await restoredOn(owner)).toMatchObject({ wentBack: 0 });
});

it('[C16] what a first restore has taken is still said after a second one, and after a fail-over that lost nothing', async () => {
  const [owner, tradie] = [await harness.as(harness.addHomeowner()), await harness.as(harness.addTradie())];
  const [job, other] = [await post(owner), await post(owner, 'Paint the gate')];
  await harness.sync();
  const restore = harness.server.backUp();
  const answer = async (jobId: string) => {
    await tradie.sync.mutate('interest.express', { id: makeTestId(), jobId });
    await harness.sync();
    expect(await owner.db.interests.count()).toBe(1);
    tradie.goOffline();
    restore();
    await harness.sync(owner);
    expect(await owner.db.interests.count()).toBe(0);
    await tradie.db.outbox.clear();
    await tradie.db.journal.clear();
    tradie.goOnline();
    await harness.sync(tradie);
  };
  await answer(job.id);
  const once = await restoredOn(owner);
  expect(once).toMatchObject({ gone: 1 });
  harness.server.changeTimeline();
  await harness.sync(owner);
  expect(await restoredOn(owner)).toEqual(once);
  await answer(other.id);
  expect(await restoredOn(owner)).toMatchObject({ gone: 2 });
});

it('[C16] a phone that was updated from an app of before journals, and sent nothing since, says what a restore has taken', async () => {
  const [owner, tradie] = [await harness.as(harness.addHomeowner()), await harness.as(harness.addTradie())];
  const job = await post(owner);
  await harness.sync();
  const restore = harness.server.backUp();
  await tradie.sync.mutate('interest.express', { id: makeTestId(), jobId: job.id });
  await harness.sync();
  // The earlier app left it so, at its last exchange before the update.
  await owner.db.meta.delete('timeline');
  await owner.db.journal.clear();
  await harness.sync(owner);
  tradie.goOffline();
  restore();
  await harness.sync(owner);
  expect(await owner.db.interests.count()).toBe(0);
  expect(await restoredOn(owner)).toMatchObject({ gone: 1 });
});

it('[C16] an interest that its homeowner had already seen, and that its phone does not bring back, is said to be gone', async () => {
  const user = harness.addHomeowner();
  const [phone, tradie] = [await harness.as(user), await harness.as(harness.addTradie())];
  const job = await post(phone);
  await harness.sync();
  const restore = harness.server.backUp();
  const interest = makeTestId();
  await tradie.sync.mutate('interest.express', { id: interest, jobId: job.id });
  await harness.sync();
  await phone.sync.mutate('interest.see', { id: interest });
  await harness.sync();
  tradie.goOffline();
  restore();
  await harness.sync(phone);
  expect(await phone.db.outbox.toArray()).toMatchObject([{ name: 'interest.see', restoring: 'not-found' }]);
  expect(await restoredOn(phone)).toEqual({ gone: 1, wentBack: 0 });
});
