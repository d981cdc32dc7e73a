import { afterEach, beforeEach, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTestId, makeTradie } from '../../shared/testing/make.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';

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
  // Their business was made by a call, which no phone brings back.
  expect((await phone.db.meta.get('restored'))?.value).toEqual({ gone: 1 });
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
