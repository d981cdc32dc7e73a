import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeInterest, makeJob, makeMark, makeTestId } from '../../shared/testing/make.ts';
import type { Job, User } from '../../shared/tables/index.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const now = () => Date.now();
const ago = (hours: number) => new Date(now() - hours * 3_600_000).toISOString();

/** A phone on which the dashboard was last looked at two hours ago. */
async function visited(person: User): Promise<string> {
  const phone = await screens.harness.as(person);
  await phone.db.meta.put({ key: 'home', value: { since: ago(30), at: ago(2) } });
  await phone.kill();
  return phone.name;
}

test('the dashboard begins with who answered since the last time, and their telephone', async () => {
  const owner = screens.harness.addHomeowner();
  const job = makeJob({ userId: owner.id, title: 'Roof leak', interestCount: 2, createdAt: ago(50) });
  const answer = (businessName: string, hours: number) => {
    const tradie = screens.harness.addTradie({}, { businessName, contactPhone: '+64211234567' });
    const interest = makeInterest({
      jobId: job.id,
      tradieId: tradie.tradieId ?? '',
      userId: tradie.id,
      ownerId: owner.id,
      createdAt: ago(hours),
    });
    screens.harness.server.write((rows) => rows.interests.set(interest.id, interest));
  };
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  answer('Read Already Ltd', 10);
  answer('Winton Roofing', 1);
  const disk = await visited(owner);
  await screens.show('/dashboard', owner, { disk });
  const news = within(await screen.findByRole('region', { name: '1 tradie answered' }));
  expect(news.getByRole('link', { name: 'Roof leak' })).toHaveAttribute('href', `/job/${job.id}`);
  expect(news.getByRole('link', { name: /^Call 021 123 4567/ })).toHaveAttribute('href', 'tel:+64211234567');
  expect(news.queryByText('Read Already Ltd')).toBeNull();
  // Not to be read as when the tradie answered.
  expect(news.getByText(/^since your last visit (?:at|on \d+ \w+(?: \d+)?,) \d+:\d\d [ap]m$/)).toBeVisible();
  expect(
    news.getByRole('link', { name: /^Call/ }).compareDocumentPosition(screen.getByText('Your Posted Jobs (1)')) &
      Node.DOCUMENT_POSITION_FOLLOWING,
  ).not.toBe(0);
});

test('a tradie reads what is new in their trades, and which answered job was closed', async () => {
  const tradie = screens.harness.addTradie({}, { categoryIds: ['builder'] });
  const closed = makeJob({ title: 'Gone', status: 'closed', closedAt: ago(1), createdAt: ago(90) });
  const interest = makeInterest({
    jobId: closed.id,
    tradieId: tradie.tradieId ?? '',
    userId: tradie.id,
    ownerId: closed.userId ?? '',
    createdAt: ago(60),
  });
  const fresh = makeJob({ title: 'New deck', categoryId: 'builder', createdAt: ago(1) });
  screens.harness.server.write((rows) => {
    rows.jobs.set(closed.id, closed);
    rows.jobs.set(fresh.id, fresh);
    rows.jobs.set(makeTestId(), makeJob({ categoryId: 'spouting', createdAt: ago(1) }));
    rows.interests.set(interest.id, interest);
  });
  const disk = await visited(tradie);
  await screens.show('/dashboard', tradie, { disk });
  const news = within(await screen.findByRole('region', { name: 'News' }));
  expect(await news.findByText('Closed: Gone')).toBeVisible();
  expect(await news.findByText('1 new job in your trades')).toBeVisible();
});

test('new jobs in a tradie’s trades: not those that they have answered, hidden or posted, and the link leads to these trades', async () => {
  const tradie = screens.harness.addTradie({}, { categoryIds: ['builder', 'spouting'] });
  const add = (title: string, changes: Partial<Job> = {}) => {
    const job = makeJob({ title, categoryId: 'builder', budgetMax: 20_000, createdAt: ago(1), ...changes });
    screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
    return job;
  };
  add('New deck');
  add('New spouting', { categoryId: 'spouting' });
  add('Posted', { userId: tradie.id });
  add('Old deck', { createdAt: ago(20) });
  const [answered, hidden] = [add('Answered'), add('Hidden')];
  screens.harness.server.write((rows) => {
    const interest = makeInterest({
      jobId: answered.id,
      tradieId: tradie.tradieId ?? '',
      userId: tradie.id,
      ownerId: answered.userId ?? '',
    });
    rows.interests.set(interest.id, interest);
    const mark = makeMark({ userId: tradie.id, jobId: hidden.id, hiddenAt: ago(1) });
    rows.marks.set(mark.id, mark);
  });
  const { user } = await screens.show('/dashboard', tradie, { disk: await visited(tradie) });
  const item = within(await screen.findByRole('listitem', { name: '2 new jobs in your trades' }));
  await user.click(item.getByRole('link', { name: 'See them' }));
  expect(await screen.findByRole('link', { name: 'New spouting' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'New deck' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Hidden' })).toBeNull();
  expect(screen.queryByText(/more above/)).toBeNull();
  expect(screen.getByRole('button', { name: /^Filters \(1\)/ })).toBeVisible();
});

test('what waits and what is unfinished is on the dashboard, counted as the header counts it; where nothing is, nothing is said', async () => {
  const owner = screens.harness.addHomeowner();
  const { phone } = await screens.show('/dashboard', owner, { offline: true });
  expect(await screen.findByText('Your Posted Jobs (0)')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'News' })).toBeNull();
  const { db, sync } = must(phone, 'the phone');
  const fields = {
    title: 'Heat pump',
    description: '',
    region: '',
    locationId: '',
    budget: '',
    urgency: '',
    categoryId: '',
  };
  await db.drafts.put({ key: 'post-job', value: { jobId: makeTestId(), fields }, savedAt: ago(1) });
  await sync.mutate('job.post', {
    id: makeTestId(),
    title: 'Fix the gate',
    description: 'It sags.',
    locationId: 'southland/winton',
    budgetMax: null,
    urgency: 'soon',
    categoryId: 'builder',
  });
  const news = within(await screen.findByRole('region', { name: 'News' }));
  expect(await news.findByText('Unfinished: Heat pump')).toBeVisible();
  expect(news.getByRole('link', { name: 'Go on' })).toHaveAttribute('href', '/post-job');
  await waitFor(() => expect(news.getByRole('heading', { name: 'Waiting to send (1)' })).toBeVisible());
  expect(news.getByText('Saved on this phone: 1 change. You need to do nothing.')).toBeVisible();
  // Said once: the button does not repeat it.
  expect(news.getAllByText(/waiting to send/i)).toHaveLength(1);
  expect(news.getByRole('link', { name: 'See what waits' })).toHaveAttribute('href', '/waiting');
  expect(screen.getByRole('link', { name: 'Waiting to send: 1' })).toHaveAttribute('href', '/waiting');
});

test('on a line that answers nothing the news calls a change that may have left "Sending", as its item does', async () => {
  const tradie = screens.harness.addTradie();
  const job = makeJob({ title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { phone } = await screens.show('/dashboard', tradie);
  const { hold, inFlight, sync } = must(phone, 'the phone');
  hold();
  await sync.mutate('interest.express', { id: makeTestId(), jobId: job.id, note: '' });
  await waitFor(() => expect(inFlight()).toHaveLength(1));
  const news = within(await screen.findByRole('region', { name: 'News' }));
  expect(await news.findByText('Sending: 1 change. You need to do nothing.')).toBeVisible();
  expect(news.queryByText(/^Saved on this phone/)).toBeNull();
});

test('after an interest went out by itself, its item says when', async () => {
  const tradie = screens.harness.addTradie();
  const job = makeJob({ title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { phone } = await screens.show('/dashboard', tradie, { offline: true });
  await phone?.sync.mutate('interest.express', { id: makeTestId(), jobId: job.id, note: '' });
  const title = await screen.findByRole('link', { name: 'Roof leak' });
  const item = within(must(title.closest('article'), 'the item'));
  expect(await item.findByText('Saved on this phone')).toBeVisible();
  expect(item.queryByText(/^Sent /)).toBeNull();
  screens.harness.goOnline(must(phone, 'the phone'));
  expect(await item.findByText(/^Sent \d{1,2}:\d\d [ap]m$/, {}, { timeout: 10_000 })).toBeVisible();
  expect(item.queryByText('Saved on this phone')).toBeNull();
});
