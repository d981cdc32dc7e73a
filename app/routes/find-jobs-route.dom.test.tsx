import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Job } from '../../shared/tables/index.ts';
import { makeInterest, makeJob } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

function addJobs(...jobs: Job[]) {
  screens.harness.server.write((rows) => jobs.forEach((job) => rows.jobs.set(job.id, job)));
  return jobs;
}
const titles = () => screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent);

test('signed out [§2 /find-jobs]', async () => {
  await screens.show('/find-jobs');
  expect(await screen.findByText('Please sign in to browse jobs')).toBeVisible();
});

test('a homeowner is sent to become a tradie [§2 /find-jobs, §6]', async () => {
  await screens.show('/find-jobs', screens.harness.addHomeowner());
  expect(await screen.findByText('Tradie Access Required')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Become a Tradie' })).toHaveAttribute('href', '/become-tradie');
});

test('a lapsed tradie sees no jobs, and the way to the dashboard [§2 /find-jobs]', async () => {
  addJobs(makeJob({ title: 'Deck' }));
  await screens.show('/find-jobs', screens.harness.addTradie({ subscriptionStatus: 'canceled' }));
  expect(await screen.findByText('Subscription Required')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
  expect(titles()).toEqual([]);
});

test('a tradie finds jobs, narrows them, and the address keeps what was chosen [§1, §2 /find-jobs, §offline]', async () => {
  const [, roof] = addJobs(
    makeJob({ title: 'Deck in Whangārei', locationId: 'northland/whangarei', categoryId: 'builder', budgetMax: 9_000 }),
    makeJob({ title: 'Roof leak', budgetMax: 30_000, interestCount: 1 }),
    makeJob({ title: 'Paint a fence', budgetMax: null }),
  );
  const tradie = screens.harness.addTradie();
  screens.harness.server.write((rows) => {
    const interest = makeInterest({ jobId: roof?.id ?? '', tradieId: tradie.tradieId ?? '', userId: tradie.id });
    rows.interests.set(interest.id, interest);
  });
  const { user, address } = await screens.show('/find-jobs', tradie);
  // The budget starts at 10,000, so the roof is not among them yet.
  await waitFor(() => expect(titles()).toEqual(['Paint a fence', 'Deck in Whangārei']));
  expect(screen.getByText(/^Updated \d+:\d\d [ap]m$/)).toBeVisible();

  await user.click(screen.getByRole('button', { name: /^Filters/ }));
  await user.click(screen.getByRole('button', { name: 'Reset filters' }));
  await waitFor(() => expect(titles()).toEqual(['Paint a fence', 'Roof leak', 'Deck in Whangārei']));
  await waitFor(() => expect(address()).toBe('/find-jobs?max=50000'));
  const answered = within(must(screen.getByText('Interest Expressed').closest<HTMLElement>('article'), 'its card'));
  expect(answered.getByText('1 interested')).toBeVisible();

  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'whangarei');
  await waitFor(() => expect(titles()).toEqual(['Deck in Whangārei']));
  await waitFor(() => expect(address()).toBe('/find-jobs?q=whangarei&max=50000'));

  await user.clear(screen.getByRole('searchbox', { name: 'Search' }));
  await user.click(screen.getByRole('checkbox', { name: 'Interest not expressed' }));
  await waitFor(() => expect(titles()).toEqual(['Roof leak']));
  await user.click(screen.getByRole('checkbox', { name: 'Interest expressed' }));
  expect(await screen.findByText('No jobs found matching your criteria')).toBeVisible();
});

test('a link to a trade that is no more says so in its filter, finds nothing, and Reset filters leads to all jobs', async () => {
  addJobs(makeJob({ title: 'Deck', categoryId: 'builder' }));
  const { user } = await screens.show('/find-jobs?category=thatcher', screens.harness.addTradie());
  expect(await screen.findByText('No jobs found matching your criteria')).toBeVisible();
  await user.click(screen.getByRole('button', { name: /^Filters/ }));
  const trade = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Category' });
  await waitFor(() => expect(trade.selectedOptions[0]?.text).toBe('A trade that is gone'));
  await user.click(screen.getByRole('button', { name: 'Reset filters' }));
  await waitFor(() => expect(titles()).toEqual(['Deck']));
});

test('a card shows what is to be done, where, for how much, since when, how urgent, and three photos at most [§2 /find-jobs, §3]', async () => {
  const [job] = addJobs(
    makeJob({
      title: 'Deck',
      description: 'Four by three metres, macrocarpa.',
      budgetMax: 4_500,
      urgency: 'urgent',
      createdAt: '2026-01-09T21:42:00.000Z',
      locationId: 'southland/winton',
      images: ['1', '2', '3', '4'].map((name) => `job-photos/j/${name}.jpg`),
    }),
    makeJob({ title: 'Old one', locationId: null, address: '3 Bridge Street', suburb: 'Otatara', budgetMax: null }),
  );
  await screens.show('/find-jobs', screens.harness.addTradie({ subscriptionStatus: 'trialing' }));
  const card = async (title: string) => {
    const link = await screen.findByRole('link', { name: title });
    return { link, ...within(must(link.closest('article'), 'its card')) };
  };
  const deck = await card('Deck');
  expect(deck.link).toHaveAttribute('href', `/job/${job?.id}`);
  for (const text of [
    'Four by three metres, macrocarpa.',
    'Winton, Southland',
    '$4,500',
    '10 Jan 2026',
    'Urgent - ASAP',
  ])
    expect(await deck.findByText(text)).toBeVisible();
  expect(deck.queryByText('Interest Expressed')).toBeNull();
  expect(must(deck.link.closest('article'), 'its card').querySelectorAll('img')).toHaveLength(3);
  expect((await card('Old one')).getByText('3 Bridge Street, Otatara')).toBeVisible();
});

test('a card says how old the job is, and the day from a week on', async () => {
  addJobs(
    makeJob({ title: 'Deck', createdAt: '2026-01-09T21:42:00.000Z' }),
    makeJob({ title: 'Fence', createdAt: '2026-01-02T21:42:00.000Z' }),
  );
  await screens.show('/find-jobs', screens.harness.addTradie({ subscriptionValidUntil: null }), {
    app: { now: () => '2026-01-11T21:42:00.000Z' },
  });
  for (const [title, age] of [
    ['Deck', '2 days ago'],
    ['Fence', '3 Jan 2026'],
  ] as const) {
    const card = must((await screen.findByRole('link', { name: title })).closest('article'), 'its card');
    expect(within(card).getByText(age)).toBeVisible();
  }
});

test('a card names the trade first, and says how many are interested', async () => {
  addJobs(
    makeJob({ title: 'Deck', categoryId: 'builder', interestCount: 3 }),
    makeJob({ title: 'Fence', categoryId: 'builder', interestCount: 0 }),
  );
  await screens.show('/find-jobs', screens.harness.addTradie());
  const card = async (title: string) =>
    must((await screen.findByRole('link', { name: title })).closest('article'), 'its card');
  const deck = await card('Deck');
  await within(deck).findByText('Builder');
  expect(deck).toHaveTextContent(/^Builder/);
  expect(within(deck).getByText('3 interested')).toBeVisible();
  expect(within(await card('Fence')).getByText('0 interested')).toBeVisible();
});

test('what the budget takes out of the list is counted, among what the other filters leave, and shown by one press', async () => {
  addJobs(
    makeJob({ title: 'Deck', budgetMax: 9_000 }),
    makeJob({ title: 'Roof', budgetMax: 30_000 }),
    makeJob({ title: 'Villa', budgetMax: 80_000, categoryId: 'builder' }),
    makeJob({ title: 'Paint', budgetMax: null }),
  );
  const { user } = await screens.show('/find-jobs', screens.harness.addTradie());
  expect(await screen.findByText('2 more above $10,000')).toBeVisible();
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'roof');
  expect(await screen.findByText('1 more above $10,000')).toBeVisible();
  await user.clear(screen.getByRole('searchbox', { name: 'Search' }));
  await screen.findByText('2 more above $10,000');
  await user.click(screen.getByRole('button', { name: 'Show' }));
  await waitFor(() => expect(titles()).toHaveLength(4));
  expect(screen.queryByText(/more above/)).toBeNull();
});

test('jobs since the last visit to the feed are called new, for as long as this visit lasts', async () => {
  let clock = '2026-01-10T08:00:00.000Z';
  const badges = () =>
    screen
      .getAllByRole('article')
      .filter((card) => within(card).queryByText('New') !== null)
      .map((card) => within(card).getByRole('heading').textContent);
  const look = async (jobs: number, found: string) => {
    await goTo('/find-jobs');
    await waitFor(() => expect(titles()).toHaveLength(jobs));
    expect(await screen.findByText(found)).toBeVisible();
  };
  addJobs(makeJob({ title: 'Deck', createdAt: '2026-01-10T07:00:00.000Z' }));
  const { goTo, phone } = await screens.show('/dashboard', screens.harness.addTradie(), { app: { now: () => clock } });
  await look(1, '1 job');
  await waitFor(async () => expect(await must(phone, 'the phone').db.meta.get('look')).toBeDefined());
  expect(badges()).toEqual([]);
  clock = '2026-01-10T08:10:00.000Z';
  await goTo('/dashboard');
  addJobs(makeJob({ title: 'Fence', createdAt: '2026-01-10T20:00:00.000Z' }));
  await screens.harness.sync();
  clock = '2026-01-11T07:00:00.000Z';
  await look(2, '2 jobs, 1 new since you last looked');
  expect(badges()).toEqual(['Fence']);
  // The person reads one of them and comes back: still the same visit.
  clock = '2026-01-11T07:20:00.000Z';
  await goTo('/dashboard');
  await look(2, '2 jobs, 1 new since you last looked');
  await goTo('/dashboard');
  clock = '2026-01-11T12:00:00.000Z';
  await look(2, '2 jobs');
  expect(badges()).toEqual([]);
});

test('category, region and then town narrow; text is found in the description too [§2 /find-jobs]', async () => {
  addJobs(
    makeJob({
      title: 'Deck',
      description: 'By the pōhutukawa.',
      locationId: 'northland/whangarei',
      categoryId: 'builder',
    }),
    makeJob({ title: 'Spouting', locationId: 'southland/winton', categoryId: 'spouting' }),
    makeJob({ title: 'Fence', locationId: 'southland/winton', categoryId: 'builder' }),
  );
  const { user } = await screens.show('/find-jobs', screens.harness.addTradie());
  await waitFor(() => expect(titles()).toEqual(['Fence', 'Spouting', 'Deck']));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Builder');
  await waitFor(() => expect(titles()).toEqual(['Fence', 'Deck']));
  await user.click(screen.getByRole('button', { name: /^Filters/ }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Region' }), 'Southland');
  await waitFor(() => expect(titles()).toEqual(['Fence']));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'All categories');
  await user.type(screen.getByRole('combobox', { name: 'Town' }), 'wint');
  await user.click(await screen.findByRole('option', { name: /Winton/ }));
  await waitFor(() => expect(titles()).toEqual(['Fence', 'Spouting']));
  await user.click(screen.getByRole('button', { name: 'Clear location' }));
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'pohutukawa');
  await waitFor(() => expect(titles()).toEqual(['Deck']));
});

test('the budget goes from $0 to $50,000+ by 500, from 10,000, and Reset puts it at 50,000 [§2 /find-jobs, §9]', async () => {
  const { user } = await screens.show('/find-jobs', screens.harness.addTradie());
  await user.click(await screen.findByRole('button', { name: /^Filters/ }));
  const slider = await screen.findByRole<HTMLInputElement>('slider', { name: 'Max budget' });
  expect([slider.min, slider.max, slider.step, slider.value]).toEqual(['0', '50000', '500', '10000']);
  expect(screen.getByText('$0')).toBeVisible();
  expect(screen.getByText('$50,000+')).toBeVisible();
  act(() => slider.focus());
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(slider).toHaveValue('10500'));
  await user.click(screen.getByRole('button', { name: 'Reset filters' }));
  await waitFor(() => expect(slider).toHaveValue('50000'));
});

test('sorted by date added at first; by name and by budget on request [§2 /find-jobs, §9]', async () => {
  addJobs(
    makeJob({ title: 'Zinc roof', budgetMax: 900 }),
    makeJob({ title: 'Āwning', budgetMax: 4_000 }),
    makeJob({ title: 'Deck', budgetMax: 100 }),
  );
  const { user } = await screens.show('/find-jobs', screens.harness.addTradie());
  await waitFor(() => expect(titles()).toEqual(['Deck', 'Āwning', 'Zinc roof']));
  const by = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort by' });
  expect([...by.options].map(({ text }) => text)).toEqual([
    'Date added',
    'Nearest',
    'A-Z',
    'Highest budget',
    'Lowest budget',
  ]);
  for (const [label, order] of [
    ['A-Z', ['Āwning', 'Deck', 'Zinc roof']],
    ['Highest budget', ['Āwning', 'Zinc roof', 'Deck']],
    ['Lowest budget', ['Deck', 'Zinc roof', 'Āwning']],
  ] as const) {
    await user.selectOptions(by, label);
    await waitFor(() => expect(titles()).toEqual(order));
  }
});

test('past its valid-until the feed hides, also without signal [§offline]', async () => {
  addJobs(makeJob({ title: 'Deck' }));
  await screens.show(
    '/find-jobs',
    screens.harness.addTradie({ subscriptionStatus: 'active', subscriptionValidUntil: '2026-01-01T00:00:00.000Z' }),
    { offline: true },
  );
  expect(await screen.findByText('Subscription Required')).toBeVisible();
  expect(titles()).toEqual([]);
});

test('a phone that never had signal says that nothing is saved on it yet [§offline]', async () => {
  const { phone } = await screens.show('/find-jobs', screens.harness.addTradie(), { offline: true });
  await must(phone, 'the phone').db.users.clear();
  expect(await screen.findByRole('heading', { name: 'Not saved on this phone yet' })).toBeVisible();
});

test('filters are as the person left them, but for what was searched; a link that names some comes first', async () => {
  addJobs(
    makeJob({ title: 'Deck', categoryId: 'builder', budgetMax: 20_000 }),
    makeJob({ title: 'Spouting', categoryId: 'spouting', budgetMax: 400 }),
  );
  const { user, goTo } = await screens.show('/find-jobs', screens.harness.addTradie());
  await waitFor(() => expect(titles()).toEqual(['Spouting']));
  await user.click(screen.getByRole('button', { name: 'Show' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Builder');
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'dec');
  await waitFor(() => expect(titles()).toEqual(['Deck']));
  await goTo('/dashboard');
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
  await goTo('/find-jobs');
  await waitFor(() => expect(titles()).toEqual(['Deck']));
  expect(screen.getByRole('combobox', { name: 'Category' })).toHaveValue('builder');
  expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('');
  await goTo('/dashboard');
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
  await goTo('/find-jobs?category=spouting');
  await waitFor(() => expect(titles()).toEqual(['Spouting']));
});

test('filters in the address are applied when the page opens', async () => {
  addJobs(makeJob({ title: 'Deck', budgetMax: 500 }), makeJob({ title: 'Fence', budgetMax: 400 }));
  await screens.show('/find-jobs?sort=lowest', screens.harness.addTradie());
  await waitFor(() => expect(titles()).toEqual(['Fence', 'Deck']));
});

test('a new job appears by itself, and without signal the last copy stays [§offline]', async () => {
  const { phone } = await screens.show('/find-jobs', screens.harness.addTradie());
  expect(await screen.findByText('No jobs found matching your criteria')).toBeVisible();
  addJobs(makeJob({ title: 'Just posted' }));
  await waitFor(() => expect(titles()).toEqual(['Just posted']));
  screens.harness.goOffline(...(phone === undefined ? [] : [phone]));
  phone?.sync.sendNow();
  expect(await screen.findByText(/^Offline\. Showing jobs from/)).toBeVisible();
  expect(titles()).toEqual(['Just posted']);
});
