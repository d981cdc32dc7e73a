import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeReference, makeTradie } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';
import { fixedCollection } from '../testing/fixed-collection.ts';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const reference = fixedCollection<'reference'>([
  makeReference({ id: 'builder', name: 'Builder' }),
  makeReference({ id: 'painter', name: 'Painter' }),
  makeReference({ id: 'northland/kerikeri', kind: 'location', name: 'Kerikeri', region: 'Northland' }),
  makeReference({ id: 'northland/whangarei', kind: 'location', name: 'Whangārei', region: 'Northland' }),
  makeReference({ id: 'otago/dunedin', kind: 'location', name: 'Dunedin', region: 'Otago' }),
]);
const tradies = [
  makeTradie({
    businessName: 'Zealous Painting',
    categoryIds: ['painter'],
    locationId: 'otago/dunedin',
    isVerified: false,
  }),
  makeTradie({
    businessName: 'Āroha Builders',
    categoryIds: ['builder', 'painter'],
    locationId: 'northland/kerikeri',
    isVerified: true,
  }),
  makeTradie({
    businessName: 'Whare Works',
    categoryIds: ['builder'],
    locationId: 'northland/whangarei',
    isVerified: true,
  }),
];
const directory = () => fixedCollection<'directory'>(tradies);
const names = () => screen.getAllByRole('article').map((card) => within(card).getByRole('heading').textContent);

test('shows every tradie to every visitor, from A to Z, with trades, and the label only where it is earned [§2 /find-tradies, §settled]', async () => {
  await screens.show('/find-tradies', undefined, { app: { reference, directory: directory() } });
  expect(await screen.findByText('3 tradies')).toBeVisible();
  expect(names()).toEqual(['Āroha Builders', 'Whare Works', 'Zealous Painting']);
  const [aroha, , zealous] = screen.getAllByRole('article');
  expect(within(aroha!).getByText('Verified Business')).toBeVisible();
  expect(within(aroha!).getByText('Builder')).toBeVisible();
  expect(within(aroha!).getByText('ĀB')).toBeVisible();
  expect(within(zealous!).queryByText('Verified Business')).toBeNull();
  expect(screen.getAllByRole('listitem').map((item) => item.getAttribute('aria-setsize'))).toEqual(['3', '3', '3']);
});

test('the list shown is what the server has, brought by the exchange', async () => {
  screens.harness.addTradie({}, { businessName: 'Southern Spouting' });
  await screens.show('/find-tradies', screens.harness.addHomeowner());
  expect(await screen.findByRole('link', { name: 'Southern Spouting' })).toBeVisible();
});

test('a name is found without its macron; the address keeps it, and typing loses no letter [§2 /find-tradies]', async () => {
  const { user, address } = await screens.show('/find-tradies', undefined, {
    app: { reference, directory: directory() },
  });
  const box = await screen.findByRole('searchbox', { name: 'Business name' });
  await user.type(box, 'whare');
  expect(box).toHaveValue('whare');
  expect(await screen.findByText('1 tradie')).toBeVisible();
  expect(names()).toEqual(['Whare Works']);
  await waitFor(() => expect(address()).toBe('/find-tradies?q=whare'));
  await user.clear(box);
  await user.type(box, 'aroha');
  await waitFor(() => expect(names()).toEqual(['Āroha Builders']));
});

test('trades are ticked, region and then town narrow, and Clear takes the place away [§2 /find-tradies]', async () => {
  const { user, address } = await screens.show('/find-tradies', undefined, {
    app: { reference, directory: directory() },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Builder' }));
  await waitFor(() => expect(names()).toEqual(['Āroha Builders', 'Whare Works']));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Region' }), 'Northland');
  await user.type(screen.getByRole('combobox', { name: 'Town' }), 'whang');
  await user.click(await screen.findByRole('option', { name: /Whangārei/ }));
  await waitFor(() => expect(names()).toEqual(['Whare Works']));
  await waitFor(() => expect(new URL(address(), 'http://x').searchParams.get('town')).toBe('northland/whangarei'));
  await user.click(screen.getByRole('button', { name: 'Clear location' }));
  await waitFor(() => expect(names()).toEqual(['Āroha Builders', 'Whare Works']));
});

test('an address with filters opens with them, and Z to A turns the list round [§2 /find-tradies]', async () => {
  const { user } = await screens.show('/find-tradies?trades=painter', undefined, {
    app: { reference, directory: directory() },
  });
  expect(await screen.findByText('2 tradies')).toBeVisible();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Z-A');
  await waitFor(() => expect(names()).toEqual(['Zealous Painting', 'Āroha Builders']));
});

test('a card leads to the profile [§2 /find-tradies]', async () => {
  await screens.show('/find-tradies', undefined, { app: { reference, directory: directory() } });
  const link = await screen.findByRole('link', { name: 'Whare Works' });
  expect(link).toHaveAttribute('href', `/tradie/${tradies[2]?.id}`);
});

test('nothing found says so, and one press shows all again [§2 /find-tradies]', async () => {
  const { user } = await screens.show('/find-tradies?q=nobody', undefined, {
    app: { reference, directory: directory() },
  });
  expect(await screen.findByRole('heading', { name: 'No tradies found matching your criteria' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show all tradies' }));
  expect(await screen.findByText('3 tradies')).toBeVisible();
});

test('three skeleton cards are shown while the tradies are loading, and then replaced [§2 /find-tradies, §9]', async () => {
  const collection = fixedCollection<'directory'>([], { status: 'starting' });
  await screens.show('/find-tradies', undefined, { app: { reference, directory: collection } });
  const waiting = await screen.findByText('Loading tradies');
  expect(waiting.closest('[role="status"]')?.querySelectorAll('[data-placeholder]')).toHaveLength(3);
  collection.set({ status: 'ready', rows: tradies });
  expect(await screen.findByText('3 tradies')).toBeVisible();
});

test('without signal the last copy is shown with its time; with no copy it says so [§offline]', async () => {
  const collection = directory();
  const { goTo } = await screens.show('/find-tradies', screens.harness.addHomeowner(), {
    offline: true,
    app: { reference, directory: collection },
  });
  expect(await screen.findByText('3 tradies')).toBeVisible();
  expect(screen.getByText(/^Updated /)).toBeVisible();
  collection.set({ status: 'absent', rows: [], updatedAt: null });
  await goTo('/find-tradies?sort=z-a');
  expect(await screen.findByRole('heading', { name: 'Not saved on this phone yet' })).toBeVisible();
});

test('a device that cannot be read is not shown as an empty list', async () => {
  await screens.show('/find-tradies', undefined, {
    app: { reference, directory: fixedCollection<'directory'>([], { status: 'failed' }) },
  });
  expect(await screen.findByRole('heading', { name: "We couldn't read what is saved on this phone" })).toBeVisible();
  expect(screen.queryByText('No tradies found matching your criteria')).toBeNull();
});

test('eight trades stand in the filter with what is ticked, and all of them on the page once they are asked for, in no box that scrolls [§2 /find-tradies]', async () => {
  const many = Array.from({ length: 12 }, (_, at) => `trade-${String.fromCharCode(97 + at)}`);
  const lists = fixedCollection<'reference'>(many.map((id) => makeReference({ id, name: id })));
  const all = many.map((id) => makeTradie({ businessName: `Of ${id}`, categoryIds: [id], locationId: null }));
  const { user } = await screens.show('/find-tradies?trades=trade-l', undefined, {
    app: { reference: lists, directory: fixedCollection<'directory'>(all) },
  });
  const ticks = () => screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent);
  await waitFor(() => expect(ticks()).toEqual([...many.slice(0, 8), 'trade-l']));
  await user.click(screen.getByRole('checkbox', { name: 'trade-l' }));
  expect(ticks()).toEqual([...many.slice(0, 8), 'trade-l']);
  await user.click(screen.getByRole('button', { name: 'Show all 12' }));
  expect(ticks()).toEqual(many);
  await user.click(screen.getByRole('button', { name: 'Show fewer' }));
  expect(screen.getByRole('button', { name: 'Show all 12' })).toHaveFocus();
});
