import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Job, User } from '../../shared/tables/index.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* What people expect of every page: a name on its tab, the way back as it was, and a link to hand on. */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  shareBy(undefined);
  await screens.close();
});

function addJob(changes: Partial<Job> = {}): Job {
  const job = makeJob({ title: 'Roof leak', ...changes });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  return job;
}

const titled = (person: User, own: Job): readonly (readonly [string, string])[] => [
  ['/', 'Connecting Homeowners & Tradies Across NZ'],
  ['/find-tradies', 'Find Tradies'],
  ['/legal', 'Terms of use and Privacy policy'],
  ['/dashboard', 'Dashboard'],
  ['/post-job', 'Post a Job'],
  ['/find-jobs', 'Find Jobs'],
  [`/job/${own.id}`, 'Roof leak'],
  [`/edit-job/${own.id}`, 'Edit Job'],
  [`/tradie/${person.tradieId}`, 'Winton Roofing'],
  ['/edit-tradie', 'Edit Profile'],
  ['/edit-account', 'Manage Account'],
  ['/become-tradie', 'Become a Tradie'],
  ['/waiting', 'Waiting to send (0)'],
  ['/no-such-page', '404 Page Not Found'],
];

test('every page has a name on its tab, and another one than the page before', async () => {
  const person = screens.harness.addTradie({}, { businessName: 'Winton Roofing' });
  const own = addJob({ userId: person.id });
  const { goTo } = await screens.show('/legal', person);
  for (const [path, title] of titled(person, own)) {
    await goTo(path);
    await waitFor(() => expect(document.title).toBe(`${title} · Dwang`));
  }
});

test('what was said on one page does not lie over the next; what came with that page stays', async () => {
  const { user, app, goTo } = await screens.show('/dashboard', screens.harness.addTradie());
  const links = await screen.findAllByRole('link', { name: 'Find Jobs' });
  act(() => void app.toasts.show({ title: 'Saved on this phone' }));
  await user.click(must(links[0], 'a link'));
  await screen.findByRole('heading', { level: 1, name: 'Find Jobs' });
  expect(app.toasts.current()).toBeUndefined();
  await user.keyboard('x');
  act(() => void app.toasts.show({ title: 'Job Posted!' }));
  await goTo('/dashboard');
  expect(app.toasts.current()).toMatchObject({ title: 'Job Posted!' });
});

/** A device that shares in this way; `undefined`: one that does not. */
function shareBy(share: (() => Promise<void>) | undefined) {
  if (share === undefined) Reflect.deleteProperty(navigator, 'share');
  else Object.defineProperty(navigator, 'share', { value: share, configurable: true });
}

test.each(['Back', 'Not Interested'])(
  'from a job that was opened from the list, %s leads to the list as it was left',
  async (name) => {
    addJob();
    // The screen is a phone's: beside a wider list the job opens on the same page.
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }));
    const { user, address } = await screens.show('/find-jobs?sort=lowest&max=50000', screens.harness.addTradie());
    await user.click(await screen.findByRole('link', { name: 'Roof leak' }));
    await user.click(await screen.findByRole('button', { name }));
    await waitFor(() => expect(address()).toBe('/find-jobs?sort=lowest&max=50000'));
  },
);

test.each(['Back', 'Not Interested'])('from a job that was opened by its link, %s leads to the jobs', async (name) => {
  const opened = addJob();
  const { user, address, goTo } = await screens.show('/find-jobs?sort=lowest', screens.harness.addTradie());
  await goTo('/legal');
  await goTo(`/job/${opened.id}`);
  await user.click(await screen.findByRole('button', { name }));
  await waitFor(() => expect(address()).toBe('/find-jobs'));
});

const shareButton = () => screen.findByRole('button', { name: 'Share' });

test('the owner hands on the link of an active job; a job that is still only here, and one that is closed, have none', async () => {
  const share = vi.fn(async () => undefined);
  shareBy(share);
  const owner = screens.harness.addHomeowner();
  const active = addJob({ userId: owner.id });
  const closed = addJob({ userId: owner.id, title: 'Old fence', status: 'closed' });
  const { user, goTo, phone: device } = await screens.show(`/job/${active.id}`, owner);
  await user.click(await shareButton());
  expect(share).toHaveBeenCalledWith({ title: 'Roof leak', url: `${window.location.origin}/job/${active.id}` });
  await goTo(`/job/${closed.id}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Old fence' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
  const here = must(device, 'the phone');
  screens.harness.goOffline(here);
  const id = makeTestId();
  await here.sync.mutate('job.post', {
    id,
    title: 'Fix the gate',
    description: 'It sags.',
    locationId: 'southland/winton',
    budgetMax: null,
    urgency: 'soon',
    categoryId: 'builder',
  });
  const offered: string[] = [];
  const watch = new MutationObserver(() => {
    const heading = screen.queryByRole('heading', { level: 1, name: 'Fix the gate' });
    if (heading !== null && screen.queryByRole('button', { name: 'Share' }) !== null) offered.push(document.title);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  await goTo(`/job/${id}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Fix the gate' })).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Close Job' })).toBeEnabled();
  expect(await screen.findByText('Saved on this phone')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
  watch.disconnect();
  expect(offered, 'not even for a moment').toEqual([]);
});

test('a tradie who reads another person’s job is offered no link to hand on', async () => {
  await screens.show(`/job/${addJob().id}`, screens.harness.addTradie());
  expect(await screen.findByRole('button', { name: 'Express Interest' })).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
});

test('every visitor can share a profile: a dismissed share says nothing; where nothing shares, the link is copied; where nothing copies, it is shown', async () => {
  const person = screens.harness.addTradie({}, { businessName: 'Winton Roofing' });
  const link = `${window.location.origin}/tradie/${person.tradieId}`;
  const { user, app } = await screens.show(`/tradie/${person.tradieId}`, person);
  const refuse = (name: string) => async () => {
    throw new DOMException('no', name);
  };
  const putAway = vi.fn(refuse('AbortError'));
  shareBy(putAway);
  await user.click(await shareButton());
  await waitFor(() => expect(putAway).toHaveBeenCalledOnce());
  expect(app.toasts.current()).toBeUndefined();
  shareBy(refuse('NotAllowedError'));
  await user.click(await shareButton());
  await waitFor(() => expect(app.toasts.current()).toMatchObject({ title: 'Link copied' }));
  expect(await navigator.clipboard.readText()).toBe(link);
  shareBy(undefined);
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'));
  await user.click(await shareButton());
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({ title: 'Could not copy the link', description: link }),
  );
});
