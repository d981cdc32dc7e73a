import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeJob } from '../../shared/testing/make.ts';
import type { AuthState, SignedIn } from '../context/app-context.ts';
import type { Cell } from '../lib/cell.ts';
import { fixedCollection } from '../testing/fixed-collection.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* A job beside the list, on a desktop (e2e/find-jobs-layout.spec.ts has it in a browser). */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));
});
afterEach(() => screens.close());

const pane = (name: string) => screen.findByRole('region', { name });

test('a link to an older job while the first jobs come: it is being fetched, and nothing says that its owner closed it', async () => {
  const [newest, older] = [makeJob({ title: 'Newest' }), makeJob({ title: 'Older' })];
  screens.harness.server.write((rows) => [newest, older].forEach((job) => rows.jobs.set(job.id, job)));
  const { app, goTo, user } = await screens.show('/find-jobs', screens.harness.addTradie());
  await screen.findByRole('link', { name: 'Older' });
  const state = app.authState.current() as SignedIn;
  const { rows } = state.context.feed.current();
  // The newest come first, and the person opens the link before the rest is here.
  const feed = fixedCollection<'feed'>(
    rows.filter(({ id }) => id === newest.id),
    { status: 'filling' },
  );
  await act(async () => (app.authState as Cell<AuthState>).set({ ...state, context: { ...state.context, feed } }));
  await goTo(`/find-jobs?job=${older.id}`);
  expect(within(await pane('Job')).getByText('Fetching this job')).toBeVisible();
  expect(screen.queryByText('This job is not open any more')).toBeNull();
  await act(async () => feed.set({ rows, status: 'ready' }));
  expect(within(await pane('Job')).getByRole('heading', { name: 'Older' })).toHaveFocus();

  await act(async () => feed.set({ rows: rows.filter(({ id }) => id === newest.id), status: 'ready' }));
  expect(
    within(await pane('Job, not open any more')).getByText(/^“Older” in .+ was closed by its owner\.$/),
  ).toBeVisible();

  await goTo('/find-jobs?job=closed-long-ago');
  const gone = within(await pane('Job, not open any more'));
  expect(gone.getByRole('heading', { name: 'This job is not open any more' })).toBeVisible();
  await user.click(gone.getByRole('button', { name: 'Back to the list' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: /^Job/ })).toBeNull());
});

test('an address that names no job but something with a quote: Back to the list closes it, and the focus is on the heading', async () => {
  const job = makeJob({ title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user } = await screens.show('/find-jobs?job=%22%5D', screens.harness.addTradie());
  await user.click(await screen.findByRole('button', { name: 'Back to the list' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: /^Job/ })).toBeNull());
  expect(screen.getByRole('heading', { level: 1, name: 'Find Jobs' })).toHaveFocus();
});

const titles = ['Third', 'Second', 'First'];

/** Three jobs, `First` the newest; each is above the budget that the list begins with where `budget` is. */
async function showThree(budget = 100) {
  screens.harness.server.write((rows) =>
    titles.forEach((title, at) => {
      const job = makeJob({ title, budgetMax: budget, createdAt: new Date(Date.now() - 3_600_000 + at).toISOString() });
      rows.jobs.set(job.id, job);
    }),
  );
  return screens.show('/find-jobs', screens.harness.addTradie());
}
const card = (name: string) => screen.findByRole('link', { name });

test('after / the keyboard leaves the search: Enter goes to the list, where Enter, j and k open jobs', async () => {
  const { user } = await showThree();
  await card('First');
  await user.keyboard('/');
  const search = screen.getByRole('searchbox', { name: 'Search' });
  await user.keyboard('ir');
  expect(search).toHaveValue('ir');
  await user.keyboard('{Enter}');
  await waitFor(async () => expect(await card('First')).toHaveFocus());
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Second' })).toBeNull());
  await user.keyboard('{Enter}');
  expect(within(await pane('Job')).getByRole('heading', { name: 'First' })).toHaveFocus();
  await user.keyboard('/{Enter}');
  await waitFor(async () => expect(await card('First')).toHaveFocus());
  await user.keyboard('j');
  expect(within(await pane('Job')).getByRole('heading', { name: 'Third' })).toHaveFocus();
  expect(search).toHaveValue('ir');
});

test('Escape empties the search, then leaves it for the list, then closes the job', async () => {
  const { user } = await showThree();
  await user.click(await card('Second'));
  await pane('Job');
  await user.keyboard('/sec{Escape}');
  const search = screen.getByRole('searchbox', { name: 'Search' });
  expect(search).toHaveValue('');
  expect(search).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(await card('Second')).toHaveFocus();
  expect(await pane('Job')).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Job' })).toBeNull());
  expect(await card('Second')).toHaveFocus();
});

test('after Not Interested on a job’s own page the next job is open beside the list, as after Not Interested there, and j goes on', async () => {
  const { user } = await showThree();
  await user.click(await card('Second'));
  await pane('Job');
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Second' });
  await user.click(await screen.findByRole('button', { name: 'Not Interested' }));
  await screen.findByRole('heading', { level: 1, name: 'Find Jobs' });
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Second' })).toBeNull());
  expect(await within(await pane('Job')).findByRole('heading', { name: 'Third' })).toBeVisible();
  await user.keyboard('k');
  expect(await within(await pane('Job')).findByRole('heading', { name: 'First' })).toBeVisible();
});

test('after Not Interested on the own page of the last job of a search no job is open beside the empty list', async () => {
  const { user } = await showThree();
  await user.type(await screen.findByRole('searchbox', { name: 'Search' }), 'Second');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Third' })).toBeNull());
  await user.click(await card('Second'));
  await user.click(within(await pane('Job')).getByRole('link', { name: 'Open' }));
  await user.click(await screen.findByRole('button', { name: 'Not Interested' }));
  await screen.findByText('No jobs found matching your criteria');
  expect(screen.queryByRole('region', { name: /^Job/ })).toBeNull();
});

test('beside a list in which nothing is found no job is open; with the words taken out it is open again', async () => {
  const { user } = await showThree();
  await user.click(await card('Second'));
  await pane('Job');
  const search = screen.getByRole('searchbox', { name: 'Search' });
  await user.type(search, 'nothing of the kind');
  await screen.findByText('No jobs found matching your criteria');
  await waitFor(() => expect(screen.queryByRole('region', { name: /^Job/ })).toBeNull());
  await user.clear(search);
  expect(await within(await pane('Job')).findByRole('heading', { name: 'Second' })).toBeVisible();
});

test('Enter in a search that finds nothing goes to the heading', async () => {
  const { user } = await showThree();
  await card('First');
  await user.keyboard('/nothing of the kind{Enter}');
  await screen.findByText('No jobs found matching your criteria');
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Find Jobs' })).toHaveFocus());
});

test('where nothing is found one press shows all jobs in the same order, and the focus goes to their count', async () => {
  const { user, goTo } = await showThree();
  await goTo('/find-jobs?q=chimney&sort=a-z');
  await user.click(await screen.findByRole('button', { name: 'Show all jobs' }));
  await card('First');
  expect(screen.getAllByRole('article').map((one) => within(one).getByRole('heading').textContent)).toEqual([
    'First',
    'Second',
    'Third',
  ]);
  await waitFor(() => expect(screen.getByText('3 jobs')).toHaveFocus());
  expect(screen.queryByRole('button', { name: 'Show all jobs' })).toBeNull();
});

test('"Show" of the jobs above the budget takes itself away, and the focus goes on to their count', async () => {
  const { user } = await showThree(20_000);
  await user.click(await screen.findByRole('button', { name: 'Show' }));
  await card('First');
  const count = await screen.findByText('3 jobs');
  expect(screen.queryByRole('button', { name: 'Show' })).toBeNull();
  expect(count).toHaveFocus();
});

test('a button of the list of jobs that takes itself away leaves the focus on the count of jobs', async () => {
  const { user, goTo } = await showThree();
  await card('First');
  await goTo('/find-jobs?map=true&on=southland%2Fwinton');
  await user.click(await screen.findByRole('button', { name: 'Show all' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull());
  expect(screen.getByText('3 jobs')).toHaveFocus();

  await goTo('/find-jobs?later=true');
  await user.click(await screen.findByRole('button', { name: 'Saved for later (0)' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Saved for later (0)' })).toBeNull());
  expect(screen.getByText('3 jobs')).toHaveFocus();

  await user.click(screen.getByRole('button', { name: /^Filters/ }));
  await user.click(screen.getByRole('button', { name: 'Show jobs' }));
  expect(screen.queryByRole('button', { name: 'Show jobs' })).toBeNull();
  expect(screen.getByText('3 jobs')).toHaveFocus();
});

test('Not Interested beside the list goes on to the next job, and after the last one to the heading', async () => {
  const { user } = await showThree();
  await user.click(await card('Second'));
  // By the keyboard: a second click so soon would count as one of a double click.
  const press = async () => {
    (await within(await pane('Job')).findByRole('button', { name: 'Not Interested' })).focus();
    await user.keyboard('{Enter}');
  };
  await press();
  expect(await within(await pane('Job')).findByRole('heading', { name: 'Third' })).toHaveFocus();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Second' })).toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await card('Second')).toBeVisible();
  expect(within(await pane('Job')).getByRole('heading', { name: 'Third' })).toBeVisible();
  await press();
  await waitFor(() => expect(screen.queryByRole('region', { name: /^Job/ })).toBeNull());
  expect(screen.getByRole('heading', { level: 1, name: 'Find Jobs' })).toHaveFocus();
});

test('Escape leaves a job’s own page for the list, as it closes the job beside it, and does not from its note', async () => {
  const { user, address } = await showThree();
  await user.click(await card('Second'));
  await user.click(within(await pane('Job')).getByRole('link', { name: 'Open' }));
  const heading = await screen.findByRole('heading', { level: 1, name: 'Second' });
  await user.click(await screen.findByRole('textbox', { name: /Note/ }));
  await user.keyboard('{Escape}');
  expect(address()).toMatch(/^\/job\//);
  await user.click(heading);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(address()).toMatch(/^\/find-jobs/));
});

test('the note that is being written as the owner closes the job stays, to copy or for a similar job, and the focus is beside it', async () => {
  const job = makeJob({ title: 'Roof leak', locationId: 'southland/winton', categoryId: 'roofer' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { app, user } = await screens.show(`/find-jobs?job=${job.id}`, screens.harness.addTradie());
  const state = app.authState.current() as SignedIn;
  const open = within(await pane('Job'));
  await user.type(await open.findByLabelText(/^Note to the homeowner/), 'We are near on Tuesday.');
  const feed = fixedCollection<'feed'>([]);
  await act(async () => (app.authState as Cell<AuthState>).set({ ...state, context: { ...state.context, feed } }));
  const gone = within(await pane('Job, not open any more'));
  expect(await gone.findByText('We are near on Tuesday.')).toBeVisible();
  expect(gone.getByText('“Roof leak” in Winton, Southland was closed by its owner.')).toBeVisible();
  expect(gone.getByRole('button', { name: 'Copy text' })).toBeVisible();
  expect(gone.getByRole('link', { name: 'Find similar' })).toHaveAttribute(
    'href',
    '/find-jobs?category=roofer&region=Southland',
  );
  // The whole page has it in it too.
  expect(document.body).not.toHaveFocus();
  expect(document.activeElement).toContainElement(gone.getByText('Your note was not sent'));
  await user.click(gone.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(gone.queryByText('Your note was not sent')).toBeNull());
});

test('Escape closes the filters that lie over the list, from a field in them too, and leaves the open job', async () => {
  const { user } = await showThree();
  await user.click(await card('Second'));
  await pane('Job');
  const filters = screen.getByRole('button', { name: /^Filters/ });
  for (const field of [filters, /Max budget/, /Urgency/]) {
    await user.click(filters);
    expect(filters).toHaveAttribute('aria-expanded', 'true');
    if (field instanceof RegExp) (await screen.findAllByLabelText(field))[0]!.focus();
    await user.keyboard('{Escape}');
    expect(filters).toHaveAttribute('aria-expanded', 'false');
    expect(filters).toHaveFocus();
  }
  expect(await pane('Job')).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Job' })).toBeNull());
});
