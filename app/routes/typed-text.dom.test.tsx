import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeInterest, makeJob } from '../../shared/testing/make.ts';
import { interestDraftOf } from '../features/jobs/job-facts.ts';
import { keepLastTyped, lastTypedSlot } from '../lib/last-typed-draft.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* What is typed into one field and not sent yet is there again after the page was left. */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

function addJob(userId?: string) {
  const job = makeJob({ title: 'Roof leak', ...(userId === undefined ? {} : { userId }) });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  return job;
}

test('a note to a homeowner that was not sent is in its field again, for that job alone, until it is sent', async () => {
  const [job, other] = [addJob(), addJob()];
  const { user, goTo, phone } = await screens.show(`/job/${job.id}`, screens.harness.addTradie());
  const note = () => screen.findByRole('textbox', { name: /Note to the homeowner/ });
  await user.type(await note(), 'Free on Monday');
  await goTo(`/job/${other.id}`);
  expect(await note()).toHaveValue('');
  await goTo(`/job/${job.id}`);
  await waitFor(async () => expect(await note()).toHaveValue('Free on Monday'));
  await user.click(screen.getByRole('button', { name: 'Express Interest' }));
  await screen.findByText('You have expressed interest in this job');
  const { drafts } = must(phone, 'the phone').db;
  await waitFor(async () => expect((await drafts.toArray()).filter(({ value }) => value !== '')).toEqual([]));
});

test('the owner’s note that was not saved is there again, and not after Cancel', async () => {
  const owner = screens.harness.addHomeowner();
  const tradie = screens.harness.addTradie({}, { businessName: 'Winton Roofing' });
  const job = addJob(owner.id);
  const people = { jobId: job.id, tradieId: tradie.tradieId ?? '', userId: tradie.id, ownerId: owner.id };
  const interest = makeInterest(people);
  screens.harness.server.write((rows) => rows.interests.set(interest.id, interest));
  const { user, goTo } = await screens.show(`/job/${job.id}`, owner);
  const write = async () => {
    await user.click(await screen.findByRole('button', { name: 'Add a note for yourself' }));
    return screen.findByRole('textbox', { name: /Your note/ });
  };
  await user.type(await write(), 'Rang, comes on');
  await goTo('/dashboard');
  await goTo(`/job/${job.id}`);
  const again = await write();
  await waitFor(() => expect(again).toHaveValue('Rang, comes on'));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await write()).toHaveValue('');
});

test('a prepared note that is half written outlives its dialog', async () => {
  const job = addJob();
  const { user } = await screens.show(`/job/${job.id}`, screens.harness.addTradie());
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Add prepared notes' }));
    return within(await screen.findByRole('dialog', { name: 'Prepared notes' })).findByRole('textbox');
  };
  await user.type(await open(), 'Kia ora, I');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const again = await open();
  await waitFor(() => expect(again).toHaveValue('Kia ora, I'));
});

/* Last words are in the tab's session storage where a page was left at once; their draft may have changed since. */
const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
test.each([
  [
    'are there again where nothing of them was written',
    { wasKept: false },
    undefined,
    'Free on Monday',
    ['Free on Monday'],
  ],
  ['are not, where their draft was sent or given up since', { wasKept: true }, undefined, '', []],
  [
    'give way to what was written on in another tab',
    { wasKept: true },
    'Free on Monday, and Friday',
    'Free on Monday, and Friday',
    ['Free on Monday, and Friday'],
  ],
  [
    'have a draft of their own beside another form’s',
    { wasKept: false },
    'Another thought',
    'Free on Monday',
    ['Another thought', 'Free on Monday'],
  ],
] as const)('the last words of a page that was left at once %s', async (_, { wasKept }, written, shown, kept) => {
  const tradie = screens.harness.addTradie();
  const job = addJob();
  const before = await screens.show('/dashboard', tradie);
  const { db } = must(before.phone, 'the phone');
  const key = interestDraftOf(job.id);
  if (written !== undefined) await db.drafts.put({ key, value: written, savedAt: late });
  keepLastTyped(sessionStorage, tradie.id, key, { value: 'Free on Monday', typedAt: early, wasKept });
  await before.goTo(`/job/${job.id}`);
  const note = await screen.findByRole('textbox', { name: /Note to the homeowner/ });
  await waitFor(() => expect(note).toHaveValue(shown));
  await waitFor(async () =>
    expect(new Set((await db.drafts.toArray()).map(({ value }) => value))).toEqual(new Set(kept)),
  );
  await waitFor(() => expect(lastTypedSlot(sessionStorage, tradie.id, key)).toBeUndefined());
});
