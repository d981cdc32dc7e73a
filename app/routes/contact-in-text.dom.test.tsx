import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeJob } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const description = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Description/ });
const named = (text: string) => screen.findByText(text);

test('a phone number typed into a job is named, and one tap takes it out, or puts it back', async () => {
  const { user } = await screens.show('/post-job', screens.harness.addHomeowner());
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Fix the gate');
  await user.click(description());
  await user.paste('It sags. Ring 027 555 0142 after five.');
  expect(await named('There is a phone number in your description')).toBeVisible();
  expect(screen.getByText('“027 555 0142”')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Take it out' }));
  expect(description()).toHaveValue('It sags. Ring after five.');
  expect(description()).toHaveFocus();
  expect(screen.queryByText('There is a phone number in your description')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(description()).toHaveValue('It sags. Ring 027 555 0142 after five.');
});

test('what is left in is not named again, and does not keep the job from being saved', async () => {
  const owner = screens.harness.addHomeowner();
  const job = makeJob({
    userId: owner.id,
    title: 'Fix the gate',
    locationId: 'southland/winton',
    categoryId: 'builder',
  });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user } = await screens.show(`/edit-job/${job.id}`, owner);
  await user.click(await screen.findByRole('textbox', { name: /Description/ }));
  await user.paste(' At 12 Manchester Street, or ana@example.nz.');
  expect(await named('There is a street address and an email address in your description')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Leave them in' }));
  expect(screen.queryByText(/^There is a/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() =>
    expect(screens.harness.server.rows.jobs.get(job.id)?.description).toContain(
      '12 Manchester Street, or ana@example.nz',
    ),
  );
});

test('three kinds of contact details are listed as one writes a list', async () => {
  const { user } = await screens.show('/post-job', screens.harness.addHomeowner());
  await user.click(await screen.findByRole('textbox', { name: /Description/ }));
  await user.paste('Ring 027 123 4567, come to 12 Manchester Street, or write to ana@example.nz.');
  expect(
    await named('There is a phone number, a street address and an email address in your description'),
  ).toBeVisible();
});
