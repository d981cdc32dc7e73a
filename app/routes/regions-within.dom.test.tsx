import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeReference } from '../../shared/testing/make.ts';
import { createCell } from '../lib/cell.ts';
import { holdOnly } from '../testing/hold-only.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* Distances where only some regions are on this phone: what is near may be beyond the border. */

const town = (region: string, latitude: number) =>
  makeReference({
    id: `${region.toLowerCase()}/town`,
    kind: 'location',
    name: `${region} town`,
    region,
    latitude,
    longitude: 170,
  });
const ask = vi.fn();
const feedRest = { isHeldBack: createCell(false), fetch: () => undefined, ask };
let screens: Screens;
beforeEach(async () => {
  ask.mockClear();
  screens = await openScreens();
  // A degree is some 111 km.
  screens.harness.server.collections.setReference([
    makeReference({ id: 'builder', name: 'Builder' }),
    town('Southland', -46),
    town('Otago', -45.4),
    town('Canterbury', -45),
    town('Marlborough', -44.8),
    town('Nelson', -44.5),
    town('Northland', -35),
  ]);
});
afterEach(() => screens.close());

const show = (query: string) =>
  screens.show(`/find-jobs?${query}`, screens.harness.addTradie({}, { locationId: 'southland/town' }), { feedRest });

test('a distance asks for the regions within it, and is not whole until all of them are here', async () => {
  const shown = await show('within=120');
  await screen.findByText('No jobs found matching your criteria');
  await holdOnly(shown, ['Southland', '']);
  expect(await screen.findByText('Fetching jobs in Otago and Canterbury')).toBeVisible();
  expect(screen.getByText('No jobs found so far')).toBeVisible();
  expect(ask).toHaveBeenCalledExactlyOnceWith(['Southland', 'Otago', 'Canterbury'], ['Southland']);
  await holdOnly(shown, ['Southland', 'Otago', '']);
  expect(await screen.findByText('Fetching jobs in Canterbury')).toBeVisible();
  await holdOnly(shown, ['Southland', 'Otago', 'Canterbury', '']);
  expect(await screen.findByText('No jobs found matching your criteria')).toBeVisible();
  expect(screen.getByText('0 jobs')).toBeVisible();
  expect(ask).toHaveBeenCalledOnce();
});

test('from another town it counts from there, and within its own region it asks for nothing', async () => {
  const shown = await show('town=otago/town&within=50');
  await screen.findByText('No jobs found matching your criteria');
  await holdOnly(shown, ['Southland', 'Otago', '']);
  await waitFor(() => expect(ask).toHaveBeenCalledExactlyOnceWith(['Otago', 'Canterbury'], ['Otago']));
});

test('of a distance that reaches many regions the nearest come, and the others are named and come on a tap', async () => {
  const shown = await show('within=200');
  await screen.findByText('No jobs found matching your criteria');
  await holdOnly(shown, ['Southland', '']);
  const nearest = ['Southland', 'Otago', 'Canterbury', 'Marlborough'];
  await waitFor(() => expect(ask).toHaveBeenCalledExactlyOnceWith(nearest, ['Southland']));
  expect(await screen.findByText('Fetching jobs in Otago, Canterbury and Marlborough')).toBeVisible();
  expect(screen.getByText('Jobs in Nelson are not on this phone.')).toBeVisible();
  await holdOnly(shown, ['Southland', 'Otago', 'Canterbury', 'Marlborough', '']);
  await waitFor(() => expect(screen.queryByText(/^Fetching jobs in/)).toBeNull());
  expect(screen.getByText('No jobs found on this phone')).toBeVisible();
  await shown.user.click(screen.getByRole('button', { name: 'Get them' }));
  expect(ask).toHaveBeenLastCalledWith([...nearest, 'Nelson'], nearest);
  expect(await screen.findByText('Fetching jobs in Nelson')).toBeVisible();
});
