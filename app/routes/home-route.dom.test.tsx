import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallRejected } from '../api/call.ts';
import type { AuthState } from '../context/app-context.ts';
import { createCell } from '../lib/cell.ts';
import { linkThatBrings } from '../testing/link-that-brings.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const noProfile = async (): Promise<never> => {
  throw new CallRejected(404, JSON.stringify({ error: 'No profile yet.', code: 'profile-missing' }));
};
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
const dialog = () => within(screen.getByRole('dialog'));
/** The dialog is fetched when it is first wanted. */
const opened = async () => within(await screen.findByRole('dialog'));

test('the landing page waits for neither configuration nor session; both buttons open the sign-in dialog [§1, §2 /, §offline]', async () => {
  const { user } = await screens.show('/', undefined, {
    app: { authState: createCell<AuthState>({ kind: 'starting' }) },
  });
  expect(screen.getByRole('heading', { level: 1, name: 'Connecting Homeowners & Tradies Across NZ' })).toBeVisible();
  for (const name of ['Post a Job (Free)', 'Join as a Tradie']) {
    await user.click(screen.getAllByRole('link', { name })[0] ?? document.body);
    expect((await opened()).getByRole('button', { name: 'Continue' })).toBeEnabled();
    await user.click(dialog().getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

test('other pages wait for the session, a page that is not there does not [§1, §4 start-up]', async () => {
  const starting = { app: { authState: createCell<AuthState>({ kind: 'starting' }) } };
  const { goTo } = await screens.show('/dashboard', undefined, starting);
  expect(screen.getByText('Loading application...')).toBeVisible();
  await goTo('/no-such-page');
  expect(await screen.findByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  expect(screen.queryByText('Loading application...')).toBeNull();
});

test('404 [§2, §8, §offline]', async () => {
  await screens.show('/no-such-page', undefined, { app: { authState: createCell<AuthState>({ kind: 'starting' }) } });
  expect(await screen.findByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'support@dwang.nz' })).toHaveAttribute(
    'href',
    'mailto:support@dwang.nz',
  );
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Go to dwang.nz' })).toHaveAttribute('href', '/');
});

test('a new person: credentials, confirm, details, dashboard; back goes the same way [§2 sign-in, §4 sign-in, §5, §8]', async () => {
  let isConfirmed = false;
  const { user, address } = await screens.show('/', undefined, {
    answers: { 'users.me': noProfile, 'users.create': currentUser },
    auth: {
      signIn: async () => {
        if (!isConfirmed) throw new Error('Invalid login credentials');
      },
      sessionEmail: async () => 'aroha@example.nz',
    },
  });
  await user.click(screen.getByRole('link', { name: 'Login / Sign Up' }));
  await user.type((await opened()).getByRole('textbox', { name: 'Email' }), 'aroha@example.nz');
  await user.type(dialog().getByLabelText('Password'), 'secret1');
  await user.click(dialog().getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('A confirmation link was sent')).toBeVisible();
  expect(dialog().getByText('aroha@example.nz')).toBeVisible();

  await user.click(dialog().getByRole('button', { name: 'Back' }));
  expect(dialog().getByRole('textbox', { name: 'Email' })).toHaveValue('aroha@example.nz');
  await user.click(dialog().getByRole('button', { name: 'Continue' }));

  await user.click(await dialog().findByRole('button', { name: "I've Confirmed My Email" }));
  expect(await screen.findByText('Please confirm your email before proceeding')).toBeVisible();
  // The provider calls the password wrong, which waiting for the mail may not mend.
  expect(await dialog().findByText('Opened the link already?')).toBeVisible();
  isConfirmed = true;
  await user.click(dialog().getByRole('button', { name: "I've Confirmed My Email" }));
  expect(await screen.findByText('Email confirmed!')).toBeVisible();

  await user.click(await dialog().findByRole('button', { name: 'Back' }));
  await user.click(await dialog().findByRole('button', { name: "I've Confirmed My Email" }));
  await user.click(await dialog().findByRole('button', { name: 'Complete Profile' }));
  expect(await dialog().findByText('First name is required')).toBeVisible();
  expect(dialog().getByText('Last name is required')).toBeVisible();
  await user.type(dialog().getByRole('textbox', { name: 'First name' }), 'Aroha');
  await user.type(dialog().getByRole('textbox', { name: 'Last name' }), 'Ngata');
  await user.click(dialog().getByRole('button', { name: 'Complete Profile' }));
  expect(await screen.findByText('Profile complete!')).toBeVisible();
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

test('every part of the landing page is there, and the footer leads to the terms [§1, §2 /, §9, §settled]', async () => {
  await screens.show('/');
  for (const name of [
    'Free to post jobs',
    'NZBN verified tradies',
    '100% Kiwi owned',
    'Why homeowners love us',
    'Tradie pricing',
    'How it works',
    'For homeowners',
    'For tradies',
  ]) {
    expect(screen.getByRole('heading', { name })).toBeVisible();
  }
  expect(screen.getByText('$19')).toBeVisible();
  expect(screen.getByText('14 days free, then $21.85 a month, GST included.')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Under 30 seconds' })).toBeVisible();
  expect(
    within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Terms of use and Privacy policy' }),
  ).toHaveAttribute('href', '/legal');
});

async function giveCredentials(user: UserEvent, email = 'aroha@example.nz', password = 'secret1') {
  await user.click(screen.getByRole('link', { name: 'Login / Sign Up' }));
  if (email !== '') await user.type(dialog().getByRole('textbox', { name: 'Email' }), email);
  if (password !== '') await user.type(dialog().getByLabelText('Password'), password);
  await user.click(dialog().getByRole('button', { name: 'Continue' }));
}

test('a person with a profile is welcomed back and goes to the dashboard [§2 /, §8]', async () => {
  const { user, address } = await screens.show('/', undefined, { answers: { 'users.me': currentUser } });
  await giveCredentials(user);
  expect(await screen.findByText('Welcome back!')).toBeVisible();
  expect(screen.getByText('You have been signed in successfully')).toBeVisible();
  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('signed in without a profile record, the details are asked for, and Back leads to the credentials [§2 sign-in, §4 sign-in]', async () => {
  const { user } = await screens.show('/', undefined, { answers: { 'users.me': noProfile } });
  await giveCredentials(user);
  expect(await dialog().findByRole('button', { name: 'Complete Profile' })).toBeEnabled();
  await user.click(dialog().getByRole('button', { name: 'Back' }));
  expect(await dialog().findByRole('button', { name: 'Continue' })).toBeEnabled();
  expect(dialog().queryByRole('button', { name: 'Back' })).toBeNull();
});

test('a sign-up that gives a session at once goes straight to the details [§4 sign-in, §8]', async () => {
  const { user } = await screens.show('/', undefined, {
    answers: { 'users.me': noProfile },
    auth: {
      signIn: async () => {
        throw new Error('User not found');
      },
      signUp: async () => 'session',
    },
  });
  await giveCredentials(user);
  expect(await screen.findByText('Account created!')).toBeVisible();
  expect(screen.getByText('Please complete your profile')).toBeVisible();
  expect(dialog().getByRole('button', { name: 'Complete Profile' })).toBeEnabled();
});

test('email and password are looked at before anything is sent [§5]', async () => {
  const signIn = vi.fn(async () => undefined);
  const { user } = await screens.show('/', undefined, { auth: { signIn } });
  await giveCredentials(user, '', '');
  expect(dialog().getByText('Email is required')).toBeVisible();
  expect(dialog().getByText('Password is required')).toBeVisible();
  await user.type(dialog().getByRole('textbox', { name: 'Email' }), 'not an address');
  await user.type(dialog().getByLabelText('Password'), 'short');
  expect(dialog().getByText('Enter an email address, like name@example.co.nz')).toBeVisible();
  expect(dialog().getByText('Password must be at least 6 characters')).toBeVisible();
  expect(signIn).not.toHaveBeenCalled();
});

test('an error of the provider is shown as it says it, and nothing typed is lost [§4 sign-in, §8]', async () => {
  const { user, app } = await screens.show('/', undefined, {
    auth: {
      signIn: async () => {
        throw new Error('Too many requests');
      },
    },
  });
  await giveCredentials(user);
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({
      title: 'Error',
      description: 'Too many requests',
      variant: 'destructive',
    }),
  );
  expect(dialog().getByLabelText('Password')).toHaveValue('secret1');
});

test('a forgotten password: an address is needed, then the mail is sent [§2 sign-in, §4 sign-in, §5, §8]', async () => {
  const sendReset = vi.fn(async () => undefined);
  const { user, app } = await screens.show('/', undefined, { auth: { sendReset } });
  await user.click(screen.getByRole('link', { name: 'Login / Sign Up' }));
  await user.click(dialog().getByRole('button', { name: 'Forgot password?' }));
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({
      title: 'Enter your email',
      description: 'Please enter your email address first to receive a reset link.',
    }),
  );
  await user.type(dialog().getByRole('textbox', { name: 'Email' }), ' aroha@example.nz ');
  await user.click(dialog().getByRole('button', { name: 'Forgot password?' }));
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({
      title: 'Password reset sent',
      description: "If an account exists for this email, we've sent a password reset link",
    }),
  );
  expect(sendReset).toHaveBeenCalledWith('aroha@example.nz');
});

test('closing the dialog forgets what was typed [§2 sign-in]', async () => {
  const { user } = await screens.show('/');
  await user.click(screen.getByRole('link', { name: 'Login / Sign Up' }));
  await user.type((await opened()).getByRole('textbox', { name: 'Email' }), 'aroha@example.nz');
  await user.click(dialog().getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('link', { name: 'Login / Sign Up' }));
  expect((await opened()).getByRole('textbox', { name: 'Email' })).toHaveValue('');
});

test('closing the dialog forgets the step, and the fields of every step [§2 sign-in]', async () => {
  const { user } = await screens.show('/', undefined, { answers: { 'users.me': noProfile } });
  await giveCredentials(user);
  await user.type(await dialog().findByRole('textbox', { name: 'First name' }), 'Aroha');
  await user.click(dialog().getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await giveCredentials(user);
  expect(await dialog().findByRole('textbox', { name: 'First name' })).toHaveValue('');
});

test('without signal the dialog says why nothing in it can be done [§offline]', async () => {
  const { user } = await screens.show('/', undefined, { offline: true });
  await user.click(screen.getByRole('link', { name: 'Login / Sign Up' }));
  expect((await opened()).getByText('You need signal for this')).toBeVisible();
  expect(dialog().getByRole('button', { name: 'Continue' })).toBeDisabled();
});

test('the mailed confirmation link brings a toast and the dialog [§2 /, §8]', async () => {
  let left = 1;
  const take = () => (left-- > 0 ? { kind: 'signup' as const, hasSession: false } : { kind: 'none' as const });
  const { address } = await screens.show('/#type=signup', undefined, {
    app: { authRedirect: linkThatBrings(take) },
  });
  expect(await screen.findByText('Email Verified')).toBeVisible();
  expect(dialog().getByRole('button', { name: 'Continue' })).toBeEnabled();
  await waitFor(() => expect(address()).toBe('/'));
});

function usedLink() {
  let left = 1;
  const message = 'Email link is invalid or has expired';
  const take = () => (left-- > 0 ? { kind: 'failed' as const, message } : { kind: 'none' as const });
  return { authRedirect: linkThatBrings(take) };
}

test('a used confirmation link says so until it is put away, and leads on to sign in', async () => {
  const { user, app } = await screens.show('/#error=access_denied', undefined, { app: usedLink() });
  expect(await screen.findByText('This link has been used, or is too old')).toBeVisible();
  expect(screen.getByText(/^Email link is invalid.+you get a new code there\.$/)).toBeVisible();
  expect(app.toasts.current()?.durationMs).toBe(Infinity);
  const region = within(screen.getByRole('region', { name: /^Notifications/ }));
  await user.click(region.getByRole('button', { name: 'Login / Sign Up' }));
  expect((await opened()).getByRole('button', { name: 'Continue' })).toBeEnabled();
});

test('a used confirmation link tells a person who is signed in that they need none', async () => {
  await screens.show('/#error=access_denied', screens.harness.addHomeowner(), { app: usedLink() });
  expect(await screen.findByText(/You are signed in, so you need no link\.$/)).toBeVisible();
});

test('the logo leads home from home, and to the dashboard from anywhere else [§2 header]', async () => {
  const { goTo } = await screens.show('/', screens.harness.addHomeowner());
  const logo = () => screen.getByRole('link', { name: 'Dwang home' }).getAttribute('href');
  expect(logo()).toBe('/');
  await goTo('/dashboard');
  expect(logo()).toBe('/dashboard');
});

test('an address that asks for the dialog opens it, and from then on is the page’s own', async () => {
  const { address } = await screens.show('/find-tradies?q=roof&sign-in');
  expect((await opened()).getByRole('button', { name: 'Continue' })).toBeEnabled();
  await waitFor(() => expect(address()).toBe('/find-tradies?q=roof'));
});

test('the way to sign in is a link, which a tap that means another tab follows', async () => {
  await screens.show('/');
  const link = screen.getByRole('link', { name: 'Login / Sign Up' });
  expect(link).toHaveAttribute('href', '?sign-in');
  const isFollowed = (tap: MouseEventInit) => fireEvent.click(link, tap);
  expect(isFollowed({ ctrlKey: true })).toBe(true);
  expect(isFollowed({})).toBe(false);
  expect((await opened()).getByRole('button', { name: 'Continue' })).toBeEnabled();
});
