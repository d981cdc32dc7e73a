import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuthState, ConnectionStatus, LinkProgress, SignedIn } from '../context/app-context.ts';
import { createCell, type Cell } from '../lib/cell.ts';
import { linkThatBrings } from '../testing/link-that-brings.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* A mailed link is opened in a browser without a session: what stands there while its own is taken. */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const opened = async () => within(await screen.findByRole('dialog'));
const title = () => screen.getByRole('dialog').querySelector('h2')?.textContent;

function arriving() {
  const progress = createCell<LinkProgress>('signing-in');
  let left = 1;
  const take = () => (left-- > 0 ? { kind: 'signup' as const, hasSession: true } : { kind: 'none' as const });
  const authRedirect = { ...linkThatBrings(take), settled: new Promise<boolean>(() => undefined), progress };
  return { authRedirect, progress };
}

test('a confirmation link shows no form to type into while it signs in, and then asks for the name', async () => {
  const { authRedirect, progress } = arriving();
  const connection = createCell<ConnectionStatus>({ kind: 'online', lastSynced: null });
  const { app, goTo } = await screens.show('/legal', screens.harness.addHomeowner(), {
    app: { authRedirect, connection },
  });
  const authState = app.authState as Cell<AuthState>;
  const person = authState.current() as SignedIn;
  act(() => authState.set({ kind: 'signed-out' }));
  await goTo('/');
  const dialog = await opened();
  expect(await dialog.findByText('Opening your account')).toBeVisible();
  expect(title()).toBe('Signing you in');
  expect(dialog.queryByRole('textbox')).toBeNull();
  // Signed in; whether there is a profile only the server knows.
  act(() => {
    authState.set(person);
    progress.set('none');
  });
  expect(dialog.getByText('Opening your account')).toBeVisible();
  expect(dialog.queryByRole('textbox')).toBeNull();
  act(() => authState.set({ ...person, lacksProfile: true }));
  expect(await dialog.findByRole('textbox', { name: 'First name' })).toBeVisible();
  expect(title()).toBe('Complete your profile');
});

test('a confirmation link that cannot sign in leads to the form, with the reason', async () => {
  const { authRedirect, progress } = arriving();
  await screens.show('/#type=signup', undefined, { app: { authRedirect } });
  const dialog = await opened();
  expect(await dialog.findByText('Opening your account')).toBeVisible();
  act(() => progress.set('failed'));
  expect(await dialog.findByText('The link could not sign you in')).toBeVisible();
  expect(dialog.getByRole('textbox', { name: 'Email' })).toBeVisible();
});

test('a person who has a profile, and opens a link to it, is asked nothing', async () => {
  const { authRedirect, progress } = arriving();
  await screens.show('/#type=signup', screens.harness.addHomeowner(), { app: { authRedirect } });
  const dialog = await opened();
  expect(dialog.queryByRole('textbox')).toBeNull();
  act(() => progress.set('none'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a link to choose a password asks for no sign-in while it signs in', async () => {
  const { authRedirect, progress } = arriving();
  await screens.show('/edit-account', undefined, { app: { authRedirect } });
  expect(screen.getByText('Signing you in')).toBeVisible();
  expect(screen.queryByText('Please sign in to edit your account')).toBeNull();
  act(() => progress.set('failed'));
  expect(await screen.findByText('The link could not sign you in')).toBeVisible();
  expect(screen.getByText('Please sign in to edit your account')).toBeVisible();
});
