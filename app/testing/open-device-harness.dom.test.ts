import { afterEach, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openDeviceHarness, type DeviceHarness } from './open-device-harness.ts';

let harness: DeviceHarness;
afterEach(() => harness.close());

export const post = (id: string, title = 'Fix the gate') => ({
  id,
  title,
  description: 'It drags.',
  locationId: 'southland/winton',
  urgency: 'soon' as const,
  categoryId: 'fencing',
});

test('a job posted without signal reaches another phone once there is some, and interest comes back with contact details', async () => {
  harness = await openDeviceHarness();
  const [aroha, wiremu] = [harness.addHomeowner(), harness.addTradie()];
  const [hers, his] = [await harness.as(aroha), await harness.as(wiremu)];
  harness.goOffline(hers);
  const id = makeTestId();
  const { uid } = await hers.sync.mutate('job.post', post(id));
  await hers.settle();
  expect(await hers.db.jobs.get(id)).toMatchObject({ title: 'Fix the gate' });
  expect(harness.server.rows.jobs.size).toBe(0);
  harness.goOnline(hers);
  expect(await hers.sync.waitFor(uid, Infinity)).toEqual({ kind: 'applied' });
  await harness.sync();

  harness.goOffline(his);
  await his.sync.mutate('interest.express', { id: makeTestId(), jobId: id, note: 'Thursday?' });
  await his.reopen();
  expect(await his.db.jobs.get(id)).toMatchObject({ interestCount: 1, userId: null });
  harness.goOnline(his);
  await harness.sync();
  await harness.sync();
  expect(await hers.db.interests.toArray()).toEqual([
    expect.objectContaining({ jobId: id, note: 'Thursday?', ownerId: aroha.id }),
  ]);
  expect(await hers.db.tradies.toArray()).toEqual([
    expect.objectContaining({ userId: wiremu.id, contactPhone: '+64211234567' }),
  ]);
  expect(JSON.stringify(await Promise.all(his.db.tables.map((table) => table.toArray())))).not.toContain(aroha.email);
});
