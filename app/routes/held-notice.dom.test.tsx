import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hour } from '../../shared/lib/durations.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

const code = vi.hoisted(() => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
});
vi.mock(import('./dashboard-route.tsx'), async (load) => {
  await code.promise;
  return load();
});

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

test('while the code of the next page is on its way there is one Undo, and not that of the toast too', async () => {
  const owner = screens.harness.addHomeowner();
  const job = makeJob({ title: 'Roof leak', userId: owner.id });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user, address } = await screens.show(`/job/${job.id}`, owner, { holdMs: hour });
  await user.click(await screen.findByRole('button', { name: 'Close Job' }));
  await screen.findByText(/^Closing in/);
  await user.click(await screen.findByRole('link', { name: 'My jobs' }));
  expect(address()).toBe('/dashboard');
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1);
  code.resolve();
  expect(await screen.findByText('Closing “Roof leak”')).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1);
});
