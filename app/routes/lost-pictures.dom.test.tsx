import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import type { RejectedEntry } from '../db/person-db.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const lost = (name: RejectedEntry['name'], args: unknown): RejectedEntry => ({
  uid: makeTestId(),
  seq: 1,
  name,
  args,
  at: '2026-05-01T00:00:00.000Z',
  status: 'refused',
  code: 'file-missing',
  message: 'This picture was lost. Choose it again.',
  fields: null,
  refusedAt: '2026-05-05T00:00:00.000Z',
});

test('a logo that was lost offers to choose it again, and not to send it once more without its picture', async () => {
  const tradie = screens.harness.addTradie();
  const { user, phone, address } = await screens.show('/waiting', tradie);
  const set = { logo: 'tradie-logos/0c7e5a52-6a37-4f0e-9d5e-5f6f0f7d7c11/1-red.png' };
  await must(phone, 'the phone').db.refused.put(lost('profile.edit', { id: tradie.tradieId, set, base: { logo: '' } }));
  const item = within(await screen.findByRole('article'));
  expect(item.getByText('This picture was lost. Choose it again.')).toBeVisible();
  expect(item.queryByRole('button', { name: 'Retry' })).toBeNull();
  await user.click(item.getByRole('button', { name: 'Choose logo' }));
  expect(address()).toBe('/edit-tradie');
});

test('a photo that was lost leads to its job, and is not sent once more without its picture', async () => {
  const owner = screens.harness.addHomeowner();
  const job = makeJob({ userId: owner.id });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { phone } = await screens.show('/waiting', owner);
  const { db } = must(phone, 'the phone');
  await db.refused.put(lost('photo.attach', { id: makeTestId(), jobId: job.id, url: `job-photos/${job.id}/red.jpg` }));
  const item = within(await screen.findByRole('article'));
  expect(await item.findByRole('button', { name: 'Open job' })).toBeEnabled();
  expect(item.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('a photo that is not on this phone is no broken picture on the dashboard, and comes with the signal', async () => {
  const owner = screens.harness.addHomeowner();
  const job = makeJob({ userId: owner.id, images: ['/photo-1.jpg'] });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  await screens.show('/dashboard', owner);
  const card = (await screen.findByRole('link', { name: job.title })).closest('article');
  const photo = must(card?.querySelector('img'), 'its photo');
  fireEvent.error(photo);
  expect(photo.dataset).toHaveProperty('missing');
  fireEvent.load(photo);
  expect(photo.dataset).not.toHaveProperty('missing');
});
