import { afterEach, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openHouse, type House } from './open-house.ts';

let house: House;
afterEach(() => house.close());

export const post = (id: string, title = 'Fix the gate') => ({
  id, title, description: 'It drags.', locationId: 'southland/winton', urgency: 'soon' as const, categoryId: 'fencing',
});

test('a job posted without signal reaches another phone once there is some, and interest comes back with contact details', async () => {
  house = await openHouse();
  const [aroha, wiremu] = [house.addHomeowner(), house.addTradie()];
  const [hers, his] = [await house.as(aroha), await house.as(wiremu)];
  house.goOffline(hers);
  const id = makeTestId();
  const { uid } = await hers.sync.mutate('job.post', post(id));
  await hers.settle();
  expect(await hers.db.jobs.get(id)).toMatchObject({ title: 'Fix the gate' });
  expect(house.server.rows.jobs.size).toBe(0);
  house.goOnline(hers);
  expect(await hers.sync.waitFor(uid, Infinity)).toEqual({ kind: 'applied' });
  await house.sync();

  house.goOffline(his);
  await his.sync.mutate('interest.express', { id: makeTestId(), jobId: id, note: 'Thursday?' });
  await his.reopen();
  expect(await his.db.jobs.get(id)).toMatchObject({ interestCount: 1, userId: null });
  house.goOnline(his);
  await house.sync();
  await house.sync();
  expect(await hers.db.interests.toArray()).toEqual([expect.objectContaining({ jobId: id, note: 'Thursday?', ownerId: aroha.id })]);
  expect(await hers.db.tradies.toArray()).toEqual([expect.objectContaining({ userId: wiremu.id, contactPhone: '+64211234567' })]);
  expect(JSON.stringify(await Promise.all(his.db.tables.map((table) => table.toArray())))).not.toContain(aroha.email);
});
