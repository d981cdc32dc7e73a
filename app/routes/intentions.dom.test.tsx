import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallRejected } from '../api/call.ts';
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
const wrongly = async (): Promise<never> => {
  throw new Error('Invalid login credentials');
};
const dialog = () => within(screen.getByRole('dialog'));
/** The dialog is fetched when it is first wanted. */
const opened = async () => within(await screen.findByRole('dialog'));

async function giveCredentials(user: UserEvent, email = 'aroha@example.nz', password = 'secret1') {
  await user.click(screen.getByRole('link', { name: 'Login / Sign Up' }));
  await opened();
  if (email !== '') await user.type(dialog().getByRole('textbox', { name: 'Email' }), email);
  if (password !== '') await user.type(dialog().getByLabelText('Password'), password);
  await user.click(dialog().getByRole('button', { name: 'Continue' }));
}

test.each([
  ['Post a Job (Free)', '/post-job'],
  ['Join as a Tradie', '/become-tradie'],
])('“%s” leads a person who signs in on to %s', async (name, path) => {
  const { user, address } = await screens.show('/', undefined, { answers: { 'users.me': currentUser } });
  await user.click(screen.getAllByRole('link', { name })[0] ?? document.body);
  await user.type((await opened()).getByRole('textbox', { name: 'Email' }), 'aroha@example.nz');
  await user.type(dialog().getByLabelText('Password'), 'secret1{Enter}');
  await waitFor(() => expect(address()).toBe(path));
});

test('what one set out to do is in the mailed link, which another browser may open, and leads there once the account is made', async () => {
  const signUp = vi.fn(async () => 'confirm' as const);
  const resendConfirmation = vi.fn(async () => undefined);
  const signIn = async () => {
    throw new Error('Invalid login credentials');
  };
  const { user } = await screens.show('/', undefined, { auth: { signIn, signUp, resendConfirmation } });
  await user.click(screen.getAllByRole('link', { name: 'Join as a Tradie' })[0] ?? document.body);
  await user.type((await opened()).getByRole('textbox', { name: 'Email' }), 'aroha@example.nz');
  await user.type(dialog().getByLabelText('Password'), 'secret1{Enter}');
  await user.click(await dialog().findByRole('button', { name: 'Send it again' }));
  expect(signUp).toHaveBeenCalledWith('aroha@example.nz', 'secret1', 'become-tradie');
  expect(resendConfirmation).toHaveBeenCalledWith('aroha@example.nz', 'become-tradie');
  cleanup();

  let left = 1;
  const take = () => (left-- > 0 ? { kind: 'signup' as const, hasSession: false } : { kind: 'none' as const });
  const other = await screens.show('/?for=become-tradie#type=signup', undefined, {
    answers: { 'users.me': noProfile, 'users.create': currentUser },
    auth: { sessionEmail: async () => 'aroha@example.nz' },
    app: { authRedirect: linkThatBrings(take) },
  });
  await other.user.type((await opened()).getByRole('textbox', { name: 'Email' }), 'aroha@example.nz');
  await other.user.type(dialog().getByLabelText('Password'), 'secret1{Enter}');
  await other.user.type(await dialog().findByRole('textbox', { name: 'First name' }), 'Aroha');
  await other.user.type(dialog().getByRole('textbox', { name: 'Last name' }), 'Ngata{Enter}');
  await waitFor(() => expect(other.address()).toBe('/become-tradie'));
});

test('the six digits of the mail can be typed in place of opening its link', async () => {
  const confirmByCode = vi.fn(async () => undefined);
  const signIn = async () => {
    throw new Error('Invalid login credentials');
  };
  const { user } = await screens.show('/', undefined, {
    answers: { 'users.me': noProfile },
    auth: { signIn, confirmByCode },
  });
  await giveCredentials(user);
  await user.type(await dialog().findByLabelText(/Code from the email/), '123 456{Enter}');
  expect(await dialog().findByRole('button', { name: 'Complete Profile' })).toBeEnabled();
  expect(confirmByCode).toHaveBeenCalledWith('aroha@example.nz', '123456');
});

test('a password that is too weak for a new account is said at the field, in the provider’s words', async () => {
  const { user } = await screens.show('/', undefined, {
    auth: {
      signUp: () => Promise.reject(Object.assign(new Error('Choose another one.'), { code: 'weak_password' })),
      signIn: async () => {
        throw new Error('Invalid login credentials');
      },
    },
  });
  await giveCredentials(user);
  const password = dialog().getByLabelText<HTMLInputElement>('Password');
  await waitFor(() => expect(password).toHaveAttribute('aria-invalid', 'true'));
  expect(password).toHaveAccessibleDescription(/Choose another one\./);
  await user.type(password, 'x');
  expect(password).not.toHaveAttribute('aria-invalid', 'true');
});

test('a wrong password is said at the field, which has the focus, until something else is typed', async () => {
  const { user } = await screens.show('/', undefined, {
    auth: {
      signUp: async () => 'taken',
      signIn: async () => {
        throw new Error('Invalid login credentials');
      },
    },
  });
  await giveCredentials(user);
  const password = dialog().getByLabelText<HTMLInputElement>('Password');
  await waitFor(() => expect(password).toHaveAttribute('aria-invalid', 'true'));
  expect(dialog().getByText(/^This is not the password of that account/)).toBeVisible();
  expect(password).toHaveFocus();
  await user.type(password, 'x');
  expect(dialog().queryByText(/^This is not the password/)).toBeNull();
});

test('who has opened the link elsewhere and says that they have an account is let in, by the password that they typed', async () => {
  let isConfirmed = false;
  const signIn = vi.fn(async () => {
    if (!isConfirmed) throw new Error('Invalid login credentials');
  });
  const { user } = await screens.show('/', undefined, {
    auth: { signUp: async () => 'confirm', signIn },
    answers: { 'users.me': noProfile },
  });
  await giveCredentials(user);
  const known = await dialog().findByRole('button', { name: 'I have an account already' });
  isConfirmed = true;
  await user.click(known);
  await waitFor(() => expect(signIn).toHaveBeenCalledTimes(2));
  expect(dialog().queryByText(/^This is not the password/)).toBeNull();
  expect(await dialog().findByLabelText('First name')).toBeVisible();
});

test('of an account whose mail was not opened yet nothing is said but that, to any person who claims it', async () => {
  const signIn = vi
    .fn()
    .mockRejectedValueOnce(new Error('Invalid login credentials'))
    .mockRejectedValueOnce(new Error('Email not confirmed'));
  const { user } = await screens.show('/', undefined, { auth: { signUp: async () => 'confirm', signIn } });
  await giveCredentials(user);
  await user.click(await dialog().findByRole('button', { name: 'I have an account already' }));
  await waitFor(() => expect(signIn).toHaveBeenCalledTimes(2));
  expect(dialog().queryByText(/^This is not the password/)).toBeNull();
  expect(dialog().getByLabelText(/^Code from the email/)).toBeVisible();
});

test('a wrong password on a device that the server does not know is said at the field, once one says that there is an account', async () => {
  const { user } = await screens.show('/', undefined, {
    auth: {
      signUp: async () => 'confirm',
      signIn: async () => {
        throw new Error('Invalid login credentials');
      },
    },
  });
  await giveCredentials(user);
  await user.click(await dialog().findByRole('button', { name: 'I have an account already' }));
  const password = await dialog().findByLabelText<HTMLInputElement>('Password');
  expect(password).toHaveAccessibleDescription(/This is not the password of that account/);
  await waitFor(() => expect(password).toHaveFocus());
  await user.type(password, 'x');
  expect(dialog().queryByText(/^This is not the password/)).toBeNull();
});

test('of two wrong passwords both are said at the field, and the second asks for no other account', async () => {
  const signUp = vi.fn(async () => 'confirm' as const);
  const { user } = await screens.show('/', undefined, { auth: { signUp, signIn: wrongly } });
  await giveCredentials(user);
  expect(await dialog().findByText('If you have an account already, this was not its password.')).toBeVisible();
  await user.click(dialog().getByRole('button', { name: 'I have an account already' }));
  await user.type(await dialog().findByLabelText('Password'), 'x{Enter}');
  await waitFor(() =>
    expect(dialog().getByLabelText('Password')).toHaveAccessibleDescription(/This is not the password/),
  );
  expect(signUp).toHaveBeenCalledTimes(1);
  // Another address may be new.
  await user.type(dialog().getByRole('textbox', { name: 'Email' }), '.example{Enter}');
  expect(await dialog().findByLabelText(/^Code from the email/)).toBeVisible();
  expect(signUp).toHaveBeenCalledTimes(2);
});

test('who goes back from the step to confirm and presses Continue again is asked for the code again', async () => {
  const signIn = vi.fn(wrongly).mockRejectedValueOnce(new Error('Invalid login credentials'));
  signIn.mockRejectedValue(new Error('Email not confirmed'));
  const { user } = await screens.show('/', undefined, { auth: { signIn } });
  await giveCredentials(user);
  await user.click(await dialog().findByRole('button', { name: 'Back' }));
  await user.click(dialog().getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Email not confirmed')).toBeVisible();
  expect(await dialog().findByLabelText(/^Code from the email/)).toBeVisible();
});

test.each([
  ['I have an account already', "I've Confirmed My Email"],
  ['Send it again', "I've Confirmed My Email"],
  ['Forgot password?', 'Continue'],
])('“%s” shows in itself that it is under way, and not in “%s”', async (name, other) => {
  const signIn = vi.fn(async () => new Promise<never>(() => undefined));
  signIn.mockRejectedValueOnce(new Error('Invalid login credentials'));
  const never = () => new Promise<never>(() => undefined);
  const { user } = await screens.show('/', undefined, {
    auth: { signIn, resendConfirmation: never, sendReset: never },
  });
  await giveCredentials(user);
  await dialog().findByRole('button', { name: 'Send it again' });
  await user.click(dialog().queryByRole('button', { name }) ?? dialog().getByRole('button', { name: 'Back' }));
  await user.click(dialog().getByRole('button', { name }));
  const isPending = (button: string) =>
    dialog().getByRole('button', { name: new RegExp(button.replace('?', '.')) }).dataset['pending'] !== undefined;
  expect([isPending(name), isPending(other)]).toEqual([true, false]);
});

test('a code that is too short is said to be so at its field, and nothing is asked of the server', async () => {
  const confirmByCode = vi.fn(async () => undefined);
  const { user } = await screens.show('/', undefined, { auth: { signIn: wrongly, confirmByCode } });
  await giveCredentials(user);
  const code = await dialog().findByLabelText<HTMLInputElement>(/^Code from the email/);
  await user.type(code, '12 34');
  await user.click(dialog().getByRole('button', { name: "I've Confirmed My Email" }));
  expect(code).toHaveAccessibleDescription(/Enter the six digits of the email/);
  expect(code).toHaveFocus();
  expect(confirmByCode).not.toHaveBeenCalled();
  await user.type(code, '5');
  expect(code).not.toHaveAccessibleDescription(/six digits of the email/);
});
