import { expect, test, vi } from 'vitest';
import { CallRejected } from '../../api/call.ts';
import {
  completeProfile,
  confirmByCode,
  confirmEmail,
  resendConfirmation,
  sendReset,
  submitCredentials,
  type SignInPorts,
} from './sign-in-flow.ts';

function ports(
  changes: Partial<SignInPorts['auth']> = {},
  call: () => Promise<unknown> = async () => ({}),
): SignInPorts {
  return {
    auth: {
      signIn: async () => undefined,
      signUp: async () => 'confirm',
      sendReset: async () => undefined,
      resendConfirmation: async () => undefined,
      confirmByCode: async () => undefined,
      sessionEmail: async () => 'aroha@example.nz',
      updatePassword: async () => undefined,
      mailCode: async () => undefined,
      devices: { list: async () => [], end: async () => undefined, endOthers: async () => undefined },
      ...changes,
    },
    caller: { call: call as SignInPorts['caller']['call'] },
  };
}
const refuse = (status: number, error: string | string[]) => async () => {
  throw new CallRejected(status, JSON.stringify({ error, code: 'x' }));
};
const throwing = (message: string) => async (): Promise<never> => {
  throw new Error(message);
};
const error = (description: string) => ({ title: 'Error', description, variant: 'destructive' });

test('a known person is welcomed back, with the address trimmed [§5]', async () => {
  const signIn = vi.fn(async () => undefined);
  const turn = await submitCredentials(ports({ signIn }), '  aroha@example.nz ', 'secret1');
  expect(signIn).toHaveBeenCalledWith('aroha@example.nz', 'secret1');
  expect(turn).toEqual({
    step: 'done',
    toast: {
      title: 'Welcome back!',
      description: 'You have been signed in successfully',
      variant: 'default',
      isGreeting: true,
    },
  });
});

test('a session without a profile record goes to the details [§4 sign-in, §8]', async () => {
  expect(await submitCredentials(ports({}, refuse(404, 'No profile')), 'a@b.nz', 'secret1')).toEqual({
    step: 'details',
  });
  expect(await submitCredentials(ports({}, refuse(500, 'Oops')), 'a@b.nz', 'secret1')).toEqual({
    step: 'credentials',
    toast: error('Failed to fetch user profile'),
  });
});

test('unknown credentials sign up; other errors are shown as they are [§4 sign-in]', async () => {
  const unknown = { signIn: throwing('Invalid login credentials') };
  expect((await submitCredentials(ports(unknown), 'a@b.nz', 'secret1')).step).toBe('confirm-email');
  expect(await submitCredentials(ports({ ...unknown, signUp: async () => 'session' }), 'a@b.nz', 'secret1')).toEqual({
    step: 'details',
    toast: { title: 'Account created!', description: 'Please complete your profile', variant: 'default' },
  });
  expect(
    await submitCredentials(ports({ ...unknown, signUp: throwing('Password is too weak') }), 'a@b.nz', 'secret1'),
  ).toEqual({
    step: 'credentials',
    toast: error('Password is too weak'),
  });
  expect(await submitCredentials(ports({ signIn: throwing('Email not confirmed') }), 'a@b.nz', 'secret1')).toEqual({
    step: 'confirm-email',
    toast: error('Email not confirmed'),
  });
});

test('an error with nothing to say for itself has words all the same [§8]', async () => {
  const unknown = { signIn: throwing('User not found') };
  expect((await submitCredentials(ports({ signIn: throwing('') }), 'a@b.nz', 'secret1')).toast).toEqual(
    error('Sign in failed'),
  );
  expect((await submitCredentials(ports({ ...unknown, signUp: throwing('') }), 'a@b.nz', 'secret1')).toast).toEqual(
    error('Sign up failed'),
  );
  expect((await confirmEmail(ports({ signIn: throwing('') }), 'a@b.nz', 'secret1')).toast).toEqual(
    error('Authentication failed'),
  );
  const ill = async () => {
    throw new CallRejected(502, '<html>Bad gateway</html>');
  };
  expect((await completeProfile(ports({}, ill), 'Aroha', 'Ngata')).toast).toEqual(error('Failed to create user'));
});

test('a wrong password for an address that has an account stays where it is', async () => {
  const wrong = { signIn: throwing('Invalid login credentials'), signUp: async () => 'taken' as const };
  expect(await submitCredentials(ports(wrong), 'a@b.nz', 'secret1')).toEqual({
    step: 'credentials',
    toast: error('Invalid login credentials'),
    isPasswordRejected: true,
  });
});

test('a password that is too weak for an account is told at its field, in the provider’s words', async () => {
  const weak = {
    signIn: throwing('Invalid login credentials'),
    signUp: () => Promise.reject(Object.assign(new Error('Choose a longer one.'), { code: 'weak_password' })),
  };
  expect(await submitCredentials(ports(weak), 'a@b.nz', 'secret1')).toEqual({
    step: 'credentials',
    toast: error('Choose a longer one.'),
    passwordProblem: 'Choose a longer one.',
  });
});

test('the confirm step goes on only once the address is confirmed [§4 sign-in, §8]', async () => {
  expect(await confirmEmail(ports({ signIn: throwing('Email not confirmed') }), 'a@b.nz', 'secret1')).toEqual({
    step: 'confirm-email',
    toast: error('Please confirm your email before proceeding'),
  });
  expect(await confirmEmail(ports({ signIn: throwing('Invalid login credentials') }), 'a@b.nz', 'secret1')).toEqual({
    step: 'confirm-email',
    toast: error('Please confirm your email before proceeding'),
    isPasswordRejected: true,
  });
  expect((await confirmEmail(ports({}, refuse(404, 'No profile')), 'a@b.nz', 'secret1')).toast?.title).toBe(
    'Email confirmed!',
  );
  expect((await confirmEmail(ports(), 'a@b.nz', 'secret1')).toast?.title).toBe('Welcome back!');
});

test('the details make the profile, or say why not [§7, §8]', async () => {
  const call = vi.fn(async () => ({}));
  expect(await completeProfile(ports({}, call), 'Aroha', 'Ngata')).toEqual({
    step: 'done',
    toast: { title: 'Profile complete!', variant: 'default', isGreeting: true },
  });
  expect(call).toHaveBeenCalledWith('users.create', {
    body: { email: 'aroha@example.nz', firstName: 'Aroha', lastName: 'Ngata' },
  });
  expect((await completeProfile(ports({ sessionEmail: async () => null }), 'A', 'N')).toast).toEqual(
    error('No active session'),
  );
  expect((await completeProfile(ports({}, refuse(400, ['First', 'Last'])), 'A', 'N')).toast).toEqual(
    error('First, Last'),
  );
});

test('a reset needs an address, and never says whether it is known [§8]', async () => {
  expect((await sendReset(ports(), '  ')).title).toBe('Enter your email');
  expect(await sendReset(ports(), 'a@b.nz')).toEqual({
    title: 'Password reset sent',
    description: "If an account exists for this email, we've sent a password reset link",
    variant: 'default',
  });
  expect(await sendReset(ports({ sendReset: throwing('') }), 'a@b.nz')).toEqual(error('Failed to send reset email'));
});

test('the six digits of the mail confirm as its link does; others are said at the field', async () => {
  const confirmByCodeOf = vi.fn(async () => undefined);
  const turn = await confirmByCode(ports({ confirmByCode: confirmByCodeOf }, refuse(404, 'x')), ' a@b.nz ', '123456');
  expect(confirmByCodeOf).toHaveBeenCalledWith('a@b.nz', '123456');
  expect(turn).toEqual({
    step: 'details',
    toast: { title: 'Email confirmed!', description: 'Please complete your profile', variant: 'default' },
  });
  const wrong = { confirmByCode: throwing('Token has expired or is invalid') };
  expect(await confirmByCode(ports(wrong), 'a@b.nz', '000000')).toEqual({
    step: 'confirm-email',
    isCodeRejected: true,
  });
});

test('the mail is sent again, with what the person set out to do', async () => {
  const resendConfirmationTo = vi.fn(async () => undefined);
  expect(
    (await resendConfirmation(ports({ resendConfirmation: resendConfirmationTo }), ' a@b.nz ', 'become-tradie'))
      .variant,
  ).toBe('default');
  expect(resendConfirmationTo).toHaveBeenCalledWith('a@b.nz', 'become-tradie');
  expect(await resendConfirmation(ports({ resendConfirmation: throwing('Wait a minute.') }), 'a@b.nz')).toEqual(
    error('Wait a minute.'),
  );
});
