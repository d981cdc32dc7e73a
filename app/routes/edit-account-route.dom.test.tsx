import type { PasswordChoice } from '../context/app-context.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallRejected } from '../api/call.ts';
import type { ConnectionStatus } from '../context/app-context.ts';
import { createCell } from '../lib/cell.ts';
import { ProofNeeded, type PasswordProof } from '../session/proof-needed.ts';
import { fakeAlerts } from '../testing/fake-alerts.ts';
import { linkThatBrings } from '../testing/link-that-brings.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const input = (name: string) => screen.findByLabelText<HTMLInputElement>(name);

test('signed out, it asks to sign in [§2 /edit-account]', async () => {
  await screens.show('/edit-account');
  expect(await screen.findByRole('heading', { name: 'Please sign in to edit your account' })).toBeVisible();
});

test('shows email and names, which cannot be changed here, and whom to ask [§2 /edit-account, §6, §9]', async () => {
  const person = screens.harness.addHomeowner({ firstName: 'Hana', lastName: 'Parata', email: 'hana@example.nz' });
  await screens.show('/edit-account', person);
  for (const [label, value] of [
    ['Email', 'hana@example.nz'],
    ['First name', 'Hana'],
    ['Last name', 'Parata'],
  ] as const) {
    expect(await input(label)).toHaveValue(value);
    expect((await input(label)).readOnly).toBe(true);
  }
  for (const name of ['Account Information', 'Reset Password'])
    expect(screen.getByRole('region', { name })).toBeVisible();
  expect(screen.getByText(/within 3 business days/)).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Subscription' })).toBeNull();
});

test('until the account has come there is a spinner [§2 /edit-account]', async () => {
  const connection = createCell<ConnectionStatus>({ kind: 'online', lastSynced: null });
  const person = screens.harness.addHomeowner({ firstName: 'Hana' });
  const { phone } = await screens.show('/legal', person, { app: { connection } }).then(async (shown) => {
    await shown.phone?.db.users.clear();
    await shown.goTo('/edit-account');
    return shown;
  });
  expect(await screen.findByText('Loading your account')).toBeVisible();
  await phone?.db.users.put(person);
  expect(await screen.findByDisplayValue('Hana')).toBeVisible();
});

test('while the provider thinks about it, the button says so [§2 /edit-account]', async () => {
  const { user } = await screens.show('/edit-account', screens.harness.addHomeowner(), {
    auth: { updatePassword: () => new Promise<void>(() => undefined) },
  });
  await user.type(await input('New password'), 'long enough');
  await user.type(await input('Confirm password'), 'long enough');
  await user.click(screen.getByRole('button', { name: 'Update Password' }));
  expect(await screen.findByRole('button', { name: /Updating\.\.\./ })).toBeVisible();
});

test('a new password has six characters at least and is typed twice alike [§2 /edit-account, §5, §8]', async () => {
  const updatePassword = vi.fn(async () => undefined);
  const { user, app } = await screens.show('/edit-account', screens.harness.addHomeowner(), {
    auth: { updatePassword },
  });
  await user.type(await input('New password'), 'short');
  await user.type(await input('Confirm password'), 'short');
  await user.click(screen.getByRole('button', { name: 'Update Password' }));
  expect(app.toasts.current()).toMatchObject({
    title: 'Error',
    description: 'Password must be at least 6 characters',
    variant: 'destructive',
  });
  await user.clear(await input('New password'));
  await user.type(await input('New password'), 'long enough');
  await user.click(screen.getByRole('button', { name: 'Update Password' }));
  expect(app.toasts.current()).toMatchObject({ title: 'Error', description: 'Passwords do not match' });
  expect(updatePassword).not.toHaveBeenCalled();
  await user.clear(await input('Confirm password'));
  await user.type(await input('Confirm password'), 'long enough{Enter}');
  await waitFor(() => expect(updatePassword).toHaveBeenCalledWith('long enough'));
  expect(await screen.findByText('Password Updated')).toBeVisible();
  expect(await input('New password')).toHaveValue('');
});

test.each([
  [
    'New password should be different from the old password.',
    'New password should be different from the old password.',
  ],
  ['', 'Failed to update password'],
])('a provider that says no with %j is quoted as %j, and nothing typed is lost [§8]', async (said, shown) => {
  const { user, app } = await screens.show('/edit-account', screens.harness.addHomeowner(), {
    auth: {
      updatePassword: async () => {
        throw new Error(said);
      },
    },
  });
  await user.type(await input('New password'), 'long enough');
  await user.type(await input('Confirm password'), 'long enough');
  await user.click(screen.getByRole('button', { name: 'Update Password' }));
  await waitFor(() => expect(app.toasts.current()).toMatchObject({ title: 'Error', description: shown }));
  expect(await input('New password')).toHaveValue('long enough');
});

test('a sign-in of a while ago wants the current password, and what was typed stays', async () => {
  const updatePassword = vi.fn(async (_password: string, proof?: PasswordProof) => {
    if (proof === undefined) throw new ProofNeeded('Password update requires reauthentication');
    if ('currentPassword' in proof && proof.currentPassword !== 'the old one')
      throw new Error('Your current password is not right.');
  });
  const { user, app } = await screens.show('/edit-account', screens.harness.addHomeowner(), {
    auth: { updatePassword },
  });
  expect(screen.queryByLabelText('Current password')).toBeNull();
  await user.type(await input('New password'), 'long enough');
  await user.type(await input('Confirm password'), 'long enough{Enter}');
  const current = await screen.findByLabelText<HTMLInputElement>('Current password');
  await waitFor(() => expect(current).toHaveFocus());
  expect(await input('New password')).toHaveValue('long enough');
  await user.type(current, '{Enter}');
  expect(await screen.findByText('Current password is required')).toBeVisible();
  await user.type(current, 'wrong{Enter}');
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({ title: 'Error', description: 'Your current password is not right.' }),
  );
  await user.clear(current);
  await user.type(current, 'the old one{Enter}');
  expect(await screen.findByText('Password Updated')).toBeVisible();
  expect(updatePassword).toHaveBeenLastCalledWith('long enough', { currentPassword: 'the old one' });
  expect(screen.queryByLabelText('Current password')).toBeNull();
});

test('a person who has forgotten the current password is mailed a code', async () => {
  const mailCode = vi.fn(async () => undefined);
  const updatePassword = vi.fn(async (_password: string, proof?: PasswordProof) => {
    if (proof === undefined) throw new ProofNeeded();
  });
  const { user } = await screens.show('/edit-account', screens.harness.addHomeowner(), {
    auth: { updatePassword, mailCode },
  });
  await user.type(await input('New password'), 'long enough');
  await user.type(await input('Confirm password'), 'long enough{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Email me a code instead' }));
  const code = await screen.findByLabelText('Code from the email');
  expect(mailCode).toHaveBeenCalledOnce();
  await user.type(code, '12 34{Enter}');
  expect(code).toHaveAccessibleDescription(/Enter the six digits of the email/);
  expect(updatePassword).toHaveBeenCalledTimes(1);
  await user.clear(code);
  await user.type(code, ' 123 456{Enter}');
  expect(await screen.findByText('Password Updated')).toBeVisible();
  expect(updatePassword).toHaveBeenLastCalledWith('long enough', { code: '123456' });
});

test.each([
  ['trialing', '2099-01-31T00:00:00.000Z', 'Trial', ['until 31 Jan 2099']],
  ['active', '2099-01-31T00:00:00.000Z', 'Active', ['until 31 Jan 2099']],
  ['canceled', '2099-01-31T00:00:00.000Z', 'Inactive', []],
] as const)(
  'a tradie whose subscription is %s until %s reads %s [§2 /edit-account, §4 subscription, §6]',
  async (subscriptionStatus, subscriptionValidUntil, label, until) => {
    await screens.show('/edit-account', screens.harness.addTradie({ subscriptionStatus, subscriptionValidUntil }));
    expect(await screen.findByRole('heading', { name: 'Subscription' })).toBeVisible();
    expect(screen.getByText(label)).toBeVisible();
    expect(screen.queryAllByText(/^until/).map(({ textContent }) => textContent)).toEqual(until);
  },
);

test('without a day on record the provider is asked for one [§3, §7]', async () => {
  const person = screens.harness.addTradie({ subscriptionStatus: 'trialing', subscriptionValidUntil: null });
  await screens.show('/edit-account', person, {
    answers: {
      'billing.subscription': async () => ({
        trialEnd: '2099-02-10T00:00:00.000Z',
        currentPeriodEnd: '2099-03-10T00:00:00.000Z',
      }),
    },
  });
  expect(await screen.findByText('until 10 Feb 2099')).toBeVisible();
});

test('with a day still to come the provider is left alone [§7]', async () => {
  const ask = vi.fn(async () => ({ trialEnd: null, currentPeriodEnd: null }));
  await screens.show(
    '/edit-account',
    screens.harness.addTradie({ subscriptionValidUntil: '2099-01-31T00:00:00.000Z' }),
    { answers: { 'billing.subscription': ask } },
  );
  await screen.findByText('until 31 Jan 2099');
  expect(ask).not.toHaveBeenCalled();
});

test('Manage Billing opens the provider’s page in a tab of its own [§2 /edit-account, §7]', async () => {
  const goTo = vi.fn();
  const close = vi.fn();
  const { user } = await screens.show('/edit-account', screens.harness.addTradie(), {
    app: { otherPages: { goTo: () => undefined, openTab: () => ({ goTo, close }) } },
    answers: { 'billing.portal': async () => ({ url: 'https://billing.example/p' }) },
  });
  await user.click(await screen.findByRole('button', { name: 'Manage Billing' }));
  await waitFor(() => expect(goTo).toHaveBeenCalledWith('https://billing.example/p'));
  expect(close).not.toHaveBeenCalled();
});

test('a tab for nothing is closed again, and the reason said', async () => {
  const close = vi.fn();
  const { user, app } = await screens.show('/edit-account', screens.harness.addTradie(), {
    app: { otherPages: { goTo: () => undefined, openTab: () => ({ goTo: () => undefined, close }) } },
    answers: {
      'billing.portal': async () => {
        throw new CallRejected(
          404,
          JSON.stringify({ error: 'There was never a subscription.', code: 'no-subscription' }),
        );
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Manage Billing' }));
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({ title: 'Error', description: 'There was never a subscription.' }),
  );
  expect(close).toHaveBeenCalled();
});

test('a lapsed tradie has one primary action, to come back; the password is changed beside it', async () => {
  const variantOf = (name: string) => screen.getByRole('button', { name }).className;
  await screens.show('/edit-account', screens.harness.addTradie({ subscriptionStatus: 'canceled' }));
  await screen.findByRole('button', { name: 'Subscribe Again' });
  expect(variantOf('Update Password')).not.toMatch(/primary/);
  expect(variantOf('Subscribe Again')).toMatch(/primary/);
});

test('without signal password, billing and alerts are off, and say why; the rest is there [§offline]', async () => {
  await screens.show(
    '/edit-account',
    screens.harness.addTradie({ firstName: 'Wiremu', subscriptionValidUntil: '2099-01-31T00:00:00.000Z' }),
    { offline: true, app: { alerts: fakeAlerts('off') } },
  );
  await screen.findByDisplayValue('Wiremu');
  await waitFor(() => expect(screen.getAllByText('You need signal for this')).toHaveLength(4));
  for (const name of ['Update Password', 'Manage Billing', 'Turn on alerts']) {
    const button = screen.getByRole<HTMLButtonElement>('button', { name });
    expect(button).toBeDisabled();
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'You need signal for this',
    );
  }
  expect(screen.getByText('until 31 Jan 2099')).toBeVisible();
});

test.each([[true], [false]])(
  'a person who came by a mailed link to choose a password is told why, before all else, until they have: %s',
  async (chooses) => {
    const why = 'Your email is confirmed. Now choose a password';
    const person = screens.harness.addHomeowner();
    const updatePassword = vi.fn(async () => undefined);
    const { user } = await screens.show('/edit-account', person, {
      auth: { updatePassword },
      app: {
        choosesPassword: createCell<PasswordChoice | null>({
          userId: chooses ? person.id : 'somebody-else',
          reason: 'missing',
        }),
      },
    });
    expect((await screen.findAllByRole('heading', { level: 2 }))[0]?.textContent).toBe(
      chooses ? 'Reset Password' : 'Account Information',
    );
    expect(screen.queryByText(why) !== null).toBe(chooses);
    await user.type(await input('New password'), 'long enough');
    await user.type(await input('Confirm password'), 'long enough{Enter}');
    expect(await screen.findByText('Password Updated')).toBeVisible();
    expect(screen.queryByText(why)).toBeNull();
  },
);

test('who signed up just before a restore is told that their password was lost with it, and not that others signed their address up', async () => {
  const person = screens.harness.addHomeowner();
  await screens.show('/edit-account', person, {
    app: { choosesPassword: createCell<PasswordChoice | null>({ userId: person.id, reason: 'lost' }) },
  });
  expect((await screen.findAllByRole('heading', { level: 2 }))[0]?.textContent).toBe('Reset Password');
  expect(screen.getByText('Your email is confirmed. Now choose a password')).toBeVisible();
  expect(
    screen.getByText(/^Dwang was restored from an earlier copy, and the password you gave was lost/),
  ).toBeVisible();
  expect(screen.queryByText(/somebody else/)).toBeNull();
});

test('the link to reset a password leads to the password, with words; one that is too old says so', async () => {
  const person = screens.harness.addHomeowner();
  await screens.show('/edit-account', person, {
    app: { choosesPassword: createCell<PasswordChoice | null>({ userId: person.id, reason: 'reset' }) },
  });
  expect((await screen.findAllByRole('heading', { level: 2 }))[0]?.textContent).toBe('Reset Password');
  expect(screen.getByText('Choose a new password')).toBeVisible();
  cleanup();

  await screens.show('/edit-account', undefined, { app: usedLink() });
  expect(
    await screen.findByText(`${noLink}. For a new one choose “Forgot password?” where you sign in.`),
  ).toBeVisible();
});

const noLink = 'Email link is invalid or has expired';
function usedLink() {
  let left = 1;
  const take = () => (left-- > 0 ? { kind: 'failed' as const, message: noLink } : { kind: 'none' as const });
  return { authRedirect: linkThatBrings(take) };
}

test('a used reset link shows a person who is signed in where to choose a password, and sends them to no sign-in', async () => {
  await screens.show('/edit-account', screens.harness.addHomeowner(), { app: usedLink() });
  expect(await screen.findByText(/^Email link is invalid.+choose a new one under Reset Password/)).toBeVisible();
  expect(screen.getAllByRole('heading', { level: 2 })[0]).toHaveTextContent('Reset Password');
  expect(screen.queryByText(/where you sign in/)).toBeNull();
});
