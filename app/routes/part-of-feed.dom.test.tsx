import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob, makeMark } from '../../shared/testing/make.ts';
import { padVersion } from '../collections/collection-version.ts';
import { createCell } from '../lib/cell.ts';
import { elsewhereSegment, holdOnly } from '../testing/hold-only.ts';
import { openScreens, type Screen, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
  const job = makeJob({ title: 'Deck in Winton', locationId: 'southland/winton', categoryId: 'builder' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await screens.close();
});

/** The feed of this phone has one more segment, which is not here. */
async function lackPart({ phone }: Screen): Promise<void> {
  const { db } = must(phone, 'a phone');
  await db.transaction('rw', db.shelfStates, async () => {
    const state = must(await db.shelfStates.get('feed'), 'the feed');
    const { segments, ...manifest } = must(state.manifest, 'a manifest');
    const near = segments.length;
    await db.shelfStates.put({ ...state, manifest: { ...manifest, near, segments: [...segments, elsewhereSegment] } });
  });
}

test('while a part of the jobs is still coming the list says so, and a search that finds nothing claims no more', async () => {
  const shown = await screens.show('/find-jobs?region=Northland', screens.harness.addTradie());
  expect(await screen.findByText('No jobs found matching your criteria')).toBeVisible();
  await lackPart(shown);
  expect(await screen.findByText('No jobs found so far')).toBeVisible();
  expect(screen.getByText('0 jobs so far')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Get all jobs' })).toBeNull();
});

test('where the browser saves data the list says that only one’s own regions are here, and gets the rest on a tap', async () => {
  const isHeldBack = createCell(true);
  const feedRest = { isHeldBack, fetch: () => isHeldBack.set(false), ask: () => undefined };
  const shown = await screens.show('/find-jobs', screens.harness.addTradie(), { feedRest });
  expect(await screen.findByRole('link', { name: 'Deck in Winton' })).toBeVisible();
  expect(screen.queryByText(/saves data/)).toBeNull();
  await lackPart(shown);
  expect(await screen.findByText(/only, because this browser saves data/)).toBeVisible();
  expect(screen.getByText(/^1 job so far/)).toBeVisible();
  await shown.user.click(screen.getByRole('button', { name: 'Get all jobs' }));
  await waitFor(() => expect(screen.queryByText(/saves data/)).toBeNull());
  expect(isHeldBack.current()).toBe(false);
  // The button has taken itself away.
  await waitFor(() => expect(screen.getByText(/^1 job so far/)).toHaveFocus());
});

const heldBack = { isHeldBack: createCell(true), fetch: () => undefined, ask: () => undefined };

test('where the last open job of one’s own regions is gone and the rest is held back, nothing is said to be coming', async () => {
  const shown = await screens.show('/find-jobs', screens.harness.addTradie(), { feedRest: heldBack });
  await screen.findByRole('link', { name: 'Deck in Winton' });
  await lackPart(shown);
  await screen.findByText(/only, because this browser saves data/);
  const [job] = [...screens.harness.server.rows.jobs.values()];
  const { db } = must(shown.phone, 'a phone');
  await db.fresh.put({ shelf: 'feed', id: must(job, 'the job').id, row: null, version: padVersion('999999') });
  expect(await screen.findByText('No jobs found on this phone')).toBeVisible();
  expect(screen.queryByText('Fetching jobs')).toBeNull();
});

test('on a desktop a job of another region leads to its own page, and is not said to be closed', async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));
  const elsewhere = makeJob().id;
  const shown = await screens.show(`/find-jobs?job=${elsewhere}`, screens.harness.addTradie(), { feedRest: heldBack });
  await screen.findByRole('link', { name: 'Deck in Winton' });
  await lackPart(shown);
  expect(await screen.findByRole('heading', { name: 'This job is not on this phone' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open its page' })).toHaveAttribute('href', `/job/${elsewhere}`);
  expect(screen.queryByText(/is not open any more/)).toBeNull();
});

/** Begins a note to a job beside the list, and lets the job leave this phone. */
async function loseNotedJob() {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));
  const { server } = screens.harness;
  const [job] = [...server.rows.jobs.values()];
  const id = must(job, 'the job').id;
  const shown = await screens.show(`/find-jobs?job=${id}`, screens.harness.addTradie(), { feedRest: heldBack });
  await lackPart(shown);
  await shown.user.type(await screen.findByRole('textbox', { name: /note/i }), 'I can come');
  const { db } = must(shown.phone, 'a phone');
  await db.fresh.put({ shelf: 'feed', id, row: null, version: padVersion('999999') });
  return { id, shown };
}

test('beside the list, a job that leaves while a note is written to it says so truly, and keeps the note', async () => {
  await loseNotedJob();
  expect(await screen.findByText('This job has left this phone')).toBeVisible();
  expect(screen.getByText(/was closed, or is in a region now whose jobs are not here/)).toBeVisible();
  expect(await screen.findByText('I can come')).toBeVisible();
});

test('and the note is there too where the address of that job is opened again', async () => {
  const { id, shown } = await loseNotedJob();
  // Its field had the same words before the job left.
  expect(await screen.findByText('This job has left this phone')).toBeVisible();
  expect(await screen.findByText('I can come')).toBeVisible();
  await shown.goTo('/find-jobs');
  await waitFor(() => expect(screen.queryByText('I can come')).toBeNull());
  await shown.goTo(`/find-jobs?job=${id}`);
  expect(await screen.findByText('This job is not on this phone')).toBeVisible();
  expect(await screen.findByText('Your note was not sent')).toBeVisible();
  expect(screen.getByText('I can come')).toBeVisible();
});

test('where only some regions are here the list says so, asks for the one that is chosen, and says how far it is', async () => {
  const ask = vi.fn();
  const feedRest = { ...heldBack, isHeldBack: createCell(false), ask };
  const shown = await screens.show('/find-jobs?region=Northland', screens.harness.addTradie(), { feedRest });
  await screen.findByText('No jobs found matching your criteria');
  await holdOnly(shown, ['Southland', '']);
  expect(await screen.findByText('Fetching jobs in Northland')).toBeVisible();
  expect(screen.getByText('No jobs found so far')).toBeVisible();
  expect(ask).toHaveBeenCalledExactlyOnceWith(['Northland'], []);
  await holdOnly(shown, ['Southland', ''], ['Northland']);
  expect(await screen.findByText('0 %')).toBeVisible();
  expect(screen.getByText('0 %')).not.toHaveAttribute('role');
  await holdOnly(shown, ['Southland', 'Northland', '']);
  expect(await screen.findByText('No jobs found matching your criteria')).toBeVisible();
  expect(screen.getByText('0 jobs')).toBeVisible();
  expect(ask).toHaveBeenCalledOnce();
});

test('a region that another tab’s choice has pushed out is not fetched again by itself, but on a tap', async () => {
  const ask = vi.fn();
  const feedRest = { ...heldBack, isHeldBack: createCell(false), ask };
  const shown = await screens.show('/find-jobs?region=Northland', screens.harness.addTradie(), { feedRest });
  await screen.findByText('No jobs found matching your criteria');
  await holdOnly(shown, ['Southland', 'Northland']);
  await waitFor(() => expect(ask).toHaveBeenCalledExactlyOnceWith(['Northland'], ['Northland']));
  await holdOnly(shown, ['Southland', 'Otago']);
  expect(await screen.findByText(/^Jobs in Northland have left this phone/)).toBeVisible();
  expect(ask).toHaveBeenCalledOnce();
  await shown.user.click(screen.getByRole('button', { name: 'Get them again' }));
  expect(ask).toHaveBeenLastCalledWith(['Northland'], []);
  expect(await screen.findByText('Fetching jobs in Northland')).toBeVisible();
});

test('of a region that is still coming to a new phone the list never says that nothing was found', async () => {
  const shown = await screens.show('/find-jobs?region=Northland', screens.harness.addTradie());
  await screen.findByText('No jobs found matching your criteria');
  await holdOnly(shown, ['Southland', 'Northland']);
  await lackPart(shown);
  expect(await screen.findByText('No jobs found so far')).toBeVisible();
  expect(screen.queryByText('No jobs found matching your criteria')).toBeNull();
});

test('and of all regions it says how many jobs are elsewhere, and that a choice brings them', async () => {
  const shown = await screens.show('/find-jobs', screens.harness.addTradie());
  await screen.findByRole('link', { name: 'Deck in Winton' });
  await holdOnly(shown, ['Southland', '']);
  expect(await screen.findByText(/940 jobs in others: choose a region to get its jobs/)).toBeVisible();
  expect(screen.getByText(/^1 job on this phone/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Get all jobs' })).toBeNull();
});

test('a search that finds nothing in the regions that are here says where it has looked, and shows all jobs on a tap', async () => {
  const shown = await screens.show('/find-jobs?q=zzzz', screens.harness.addTradie());
  await screen.findByText('No jobs found matching your criteria');
  await holdOnly(shown, ['Southland', '']);
  expect(await screen.findByText('No jobs found on this phone')).toBeVisible();
  expect(screen.getByText(/^None of the jobs on this phone matches your filters/)).toBeVisible();
  expect(screen.queryByText(/so far|yet/)).toBeNull();
  await shown.user.click(screen.getByRole('button', { name: 'Show all jobs' }));
  expect(await screen.findByRole('link', { name: 'Deck in Winton' })).toBeVisible();
});

test('jobs saved for later of which nothing is here lead to their own pages, and are taken off the list', async () => {
  const tradie = screens.harness.addTradie();
  const mark = makeMark({ userId: tradie.id, title: 'Roof in Kaitaia', shortlistedAt: '2026-11-20T07:00:00.000Z' });
  const { server } = screens.harness;
  server.write((rows) => rows.marks.set(mark.id, mark));
  const shown = await screens.show('/find-jobs?later=true', tradie);
  await screen.findByRole('region', { name: 'No longer open' });
  await holdOnly(shown, ['Southland', '']);
  const away = within(await screen.findByRole('region', { name: 'Saved for later, not on this phone' }));
  expect(away.getByText('1 job is closed, or in a region whose jobs are not on this phone.')).toBeVisible();
  expect(away.getByRole('link', { name: 'Roof in Kaitaia' })).toHaveAttribute('href', `/job/${mark.jobId}`);
  expect(away.queryByText('Closed')).toBeNull();
  expect(screen.queryByText(/so far/)).toBeNull();
  await shown.user.click(away.getByRole('button', { name: 'Take off my list: Roof in Kaitaia' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: /not on this phone/ })).toBeNull());
});

test('of hidden jobs it says how many are not here', async () => {
  const tradie = screens.harness.addTradie();
  const mark = () => makeMark({ userId: tradie.id, hiddenAt: '2026-11-20T07:00:00.000Z' });
  screens.harness.server.write((rows) => [mark(), mark()].forEach((one) => rows.marks.set(one.id, one)));
  const shown = await screens.show('/find-jobs?hidden=true', tradie);
  await screen.findByText('No jobs found matching your criteria');
  expect(screen.queryByText(/2 jobs are closed/)).toBeNull();
  await holdOnly(shown, ['Southland', '']);
  expect(await screen.findByText('2 jobs are closed, or in regions whose jobs are not on this phone.')).toBeVisible();
});

test('the map of a region that is not here says so, and a name that is no region asks for nothing', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const ask = vi.fn();
  const feedRest = { ...heldBack, isHeldBack: createCell(false), ask };
  const tradie = screens.harness.addTradie();
  const shown = await screens.show('/find-jobs?region=Atlantis&map=true', tradie, { feedRest });
  expect(await screen.findByText('No jobs to show.')).toBeVisible();
  await holdOnly(shown, ['Southland', '']);
  expect(await screen.findByText('No jobs on this phone to show.')).toBeVisible();
  expect(screen.queryByText('No jobs to show.')).toBeNull();
  expect(ask).not.toHaveBeenCalled();
});
