import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { defaultPreferences } from '../../shared/tables/preferences.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const server = () => screens.harness.server.rows;
const notesOnServer = () => [...server().preferences.values()].flatMap(({ preparedNotes }) => preparedNotes);

function addTradie(preparedNotes: readonly string[] = []) {
  const tradie = screens.harness.addTradie();
  const job = makeJob({ title: 'Roof leak' });
  screens.harness.server.write((rows) => {
    rows.jobs.set(job.id, job);
    rows.preferences.set(tradie.id, { ...defaultPreferences(tradie.id), preparedNotes: [...preparedNotes] });
  });
  return { tradie, job };
}
const note = () => screen.findByRole('textbox', { name: /Note to the homeowner/ });
const chip = (name: string) => screen.findByRole('button', { name });

test('without signal a job is answered with a prepared note in two taps', async () => {
  const { tradie, job } = addTradie(['I can come on Thursday.', 'Free from Monday.']);
  const { user, phone } = await screens.show(`/job/${job.id}`, tradie, { offline: true });
  await user.click(await chip('I can come on Thursday.'));
  await user.click(screen.getByRole('button', { name: 'Express Interest' }));
  expect(await screen.findByText(/We'll send your interest/)).toBeVisible();
  expect(server().interests.size).toBe(0);
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(() => expect([...server().interests.values()]).toMatchObject([{ note: 'I can come on Thursday.' }]), {
    timeout: 10_000,
  });
});

test('a note goes in place of another prepared one, after what was typed, and out again', async () => {
  const { tradie, job } = addTradie(['I can come on Thursday.', 'Free from Monday.']);
  const { user } = await screens.show(`/job/${job.id}`, tradie);
  await user.click(await chip('I can come on Thursday.'));
  await user.click(await chip('Free from Monday.'));
  expect(await note()).toHaveValue('Free from Monday.');
  expect(await chip('Free from Monday.')).toHaveAttribute('aria-pressed', 'true');
  await user.click(await chip('Free from Monday.'));
  expect(await note()).toHaveValue('');
  await user.type(await note(), 'Kia ora');
  await user.click(await chip('I can come on Thursday.'));
  expect(await note()).toHaveValue('Kia ora\n\nI can come on Thursday.');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await note()).toHaveValue('Kia ora');
});

test('what was typed is kept as a prepared note without signal, and says where it is until it is sent', async () => {
  const { tradie, job } = addTradie();
  const { user, phone } = await screens.show(`/job/${job.id}`, tradie, { offline: true });
  await user.type(await note(), 'Done many of these');
  await user.click(screen.getByRole('button', { name: 'Keep as prepared note' }));
  expect(await chip('Done many of these')).toHaveAttribute('aria-pressed', 'true');
  expect(await note()).toHaveValue('Done many of these');
  await user.click(screen.getByRole('button', { name: 'Edit my notes' }));
  const dialog = await screen.findByRole('dialog', { name: 'Prepared notes' });
  expect(await within(dialog).findByText('Saved on this phone')).toBeVisible();
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(() => expect(notesOnServer()).toEqual(['Done many of these']), { timeout: 10_000 });
  await waitFor(() => expect(within(dialog).queryByText('Saved on this phone')).toBeNull());
});

test('in Manage Account notes are added, changed where they stand, deleted, and brought back', async () => {
  const { tradie } = addTradie(['One', 'Two']);
  const { user } = await screens.show('/edit-account', tradie);
  await user.type(await screen.findByRole('textbox', { name: 'New prepared note' }), 'Three');
  await user.click(screen.getByRole('button', { name: 'Add note' }));
  await waitFor(() => expect(notesOnServer()).toEqual(['One', 'Two', 'Three']));
  expect(screen.getByRole('textbox', { name: 'New prepared note' })).toHaveValue('');
  await user.click(screen.getByRole('button', { name: 'Edit note: One' }));
  const field = await screen.findByRole('textbox', { name: 'Prepared note' });
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.type(field, 'Uno');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(notesOnServer()).toEqual(['Uno', 'Two', 'Three']));
  await user.click(screen.getByRole('button', { name: 'Delete note: Two' }));
  await waitFor(() => expect(notesOnServer()).toEqual(['Uno', 'Three']));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(notesOnServer()).toEqual(['Uno', 'Two', 'Three']));
});

test('with ten notes there is room for no other, and what was typed stays in the field', async () => {
  const { tradie, job } = addTradie(Array.from({ length: 10 }, (_, at) => `${at} ${'x'.repeat(990)}`));
  const { user } = await screens.show(`/job/${job.id}`, tradie);
  await user.type(await note(), 'One more');
  await user.click(screen.getByRole('button', { name: 'Keep as prepared note' }));
  const dialog = await screen.findByRole('dialog', { name: 'Prepared notes' });
  expect(within(dialog).getByText(/You have 10, the most there is room for/)).toBeVisible();
  expect(within(dialog).queryByRole('textbox')).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(await note()).toHaveValue('One more');
  await user.click(await screen.findByRole('button', { name: /^4 x/ }));
  expect(screen.getByText(/No room for this note as well/)).toBeVisible();
  expect(await note()).toHaveValue('One more');
});

test('a homeowner has no prepared notes to manage', async () => {
  await screens.show('/edit-account', screens.harness.addHomeowner());
  expect(await screen.findByRole('heading', { name: 'Account Information' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Prepared notes' })).toBeNull();
});
