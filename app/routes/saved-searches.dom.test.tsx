import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Job, Search, User } from '../../shared/tables/index.ts';
import { defaultPreferences } from '../../shared/tables/preferences.ts';
import { makeJob, makeReference, makeTestId } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const server = () => screens.harness.server.rows;
const kept = () => {
  const order = [...server().preferences.values()].flatMap(({ searchOrder }) => searchOrder);
  return order.map((id) => server().searches.get(id));
};
const titles = () => screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent);
const chip = (name: string | RegExp) => screen.findByRole('button', { name });

function addJobs(...jobs: Job[]) {
  screens.harness.server.write((rows) => jobs.forEach((job) => rows.jobs.set(job.id, job)));
}
const early = '2026-01-01T00:00:00.000Z';
function addSearches(user: User, ...searches: Partial<Search>[]) {
  const made = searches.map((changes): Search => ({
    id: makeTestId(),
    userId: user.id,
    name: 'All',
    categoryIds: [],
    region: null,
    locationId: null,
    withinKm: null,
    maxBudget: null,
    urgencies: [],
    words: '',
    lookedUntil: early,
    createdAt: early,
    removedAt: null,
    ...changes,
  }));
  screens.harness.server.write((rows) => {
    for (const search of made) rows.searches.set(search.id, search);
    rows.preferences.set(user.id, { ...defaultPreferences(user.id), searchOrder: made.map(({ id }) => id) });
  });
  return made;
}

test('saved searches stand above the list in their order, with what is new in each, and looking takes that away', async () => {
  addJobs(
    makeJob({ title: 'Roof leak', createdAt: '2026-11-20T00:00:00.000Z' }),
    makeJob({ title: 'Roof tiles', createdAt: '2026-11-21T00:00:00.000Z' }),
    makeJob({ title: 'Deck', createdAt: '2026-11-19T00:00:00.000Z' }),
  );
  const tradie = screens.harness.addTradie();
  const [roofs] = addSearches(tradie, { name: 'Roofs', words: 'roof' }, { name: 'Decks', words: 'deck' });
  const { user } = await screens.show('/find-jobs', tradie);
  await chip('Roofs 2 new');
  await chip('Decks 1 new');
  await user.click(await chip('Roofs 2 new'));
  await waitFor(() => expect(titles()).toEqual(['Roof tiles', 'Roof leak']));
  expect(await chip(/^Roofs/)).toHaveAttribute('aria-pressed', 'true');
  // The window of this test has no height, so nothing of the list was on the screen.
  expect(server().searches.get(must(roofs, 'the search').id)).toMatchObject({ lookedUntil: early });
  await user.click(await chip(/^Roofs/));
  await waitFor(() => expect(titles()).toHaveLength(3));
});

test('the search for one’s trades near one’s town is saved in a tap while none is kept, without signal as well', async () => {
  screens.harness.server.collections.setReference([
    makeReference({ id: 'spouting', name: 'Spouting and Guttering' }),
    makeReference({ id: 'builder', name: 'Builder' }),
    makeReference({
      id: 'southland/winton',
      kind: 'location',
      name: 'Winton',
      region: 'Southland',
      latitude: -46.14,
      longitude: 168.32,
    }),
    makeReference({
      id: 'northland/whangarei',
      kind: 'location',
      name: 'Whangārei',
      region: 'Northland',
      latitude: -35.7,
      longitude: 174.3,
    }),
  ]);
  const southland = { locationId: 'southland/winton' };
  addJobs(
    makeJob({ title: 'Spouting', categoryId: 'spouting', ...southland }),
    makeJob({ title: 'Deck', categoryId: 'builder', ...southland }),
    makeJob({ title: 'Far', categoryId: 'builder', locationId: 'northland/whangarei' }),
    makeJob({ title: 'Other', categoryId: 'painter', ...southland }),
  );
  const tradie = screens.harness.addTradie({}, { categoryIds: ['spouting', 'builder'], ...southland });
  const { user, phone } = await screens.show('/find-jobs', tradie, { offline: true });
  await user.click(await chip('Save the search My trades near me'));
  await waitFor(() => expect(titles().toSorted()).toEqual(['Deck', 'Spouting']));
  expect(await chip('My trades near me Saved on this phone')).toHaveAttribute('aria-pressed', 'true');
  expect(screen.queryByRole('button', { name: /^Save the search/ })).toBeNull();
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(
    () =>
      expect(kept()).toMatchObject([
        {
          name: 'My trades near me',
          categoryIds: ['spouting', 'builder'],
          locationId: 'southland/winton',
          withinKm: 50,
        },
      ]),
    { timeout: 10_000 },
  );
  expect(await chip('My trades near me')).toBeVisible();
});

test('searches are moved, renamed, changed and deleted, and a deleted one comes back to its place', async () => {
  const tradie = screens.harness.addTradie();
  addSearches(tradie, { name: 'One' }, { name: 'Two' }, { name: 'Three' });
  addJobs(makeJob({ title: 'Deck' }));
  const { user } = await screens.show('/find-jobs', tradie);
  await user.click(await chip('Edit searches'));
  const dialog = await screen.findByRole('dialog', { name: 'Saved searches' });
  const press = async (name: string) => user.click(await within(dialog).findByRole('button', { name }));
  const names = () => kept().map((search) => search?.name);
  expect(within(dialog).getByRole('button', { name: 'Move up: One' })).toBeDisabled();
  await press('Move up: Three');
  await waitFor(() => expect(names()).toEqual(['One', 'Three', 'Two']));
  await press('Move down: One');
  await waitFor(() => expect(names()).toEqual(['Three', 'One', 'Two']));
  await press('Delete: One');
  await waitFor(() => expect(names()).toEqual(['Three', 'Two']));
  await user.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
  await waitFor(() => expect(names()).toEqual(['Three', 'One', 'Two']));
  await press('Edit: Two');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.clear(name);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const summary = await within(dialog).findByRole('alert');
  expect(summary).toHaveFocus();
  await user.click(within(summary).getByRole('link', { name: 'Name is required.' }));
  expect(name).toHaveFocus();
  await user.type(name, 'Urgent roofs');
  await user.click(screen.getByRole('checkbox', { name: 'Urgent - ASAP' }));
  await user.click(screen.getByRole('checkbox', { name: 'Spouting and Guttering' }));
  await user.click(screen.getByRole('button', { name: /^Show all/ }));
  await user.click(screen.getByRole('checkbox', { name: 'Builder' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(kept().at(-1)).toMatchObject({
      name: 'Urgent roofs',
      urgencies: ['urgent'],
      categoryIds: ['spouting', 'builder'],
    }),
  );
  expect(await within(dialog).findByText(/Spouting and Guttering and Builder, Urgent - ASAP/)).toBeVisible();
});

test('with twenty searches the next is not taken, and the words say what to do', async () => {
  const tradie = screens.harness.addTradie();
  addSearches(tradie, ...Array.from({ length: 20 }, (_, at) => ({ name: `S${at}`, words: `s${at}` })));
  addJobs(makeJob({ title: 'Deck' }));
  const { user, app, address } = await screens.show('/find-jobs?q=deck', tradie);
  await user.click(await chip('Save this search'));
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({ description: 'You can keep 20 searches. Delete one first.' }),
  );
  expect(address()).toContain('q=deck');
  expect(kept()).toHaveLength(20);
});

test('a search whose trade is gone says so, finds nothing, and can be changed', async () => {
  const tradie = screens.harness.addTradie();
  addSearches(tradie, { name: 'Old trade', categoryIds: ['thatcher'] });
  addJobs(makeJob({ title: 'Deck' }));
  const { user } = await screens.show('/find-jobs', tradie);
  await user.click(await chip('Old trade'));
  expect(await screen.findByText('No jobs found matching your criteria')).toBeVisible();
  await user.click(await chip('Edit searches'));
  expect(await screen.findByText(/A trade of this search is no longer listed/)).toBeVisible();
});

test('another device has changed the search meanwhile: what was typed stays, and the words say so', async () => {
  const tradie = screens.harness.addTradie();
  const [search] = addSearches(tradie, { name: 'Roofs' });
  const { user } = await screens.show('/find-jobs', tradie);
  await user.click(await chip('Edit searches'));
  await user.click(await screen.findByRole('button', { name: 'Edit: Roofs' }));
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.type(name, ' of mine');
  const { id } = must(search, 'the search');
  screens.harness.server.write((rows) =>
    rows.searches.set(id, { ...must(rows.searches.get(id), 'it'), name: 'Theirs' }),
  );
  await screens.harness.sync();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await within(screen.getByRole('dialog')).findByRole('alert')).toHaveTextContent(
    'Changed meanwhile in another tab or on another device: Name (now “Theirs”). Save again to keep what is here.',
  );
  expect(name).toHaveValue('Roofs of mine');
  expect(screen.queryByText('Error')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(kept()).toMatchObject([{ name: 'Roofs of mine' }]));
});

test('the dashboard says what is new in each search, and leads to it', async () => {
  const tradie = screens.harness.addTradie({}, { categoryIds: ['builder'] });
  addSearches(
    tradie,
    { name: 'Roofs', words: 'roof', urgencies: ['urgent', 'soon'] },
    { name: 'Decks', words: 'deck' },
  );
  addJobs(makeJob({ title: 'Roof leak', urgency: 'urgent' }), makeJob({ title: 'Roof paint', urgency: 'slow' }));
  const { user } = await screens.show('/dashboard', tradie);
  const news = await screen.findByRole('listitem', { name: '1 new job in “Roofs”' });
  expect(screen.queryByRole('listitem', { name: /Decks/ })).toBeNull();
  await user.click(within(news).getByRole('link', { name: 'See them' }));
  await waitFor(() => expect(titles()).toEqual(['Roof leak']));
  expect(await chip(/^Roofs/)).toHaveAttribute('aria-pressed', 'true');
});

test('who has just joined is offered the search for their trades on the dashboard, and sees it in the same tap', async () => {
  const tradie = screens.harness.addTradie(
    {},
    {
      categoryIds: ['builder'],
      locationId: 'southland/winton',
      createdAt: new Date(screens.harness.clock.now()).toISOString(),
    },
  );
  addJobs(makeJob({ title: 'Deck', categoryId: 'builder', locationId: 'southland/winton' }));
  const { user } = await screens.show('/dashboard', tradie);
  const offer = await screen.findByRole('listitem', { name: 'My trades near me' });
  await user.click(within(offer).getByRole('link', { name: 'Save this search' }));
  await waitFor(() => expect(titles()).toEqual(['Deck']));
  expect(await chip(/^My trades near me/)).toHaveAttribute('aria-pressed', 'true');
  await waitFor(() => expect(kept()).toMatchObject([{ name: 'My trades near me' }]));
});

test('a press on Escape does not throw away what is being changed of a search', async () => {
  const tradie = screens.harness.addTradie();
  addSearches(tradie, { name: 'Roofs', words: 'roof' });
  const { user } = await screens.show('/find-jobs', tradie);
  await user.click(await chip('Edit searches'));
  await user.click(await chip('Edit: Roofs'));
  const words = await screen.findByRole('textbox', { name: /^Words/ });
  await user.type(words, ' iron');
  await user.keyboard('{Escape}');
  expect(words).toBeVisible();
  expect(words).toHaveValue('roof iron');
});

test('to leave out answered jobs is no search to save: it would tell of every job there is', async () => {
  addJobs(makeJob({ title: 'Deck' }));
  const tradie = screens.harness.addTradie();
  await screens.show('/find-jobs?interested=false&max=50000', tradie);
  await waitFor(() => expect(titles()).toEqual(['Deck']));
  expect(screen.queryByRole('button', { name: 'Save this search' })).toBeNull();
});
