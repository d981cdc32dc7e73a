import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Job } from '../../shared/tables/index.ts';
import { makeInterest, makeJob, makeReference } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* How far jobs are. */

let screens: Screens;
const town = (id: string, name: string, latitude: number | null, longitude: number | null) =>
  makeReference({ id, kind: 'location', name, region: 'Southland', latitude, longitude });
beforeEach(async () => {
  screens = await openScreens();
  screens.harness.server.collections.setReference([
    makeReference({ id: 'builder', name: 'Builder' }),
    town('southland/winton', 'Winton', -46.142, 168.325),
    town('southland/gore', 'Gore', -46.098, 168.946),
    town('southland/bluff', 'Bluff', -46.6, 168.333),
    town('southland/lost', 'Lost', null, null),
  ]);
});
afterEach(async () => {
  Reflect.deleteProperty(navigator, 'geolocation');
  await screens.close();
});

function addJobs(...jobs: Job[]) {
  screens.harness.server.write((rows) => jobs.forEach((job) => rows.jobs.set(job.id, job)));
  return jobs;
}
const inTowns = () =>
  addJobs(
    makeJob({ title: 'In Bluff', locationId: 'southland/bluff', budgetMax: null }),
    makeJob({ title: 'In Winton', locationId: 'southland/winton', budgetMax: null }),
    makeJob({ title: 'In Gore', locationId: 'southland/gore', budgetMax: null }),
    makeJob({ title: 'Lost', locationId: 'southland/lost', budgetMax: null }),
    makeJob({ title: 'Old one', locationId: null, address: '3 Bridge Street', suburb: 'Otatara', budgetMax: null }),
  );
const titles = () => screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent);
const card = async (title: string) =>
  within(must((await screen.findByRole('link', { name: title })).closest('article'), 'its card'));
const allNearest = ['In Winton', 'In Gore', 'In Bluff', 'Old one', 'Lost'];

/** A phone whose browser answers so. */
function stubPhone(getCurrentPosition: Geolocation['getCurrentPosition']) {
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } });
}
const inBluff: Geolocation['getCurrentPosition'] = (found) =>
  found({ coords: { latitude: -46.601_234, longitude: 168.339_876 } } as unknown as GeolocationPosition);
const failing =
  (code: number): Geolocation['getCurrentPosition'] =>
  (_found, failed) =>
    failed?.({ code, PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3, message: '' });

test('a card says how far the job is from the tradie’s base town, and the list is sorted by it, without signal', async () => {
  inTowns();
  const tradie = screens.harness.addTradie({}, { locationId: 'southland/winton' });
  const { user, address } = await screens.show('/find-jobs', tradie, { offline: true });
  expect(await (await card('In Gore')).findByText('48 km')).toBeVisible();
  expect((await card('In Bluff')).getByText('51 km')).toBeVisible();
  expect((await card('In Winton')).getByText('your town')).toBeVisible();
  expect((await card('Lost')).queryByText(/ km$/)).toBeNull();
  expect((await card('Old one')).queryByText(/ km$/)).toBeNull();

  await user.click(screen.getByRole('button', { name: /Filters/ }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Nearest');
  await waitFor(() => expect(titles()).toEqual(allNearest));
  expect(screen.getByText('Nearest to Winton first. 2 jobs without a known town come last.')).toBeVisible();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Distance from Winton' }), 'Within 50 km');
  await waitFor(() => expect(titles()).toEqual(['In Winton', 'In Gore']));
  await waitFor(() => expect(address()).toBe('/find-jobs?sort=nearest&within=50'));
});

test('a distance goes over the border of a region, and choosing a region ends it', async () => {
  inTowns();
  const tradie = screens.harness.addTradie({}, { locationId: 'southland/winton' });
  const { user, address } = await screens.show('/find-jobs?region=Southland&town=southland/gore', tradie);
  await waitFor(() => expect(titles()).toEqual(['In Gore']));
  await user.click(screen.getByRole('button', { name: /Filters/ }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Distance from Gore' }), 'Within 50 km');
  await waitFor(() => expect(titles()).toEqual(['In Gore', 'In Winton']));
  await user.click(screen.getByRole('button', { name: 'Clear location' }));
  await waitFor(() => expect(address()).toBe('/find-jobs'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Distance from Winton' }), 'Within 5 km');
  await waitFor(() => expect(titles()).toEqual(['In Winton']));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Region' }), 'Southland');
  await waitFor(() => expect(address()).toBe('/find-jobs?region=Southland'));
});

test('a tradie without a base town is told how distances come, and no list is emptied by a distance from nowhere', async () => {
  inTowns();
  const tradie = screens.harness.addTradie({}, { locationId: null });
  const { user } = await screens.show('/find-jobs?sort=nearest&within=5', tradie);
  await waitFor(() => expect(titles()).toHaveLength(5));
  expect(screen.getByText("The newest come first: we don't know where you are.")).toBeVisible();
  await user.click(screen.getByRole('button', { name: /Filters/ }));
  expect(screen.queryByRole('combobox', { name: /Distance/ })).toBeNull();
  expect(screen.getByText(/Your profile names no town/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Add your town' })).toHaveAttribute('href', '/edit-tradie');
});

test('a tradie whose town has no position on this phone yet is not told to name one', async () => {
  inTowns();
  const { user } = await screens.show(
    '/find-jobs?sort=nearest',
    screens.harness.addTradie({}, { locationId: 'southland/lost' }),
  );
  await waitFor(() => expect(titles()).toHaveLength(5));
  await user.click(screen.getByRole('button', { name: /Filters/ }));
  expect(screen.getByText(/Where your town is isn't on this phone yet/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Add your town' })).toBeNull();
});

test('the order and the distance are remembered for the next visit, and the choice on the map is not', async () => {
  inTowns();
  // The outline is not to be had: the map is drawn without.
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const tradie = screens.harness.addTradie({}, { locationId: 'southland/winton' });
  const { user, phone, goTo, address } = await screens.show(
    '/find-jobs?sort=nearest&on=southland/gore&map=true',
    tradie,
  );
  await waitFor(() => expect(titles()).toEqual(['In Gore']));
  expect(screen.getByText('Chosen on the map: Gore.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: /Filters/ }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Distance from Winton' }), 'Within 50 km');
  await waitFor(async () =>
    expect((await must(phone, 'the phone').db.meta.get('filters'))?.value).toMatchObject({
      sort: 'nearest',
      within: 50,
    }),
  );
  await goTo('/dashboard');
  await goTo('/find-jobs');
  await waitFor(() => expect(titles()).toEqual(['In Winton', 'In Gore']));
  await waitFor(() => expect(address()).toBe('/find-jobs?sort=nearest&within=50'));
});

test('this phone’s place is explained before the browser is asked, kept on the phone alone, and given up again', async () => {
  inTowns();
  const asked = vi.fn(inBluff);
  stubPhone(asked);
  const tradie = screens.harness.addTradie({}, { locationId: 'southland/winton' });
  const { user, phone } = await screens.show('/find-jobs?sort=nearest', tradie);
  const kept = async () => (await must(phone, 'the phone').db.meta.get('place'))?.value;
  await waitFor(() => expect(titles()).toEqual(allNearest));
  await user.click(screen.getByRole('button', { name: /Filters/ }));
  await user.click(screen.getByRole('button', { name: 'Use my location' }));
  const dialog = await screen.findByRole('dialog', { name: 'Use my location' });
  expect(within(dialog).getByText(/It is never sent to Dwang/)).toBeVisible();
  expect(asked).not.toHaveBeenCalled();
  await user.click(within(dialog).getByRole('button', { name: 'Not now' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).not.toHaveBeenCalled();

  await user.click(screen.getByRole('button', { name: 'Use my location' }));
  await user.click(await screen.findByRole('button', { name: 'Find my place' }));
  await waitFor(() => expect(titles()).toEqual(['In Bluff', 'In Winton', 'In Gore', 'Old one', 'Lost']));
  expect(await kept()).toMatchObject({ latitude: -46.6, longitude: 168.34 });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await card('In Bluff')).getByText('under 2 km')).toBeVisible();

  await user.selectOptions(screen.getByRole('combobox', { name: 'Distance from this phone' }), 'Within 25 km');
  await waitFor(() => expect(titles()).toEqual(['In Bluff']));
  expect(screen.getByText(/A search you save counts from Bluff, the town nearest to it/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Save this search' }));
  await waitFor(() =>
    expect([...screens.harness.server.rows.searches.values()]).toMatchObject([
      {
        name: 'All trades within 25 km of Bluff, Southland, up to $10,000',
        locationId: 'southland/bluff',
        withinKm: 25,
      },
    ]),
  );

  await user.click(screen.getByRole('button', { name: 'Use my base town' }));
  await waitFor(() => expect(titles()).toEqual(['In Winton']));
  expect(await kept()).toBeUndefined();
});

test.each([
  [1, 'Location is turned off for Dwang', /Allow location for this site/],
  [2, "This phone can't find its place just now", /Turn on location in the phone's settings/],
  [3, 'This phone took too long to find its place', /Step outside or wait a moment/],
])('a phone that does not say where it is (%i): why, what to do, and another try', async (code, title, what) => {
  inTowns();
  stubPhone(failing(code));
  const { user } = await screens.show('/find-jobs?sort=nearest', screens.harness.addTradie({}, { locationId: null }));
  // Above the list, and in the filters beside it.
  const [first] = await screen.findAllByRole('button', { name: 'Use my location' });
  await user.click(must(first, 'the button'));
  await user.click(await screen.findByRole('button', { name: 'Find my place' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(await dialog.findByText(title)).toBeVisible();
  expect(dialog.getByText(what)).toBeVisible();
  stubPhone(inBluff);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(titles()[0]).toBe('In Bluff'));
});

test('a place that comes after its person has closed the dialog is kept nowhere', async () => {
  inTowns();
  let answer: () => void = () => undefined;
  stubPhone((found, failed, options) => {
    answer = () => inBluff(found, failed, options);
  });
  const tradie = screens.harness.addTradie({}, { locationId: 'southland/winton' });
  const { user, phone } = await screens.show('/find-jobs?sort=nearest', tradie);
  await user.click(await screen.findByRole('button', { name: /Filters/ }));
  await user.click(screen.getByRole('button', { name: 'Use my location' }));
  await user.click(await screen.findByRole('button', { name: 'Find my place' }));
  await user.click(screen.getByRole('button', { name: 'Not now' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answer();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Date added');
  await waitFor(() => expect(titles()[0]).toBe('Old one'));
  expect(await must(phone, 'the phone').db.meta.get('place')).toBeUndefined();
});

test('a place of this morning is used no more in the evening, and is deleted', async () => {
  inTowns();
  const tradie = screens.harness.addTradie({}, { locationId: 'southland/winton' });
  const { phone, goTo } = await screens.show('/dashboard', tradie, { app: { now: () => '2026-03-01T20:00:00.000Z' } });
  const { db } = must(phone, 'the phone');
  await db.meta.put({
    key: 'place',
    value: { latitude: -46.6, longitude: 168.34, at: '2026-03-01T07:59:00.000Z' },
  });
  await goTo('/find-jobs?sort=nearest');
  await waitFor(() => expect(titles()).toEqual(allNearest));
  await waitFor(async () => expect(await db.meta.get('place')).toBeUndefined());
});

test('the job’s own page says how far it is, to its tradie and not to its owner', async () => {
  const owner = screens.harness.addHomeowner();
  const [, , gore] = inTowns();
  const [own] = addJobs(makeJob({ title: 'Own', userId: owner.id, locationId: 'southland/gore' }));
  const tradie = screens.harness.addTradie({}, { locationId: 'southland/winton' });
  screens.harness.server.write((rows) => {
    const interest = makeInterest({ jobId: must(gore, 'Gore').id, tradieId: tradie.tradieId ?? '', userId: tradie.id });
    rows.interests.set(interest.id, interest);
  });
  await screens.show(`/job/${must(gore, 'Gore').id}`, tradie);
  expect(await screen.findByText('Gore, Southland, 48 km')).toBeVisible();
  await screens.show(`/job/${must(own, 'Own').id}`, owner);
  expect(await screen.findByText('Gore, Southland')).toBeVisible();
});
