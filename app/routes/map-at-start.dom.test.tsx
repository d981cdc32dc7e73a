import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
  // The outline is not to be had: the map is drawn without.
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await screens.close();
});

const map = () => screen.queryByRole('region', { name: 'Map of jobs' });

test('opened with the map before any job is there, it pushes nothing down: both come at once', async () => {
  await import('../features/jobs/job-map.tsx');
  const { phone, goTo } = await screens.show('/dashboard', screens.harness.addTradie());
  const { db } = must(phone, 'a phone');
  const state = must(await db.shelfStates.get('feed'), 'the feed');
  const manifest = must(state.manifest, 'a manifest');
  const coming = { hash: 'f'.repeat(64), rows: 1, bytes: 1, from: '', to: '', region: 'Northland' };
  await db.shelfStates.put({ ...state, manifest: { ...manifest, segments: [...manifest.segments, coming] } });
  await goTo('/find-jobs?map=true');
  await waitFor(() => expect(screen.queryAllByText('Fetching jobs')).not.toEqual([]));
  // The map's code is here already: what waits for it has it after a few turns.
  for (let turn = 0; turn < 10; turn += 1) await act(() => Promise.resolve());
  expect(map()).toBeNull();
  await db.shelfStates.put(state);
  await waitFor(() => expect(map()).toBeVisible());
  expect(screen.queryAllByText('Fetching jobs')).toEqual([]);
});
