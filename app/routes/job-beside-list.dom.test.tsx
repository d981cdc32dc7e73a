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
  expect(within(await pane('Job, not open any more')).getByText('“Older” was closed by its owner.')).toBeVisible();

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
