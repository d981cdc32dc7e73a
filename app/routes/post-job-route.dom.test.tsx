import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { momentMs } from '../lib/use-mutation.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

async function fillIn(user: UserEvent, changes: { title?: string } = {}) {
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), changes.title ?? 'Fix the gate');
  await user.type(screen.getByRole('textbox', { name: 'Description' }), 'It sags.');
  await user.type(screen.getByRole('combobox', { name: 'Town' }), 'wint');
  await user.click(await screen.findByRole('option', { name: /Winton/ }));
  await user.click(screen.getByRole('radio', { name: /Soon/ }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Builder');
}

const post = () => screen.getByRole('button', { name: 'Post Job' });

test('says what is missing until nothing is, and keeps the button off', async () => {
  const { user } = await screens.show('/post-job', screens.house.addHomeowner());
  expect(await screen.findByText('To post: add a title, add a description, choose a town, say how urgent it is and choose a category')).toBeTruthy();
  expect((post() as HTMLButtonElement).disabled).toBe(true);
  await fillIn(user);
  await waitFor(() => expect((post() as HTMLButtonElement).disabled).toBe(false));
});

test('a job that the server accepts within the moment is posted, and the dashboard says so', async () => {
  const { user, address } = await screens.show('/post-job', screens.house.addHomeowner());
  await fillIn(user);
  await user.click(post());
  expect(await screen.findByText('Job Posted!')).toBeTruthy();
  expect(await screen.findByText('Your job has been posted successfully. Tradies can now express interest.')).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'Dashboard' }, { timeout: 10_000 })).toBeTruthy();
  expect(await screen.findByText('Easy as! Tradies can see your posted job and will express interest, sorted.')).toBeTruthy();
  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect([...screens.house.server.rows.jobs.values()].map((job) => job.title)).toEqual(['Fix the gate']);
});

test('without signal it is saved on this phone, nothing is claimed, and the toast follows when the server has accepted', async () => {
  const { user, phone } = await screens.show('/post-job', screens.house.addHomeowner(), { offline: true });
  await fillIn(user);
  await user.click(post());
  expect(await screen.findByText("Saved on this phone. We'll send it when you're back in coverage.", {}, { timeout: 10_000 })).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'Dashboard' }, { timeout: 10_000 })).toBeTruthy();
  expect(screen.queryByText(/Easy as!/)).toBeNull();
  expect(screen.queryByText('Job Posted!')).toBeNull();
  const card = await screen.findByRole('article');
  expect(within(card).getByText('Fix the gate')).toBeTruthy();
  expect(await within(card).findByText('Saved on this phone')).toBeTruthy();
  expect(screen.getByText(/^Offline\..*1 change waiting\.$/)).toBeTruthy();

  screens.house.goOnline(...(phone === undefined ? [] : [phone]));
  expect(await screen.findByText('Job Posted!', {}, { timeout: 10_000 })).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Saved on this phone')).toBeNull());
});

test('what is typed is there again after the app was closed', async () => {
  const person = screens.house.addHomeowner();
  const { user, phone } = await screens.show('/post-job', person);
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Half a job');
  await waitFor(async () => expect(await phone?.db.drafts.get('post-job')).toMatchObject({ value: { fields: { title: 'Half a job' } } }));
});

test('logged out while it is being sent: nothing is claimed, and nothing goes on', async () => {
  const { user, phone, app, address } = await screens.show('/post-job', screens.house.addHomeowner());
  const { db, sync, hold, inFlight } = must(phone, 'the phone');
  await fillIn(user);
  hold();
  await user.click(post());
  await waitFor(() => expect(inFlight()).toHaveLength(1));
  await sync.stop();
  await db.delete();
  // Begun after the form's own wait, and as long: when this one is over, so is that. A rejection nobody handles would fail the run.
  await act(() => sync.waitFor('another', momentMs));
  expect(app.toasts.current()).toBeUndefined();
  expect(address()).toBe('/post-job');
});

test('signed out, the way home is offered', async () => {
  await screens.show('/post-job');
  expect(await screen.findByText('Please sign in to post a job')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to Home' })).toBeTruthy();
});
