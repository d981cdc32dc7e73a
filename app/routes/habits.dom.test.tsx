import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Job } from '../../shared/tables/index.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* What people’s fingers expect of every form: the right keyboard, paste, Enter, and to go on where they signed in. */

let screens: Screens;
beforeEach(async () => {
  localStorage.clear();
  screens = await openScreens();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await screens.close();
});

const currentUser = async () => ({
  id: '0195b000-0000-7000-8000-000000000009',
  email: 'aroha@example.nz',
  firstName: 'Aroha',
  lastName: 'Ngata',
  isTradie: false,
  tradieId: null,
  subscriptionStatus: null,
  subscriptionValidUntil: null,
});
const field = (name: string | RegExp) => screen.findByLabelText<HTMLInputElement>(name);

function addJob(changes: Partial<Job> = {}): Job {
  const job = makeJob({ title: 'Roof leak', ...changes });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  return job;
}

/** A field as a phone’s keyboard sees it. */
interface Keyboard {
  type?: string;
  mode?: string;
  complete?: string;
  capitals?: string;
  enter?: string;
  spelling?: string;
}

const town: Keyboard = { type: 'text', complete: 'off', capitals: 'words', spelling: 'false' };
const words: Keyboard = { type: 'textarea' };
const search: Keyboard = { type: 'search', complete: 'off', capitals: 'none', enter: 'search' };
const phone: Keyboard = { type: 'tel', mode: 'tel', complete: 'tel' };
const job: Record<string, Keyboard> = {
  Title: { type: 'text', complete: 'off' },
  Description: words,
  Town: town,
  'Budget max': { type: 'text', mode: 'decimal', complete: 'off' },
};
const business: Record<string, Keyboard> = {
  'Business name': { type: 'text', complete: 'organization', capitals: 'words' },
  'Business address': { type: 'text', complete: 'street-address', capitals: 'words' },
  'Contact phone': phone,
  'Nearest location': town,
};

/** Every form of the product, and every field in it that brings up a keyboard. */
const forms: { form: string; open: () => Promise<void>; fields: Record<string, Keyboard> }[] = [
  {
    form: 'sign in',
    open: async () => {
      const { user } = await screens.show('/');
      await user.click(screen.getByRole('link', { name: 'Login / Sign Up' }));
      await screen.findByRole('dialog');
    },
    fields: {
      Email: { type: 'email', mode: 'email', complete: 'username', capitals: 'none', spelling: 'false' },
      Password: { type: 'password', complete: 'current-password', enter: 'go' },
    },
  },
  {
    form: 'complete your profile',
    open: async () => {
      const { user } = await screens.show('/', undefined, {
        auth: {
          signIn: async () => {
            throw new Error('User not found');
          },
          signUp: async () => 'session',
        },
      });
      await giveCredentials(user);
      await screen.findByRole('button', { name: 'Complete Profile' });
    },
    fields: {
      'First name': { type: 'text', complete: 'given-name', capitals: 'words' },
      'Last name': { type: 'text', complete: 'family-name', capitals: 'words', enter: 'done' },
    },
  },
  {
    form: 'post a job',
    open: async () => void (await screens.show('/post-job', screens.harness.addHomeowner())),
    fields: job,
  },
  {
    form: 'edit a job',
    open: async () => {
      const owner = screens.harness.addHomeowner();
      await screens.show(`/edit-job/${addJob({ userId: owner.id }).id}`, owner);
    },
    fields: job,
  },
  {
    form: 'express interest',
    open: async () => void (await screens.show(`/job/${addJob().id}`, screens.harness.addTradie())),
    fields: { 'Note to the homeowner': words },
  },
  {
    form: 'find jobs',
    open: async () => {
      const { user } = await screens.show('/find-jobs', screens.harness.addTradie());
      await user.click(await screen.findByRole('button', { name: /^Filters/ }));
    },
    fields: {
      Search: search,
      'Max budget, type a number': { type: 'text', mode: 'numeric', complete: 'off', enter: 'done' },
      Town: town,
    },
  },
  {
    form: 'find tradies',
    open: async () => void (await screens.show('/find-tradies')),
    fields: { 'Business name': search, Town: town },
  },
  {
    form: 'become a tradie',
    open: async () => void (await screens.show('/become-tradie', screens.harness.addHomeowner())),
    fields: {
      NZBN: { type: 'text', mode: 'numeric', complete: 'off', spelling: 'false' },
      ...business,
      'Company description': words,
    },
  },
  {
    form: 'edit a profile',
    open: async () => void (await screens.show('/edit-tradie', screens.harness.addTradie())),
    fields: {
      ...business,
      'Contact first name': { type: 'text', complete: 'given-name', capitals: 'words' },
      'Contact last name': { type: 'text', complete: 'family-name', capitals: 'words' },
      'Business description': words,
    },
  },
  {
    form: 'a new password',
    open: async () => void (await screens.show('/edit-account', screens.harness.addHomeowner())),
    fields: {
      'New password': { type: 'password', complete: 'new-password' },
      'Confirm password': { type: 'password', complete: 'new-password', enter: 'done' },
    },
  },
];

/** What can be written into; not what is only shown, ticked, slid or picked from a wheel. */
function written(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>('input, textarea')].filter(
    (one) =>
      !['checkbox', 'radio', 'range', 'file', 'hidden'].includes(one.type) &&
      !one.readOnly &&
      !one.hidden &&
      one.closest('[hidden], [aria-hidden=true]') === null,
  );
}

function keyboardOf(control: HTMLInputElement): Keyboard {
  const told = {
    mode: 'inputmode',
    complete: 'autocomplete',
    capitals: 'autocapitalize',
    enter: 'enterkeyhint',
    spelling: 'spellcheck',
  };
  const entries = Object.entries(told).map(([name, attribute]) => [name, control.getAttribute(attribute)] as const);
  return { type: control.type, ...Object.fromEntries(entries.filter(([, value]) => value !== null)) };
}

test.each(forms)(
  '$form: every field brings the keyboard and the filling-in that belong to it',
  async ({ open, fields }) => {
    await open();
    const [first = ''] = Object.keys(fields);
    await waitFor(() => expect(screen.getByLabelText(new RegExp(`^${first}`))).toBeVisible());
    const shown = Object.fromEntries(written().map((control) => [nameOf(control), keyboardOf(control)]));
    expect(shown).toEqual(fields);
  },
);

function nameOf(control: HTMLInputElement): string {
  const label =
    control.getAttribute('aria-label') ?? [...(control.labels ?? [])].map((one) => one.textContent).join(' ');
  return label.replace('(optional)', '').trim();
}

async function giveCredentials(user: UserEvent, opener = 'Login / Sign Up') {
  await user.click(await screen.findByRole(opener === 'Sign In' ? 'button' : 'link', { name: opener }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Email' }), 'aroha@example.nz');
  await user.type(dialog.getByLabelText('Password'), 'secret1');
  await user.click(dialog.getByRole('button', { name: 'Continue' }));
}

test('Enter sends the details, the new password and the onboarding form; in a textarea it begins a line', async () => {
  const updatePassword = vi.fn(async () => undefined);
  const person = screens.harness.addTradie();
  const { user, goTo } = await screens.show('/edit-account', person, { auth: { updatePassword } });
  await user.type(await field('New password'), 'long enough');
  await user.type(await field('Confirm password'), 'long enough{Enter}');
  await waitFor(() => expect(updatePassword).toHaveBeenCalledWith('long enough'));
  await goTo('/edit-tradie');
  const description = await field(/^Business description/);
  await user.clear(description);
  await user.type(description, 'One{Enter}two');
  expect(description).toHaveValue('One\ntwo');
  await user.type(await field('Business name'), ' Limited{Enter}');
  await waitFor(() =>
    expect(screens.harness.server.rows.tradies.get(person.tradieId ?? '')).toMatchObject({
      businessName: expect.stringMatching(/ Limited$/),
      description: 'One\ntwo',
    }),
  );
});

test('Enter completes a profile', async () => {
  const create = vi.fn(currentUser);
  const { user, address } = await screens.show('/', undefined, {
    answers: { 'users.create': create },
    auth: {
      signIn: async () => {
        throw new Error('User not found');
      },
      signUp: async () => 'session',
      sessionEmail: async () => 'aroha@example.nz',
    },
  });
  await giveCredentials(user);
  await user.type(await screen.findByRole('textbox', { name: 'First name' }), 'Aroha');
  await user.type(screen.getByRole('textbox', { name: 'Last name' }), 'Ngata{Enter}');
  await waitFor(() => expect(create).toHaveBeenCalledOnce());
  // A new person begins on the dashboard, wherever they signed up.
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

test.each([
  ['/find-jobs', 'Please sign in to browse jobs'],
  ['/edit-account', 'Please sign in to edit your account'],
  ['/post-job?like=0195b000-0000-7000-8000-000000000001', 'Please sign in to post a job'],
])('a link to %s leads through signing in, and back to it', async (path, asks) => {
  const { user, address } = await screens.show(path, undefined, { answers: { 'users.me': currentUser } });
  expect(await screen.findByText(asks)).toBeVisible();
  await giveCredentials(user, 'Sign In');
  expect(await screen.findByText('Welcome back!')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(address()).toBe(path);
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
});
