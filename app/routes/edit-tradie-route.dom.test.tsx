import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { findWaitingLogo, keepLogo } from '../photos/keep-logo.ts';
import { makePicture } from '../testing/make-picture.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name, { selector: 'input' });
const save = () => screen.getByRole('button', { name: 'Save Changes' });
const onServer = (person: User) => must(screens.harness.server.rows.tradies.get(person.tradieId ?? ''), 'the profile');
const addTradie = (changes: Partial<Tradie> = {}) =>
  screens.harness.addTradie(
    {},
    { businessName: 'Southern Spouting', categoryIds: ['spouting'], email: 'hello@spouting.nz', ...changes },
  );
const picture = () => makePicture('Tōtara logo.png');

test('signed out, it asks to sign in [§2 /edit-tradie]', async () => {
  await screens.show('/edit-tradie');
  expect(await screen.findByRole('heading', { name: 'Please sign in to edit your profile' })).toBeVisible();
});

test('a homeowner has nothing to edit, and is shown the way [§2 /edit-tradie]', async () => {
  await screens.show('/edit-tradie', screens.harness.addHomeowner());
  expect(await screen.findByRole('heading', { name: "You don't have a tradie profile" })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Become a Tradie' })).toHaveAttribute('href', '/become-tradie');
});

test('opens with what is there; the email is the account’s and stays [§2 /edit-tradie]', async () => {
  await screens.show('/edit-tradie', addTradie());
  expect(await field('Business name')).toHaveValue('Southern Spouting');
  expect(await field('Contact phone')).toHaveValue('021 123 4567');
  expect(await field('Business email')).toHaveValue('hello@spouting.nz');
  expect((await field('Business email')).readOnly).toBe(true);
  expect(screen.getByText('This uses your account email address')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Spouting and Guttering' })).toBeChecked();
  expect(screen.getByRole('combobox', { name: /Nearest location/ })).toHaveValue('Winton');
});

test('until the profile has come there is a spinner [§2 /edit-tradie]', async () => {
  const person = addTradie();
  const { phone, goTo } = await screens.show('/legal', person);
  const { db } = must(phone, 'the phone');
  const profile = must(await db.tradies.get(person.tradieId ?? ''), 'the profile');
  await db.tradies.clear();
  await goTo('/edit-tradie');
  expect(await screen.findByText('Loading your profile')).toBeVisible();
  await db.tradies.put(profile);
  expect(await field('Business name')).toHaveValue('Southern Spouting');
});

test('while it is being sent the button says so [§2 /edit-tradie]', async () => {
  const { user, phone } = await screens.show('/edit-tradie', addTradie());
  must(phone, 'the phone').hold();
  await user.type(await field('Business name'), ' Ltd');
  await user.click(save());
  expect(await screen.findByRole('button', { name: /Saving\.\.\./ })).toBeVisible();
});

test('an edit that cannot be queued, and does not say why, is told in the words for it [§8]', async () => {
  const { user, phone, app } = await screens.show('/edit-tradie', addTradie());
  vi.spyOn(must(phone, 'the phone').sync, 'mutate').mockRejectedValue(new Error(''));
  await user.type(await field('Business name'), ' Ltd');
  await user.click(save());
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({
      title: 'Error',
      description: 'Failed to update profile',
      variant: 'destructive',
    }),
  );
  expect(await field('Business name')).toHaveValue('Southern Spouting Ltd');
});

test('what the server accepts is called updated, and the page goes back [§1, §4 subscription, §8]', async () => {
  const person = addTradie();
  const { user, goTo, address } = await screens.show('/find-tradies', person);
  await goTo('/edit-tradie');
  await user.clear(await field('Business name'));
  await user.type(await field('Business name'), 'Southern Spouting & Roofs');
  await user.click(screen.getByRole('checkbox', { name: 'Builder' }));
  await user.click(save());
  expect(await screen.findByText('Profile Updated')).toBeVisible();
  await waitFor(() => expect(address()).toBe('/find-tradies'));
  expect(onServer(person)).toMatchObject({
    businessName: 'Southern Spouting & Roofs',
    categoryIds: ['spouting', 'builder'],
  });
});

test('without signal it is saved on this phone, and called updated only once the server has it [§offline]', async () => {
  const person = addTradie();
  const { user, phone } = await screens.show('/edit-tradie', person, { offline: true });
  await user.type(await field('Business name'), ' Ltd');
  await user.click(save());
  expect(
    await screen.findByText(
      "Saved on this phone. We'll send it when you're back in coverage.",
      {},
      { timeout: 10_000 },
    ),
  ).toBeVisible();
  expect(screen.queryByText('Profile Updated')).toBeNull();
  expect(onServer(person).businessName).toBe('Southern Spouting');
  screens.harness.goOnline(must(phone, 'the phone'));
  expect(await screen.findByText('Profile Updated', {}, { timeout: 10_000 })).toBeVisible();
  expect(onServer(person).businessName).toBe('Southern Spouting Ltd');
});

test('a missing phone and a name that is gone are named, at the field and in one list [§5]', async () => {
  const { user, app } = await screens.show('/edit-tradie', addTradie());
  await user.clear(await field('Contact phone'));
  await user.clear(await field('Business name'));
  await user.click(save());
  expect(await screen.findByRole('heading', { name: '2 things to fix' })).toBeVisible();
  expect(app.toasts.current()).toMatchObject({
    title: 'Invalid Phone Number',
    description: 'Phone number is required',
  });
  expect(screen.getByRole('link', { name: 'Business name is required.' })).toHaveAttribute(
    'href',
    '#profile-businessName',
  );
});

test('Cancel goes back and forgets; leaving otherwise keeps what was typed [§2 /edit-tradie]', async () => {
  const { user, goTo, phone, address } = await screens.show('/find-tradies', addTradie());
  await goTo('/edit-tradie');
  await user.type(await field('Business name'), ' Ltd');
  await waitFor(async () => expect(await phone?.db.drafts.get('edit-tradie')).toBeDefined());
  await goTo('/legal');
  await goTo('/edit-tradie');
  expect(await field('Business name')).toHaveValue('Southern Spouting Ltd');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(address()).toBe('/legal'));
  expect(await phone?.db.drafts.get('edit-tradie')).toBeUndefined();
});

test('a field that was changed elsewhere meanwhile is shown with both values, and mine can be kept [§offline]', async () => {
  const person = addTradie();
  const { user, phone, goTo } = await screens.show('/find-tradies', person, { offline: true });
  await goTo('/edit-tradie');
  await user.clear(await field('Business name'));
  await user.type(await field('Business name'), 'Mine');
  await user.click(save());
  await screen.findByText(/^Saved on this phone\. We'll/, {}, { timeout: 10_000 });
  screens.harness.server.write((rows) =>
    rows.tradies.set(person.tradieId ?? '', { ...onServer(person), businessName: 'Theirs' }),
  );
  screens.harness.goOnline(must(phone, 'the phone'));
  await screens.harness.sync();
  await goTo('/edit-tradie');
  expect(await screen.findByText('From the other device')).toBeVisible();
  expect(await field('Business name')).toHaveValue('Mine');
  expect(screen.getByText('Theirs', { exact: false })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Keep mine' }));
  expect(await screen.findByText('Profile Updated')).toBeVisible();
  expect(onServer(person).businessName).toBe('Mine');
  await waitFor(async () => expect(await phone?.db.refused.count()).toBe(0));
});

test('or the other is taken, and nothing is left to settle', async () => {
  const person = addTradie();
  const { user, phone, goTo } = await screens.show('/find-tradies', person, { offline: true });
  await phone?.sync.mutate('profile.edit', {
    id: person.tradieId ?? '',
    set: { businessName: 'Mine' },
    base: { businessName: 'Southern Spouting' },
  });
  screens.harness.server.write((rows) =>
    rows.tradies.set(person.tradieId ?? '', { ...onServer(person), businessName: 'Theirs' }),
  );
  screens.harness.goOnline(must(phone, 'the phone'));
  await screens.harness.sync();
  await goTo('/edit-tradie');
  await user.click(await screen.findByRole('button', { name: 'Keep the other' }));
  await waitFor(async () => expect(await field('Business name')).toHaveValue('Theirs'));
  await waitFor(() => expect(screen.queryByText('From the other device')).toBeNull());
  expect(await phone?.db.refused.count()).toBe(0);
});

test('a rejected edit whose logo storage has lost is sent again with its words, and not with an address where nothing is', async () => {
  const person = addTradie();
  const { user, phone, goTo } = await screens.show('/find-tradies', person);
  const { db } = must(phone, 'the phone');
  const gone = 'tradie-logos/0c7e5a52-6a37-4f0e-9d5e-5f6f0f7d7c11/1-logo.png';
  const args = {
    id: person.tradieId ?? '',
    set: { businessName: 'Mine', logo: gone },
    base: { businessName: 'Southern Spouting', logo: '' },
  };
  await db.refused.put({
    uid: makeTestId(),
    seq: 1,
    name: 'profile.edit',
    args,
    at: '',
    status: 'refused',
    code: 'file-missing',
    message: 'Send this picture again.',
    fields: null,
    refusedAt: '',
  });
  await goTo('/edit-tradie');
  expect(await screen.findByText('Send this picture again.')).toBeVisible();
  await user.click(save());
  expect(await screen.findByText('Profile Updated')).toBeVisible();
  expect(onServer(person)).toMatchObject({ businessName: 'Mine', logo: '' });
});

test('a new logo is uploaded and sent with the texts in one edit [§2 /edit-tradie, §3]', async () => {
  const person = addTradie({ logo: 'https://files.example.nz/old.png' });
  const putLogo = vi.fn(async ({ path }: { path: string }) => ({ kind: 'up' as const, ref: `tradie-logos/${path}` }));
  const { user, phone } = await screens.show('/edit-tradie', person, { app: { putLogo } });
  await user.upload(await field('Change logo'), picture());
  await screen.findByRole('button', { name: 'Remove logo' });
  await user.click(save());
  expect(await screen.findByText('Profile Updated')).toBeVisible();
  expect(onServer(person).logo).toMatch(/^tradie-logos\/[0-9a-f-]{36}\/\d+-Totara-logo\.png$/);
  expect(await findWaitingLogo(must(phone, 'the phone').db)).toBeUndefined();
});

test('removing a newly chosen logo shows the saved one again [§2 /edit-tradie]', async () => {
  const { user } = await screens.show('/edit-tradie', addTradie({ logo: 'https://files.example.nz/old.png' }));
  await user.upload(await field('Change logo'), picture());
  await user.click(await screen.findByRole('button', { name: 'Remove logo' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove logo' })).toBeNull());
  expect(document.querySelector('fieldset img')).toHaveAttribute('src', 'https://files.example.nz/old.png');
});

test('a logo chosen without signal is kept on this phone, waits where all that waits is shown, and can be discarded [§offline]', async () => {
  const person = addTradie();
  const { user, phone, goTo, address } = await screens.show('/find-tradies', person, { offline: true });
  await goTo('/edit-tradie');
  await user.upload(await field('Upload logo'), picture());
  await screen.findByRole('button', { name: 'Remove logo' });
  await user.click(save());
  expect(await screen.findByText("Saved on this phone. We'll send it when you're back in coverage.")).toBeVisible();
  expect(await findWaitingLogo(must(phone, 'the phone').db)).toMatchObject({
    tradieId: person.tradieId,
    base: '',
    type: 'image/png',
    state: 'waiting',
  });
  await waitFor(() => expect(address()).toBe('/find-tradies'));
  await goTo('/edit-tradie');
  expect(await screen.findByText('Saved on this phone')).toBeVisible();
  await goTo('/waiting');
  expect(await screen.findByRole('heading', { name: 'Waiting to send (1)' })).toBeVisible();
  expect(screen.getByText('Your new logo')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await user.click(await screen.findByRole('button', { name: 'Discard it' }));
  expect(await screen.findByRole('heading', { name: 'Nothing is waiting' })).toBeVisible();
  expect(await findWaitingLogo(must(phone, 'the phone').db)).toBeUndefined();
});

test('a logo must be JPEG, PNG or WebP [§5]', async () => {
  await screens.show('/edit-tradie', addTradie());
  // A file dropped on the field gets past its accept list.
  await userEvent
    .setup({ applyAccept: false })
    .upload(await field('Upload logo'), new File([new Uint8Array([1])], 'logo.svg', { type: 'image/svg+xml' }));
  expect(await screen.findByText('Choose a JPEG, PNG or WebP picture')).toBeVisible();
});

test('storage’s own words are shown where it does not take the picture [§8]', async () => {
  const { user, app } = await screens.show('/edit-tradie', addTradie(), {
    app: { putLogo: async () => ({ kind: 'refused', message: 'The object exceeded the maximum allowed size' }) },
  });
  await user.upload(await field('Upload logo'), picture());
  await screen.findByRole('button', { name: 'Remove logo' });
  await user.click(save());
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({
      title: 'Error',
      description: 'The object exceeded the maximum allowed size',
    }),
  );
});

test('a second logo that storage rejects leaves the first, saved on this phone, waiting', async () => {
  const person = addTradie();
  const first = '0c7e5a52-6a37-4f0e-9d5e-5f6f0f7d7c11/1-logo.png';
  const { user, app, phone } = await screens.show('/edit-tradie', person, {
    app: {
      putLogo: async ({ path }) =>
        path === first
          ? { kind: 'unreachable' }
          : { kind: 'refused', message: 'The object exceeded the maximum allowed size' },
    },
  });
  const { db } = must(phone, 'the phone');
  await keepLogo(
    db,
    { tradieId: person.tradieId ?? '', base: '', path: first, bytes: new ArrayBuffer(3), type: 'image/png' },
    '2026-01-02T00:00:00.000Z',
  );
  await screen.findByText('Saved on this phone');
  await user.upload(await screen.findByLabelText<HTMLInputElement>(/^(Upload|Change) logo$/), picture());
  await waitFor(() => expect(screen.queryByText('Saved on this phone')).toBeNull());
  await user.click(save());
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({
      title: 'Error',
      description: 'The object exceeded the maximum allowed size',
    }),
  );
  expect(await findWaitingLogo(db)).toMatchObject({ path: first, state: 'waiting' });
});
