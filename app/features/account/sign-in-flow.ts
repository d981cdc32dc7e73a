import type { Intention } from '../../lib/sign-in-href.ts';
import { CallRejected } from '../../api/call.ts';
import type { App, Auth } from '../../context/app-context.ts';
import { errorWords } from '../../words/error-words.ts';

export type SignInStep = 'credentials' | 'confirm-email' | 'details' | 'done';

export interface SignInToast {
  readonly title: string;
  readonly description?: string;
  readonly variant: 'default' | 'destructive';
  readonly isGreeting?: true;
}

/** The dialog's next step, and its toast. */
export interface StepResult {
  readonly step: SignInStep;
  readonly toast?: SignInToast;
  /** The password is not that of the account. */
  readonly isPasswordRejected?: true;
  /** Why no account is made with this password, in the provider's words. */
  readonly passwordProblem?: string;
  /** The typed digits are not those of the newest mail, or they are too old. */
  readonly isCodeRejected?: true;
}

export interface SignInPorts {
  readonly auth: Auth;
  readonly caller: Pick<App['caller'], 'call'>;
}

const said = (title: string, description?: string): SignInToast =>
  description === undefined ? { title, variant: 'default' } : { title, description, variant: 'default' };
const failed = (error: unknown, fallback: string): SignInToast => ({
  title: 'Error',
  description: errorWords(error, fallback),
  variant: 'destructive',
});

const greeting = (toast: SignInToast): SignInToast => ({ ...toast, isGreeting: true });
const welcomeBack = greeting(said('Welcome back!', 'You have been signed in successfully'));

/** Is there a profile record? 404 means not yet; any other error is thrown. */
async function hasProfile({ caller }: SignInPorts): Promise<boolean> {
  try {
    await caller.call('users.me');
    return true;
  } catch (error) {
    if (error instanceof CallRejected && error.status === 404) return false;
    throw new Error('Failed to fetch user profile', { cause: error });
  }
}

interface NewAccount {
  readonly intention?: Intention | undefined;
  /** The address has an account, as the server or the person has said: another password signs nothing up. */
  readonly hasAccount?: boolean;
}

/** Step 1: sign in; where there is no such account, sign up with the same words. */
export async function submitCredentials(
  ports: SignInPorts,
  typedEmail: string,
  password: string,
  { intention, hasAccount = false }: NewAccount = {},
): Promise<StepResult> {
  const email = typedEmail.trim();
  try {
    await ports.auth.signIn(email, password);
  } catch (error) {
    const words = errorWords(error, 'Sign in failed');
    const toast = failed(error, 'Sign in failed');
    // Their password is right, and the mail is not opened yet.
    if (/not confirmed/i.test(words)) return { step: 'confirm-email', toast };
    if (!/invalid|not found/i.test(words)) return { step: 'credentials', toast };
    // A person who only mistyped their password must not be sent to wait for a mail that never comes.
    const mistyped: StepResult = { step: 'credentials', toast, isPasswordRejected: true };
    return hasAccount ? mistyped : ((await signUp(ports, email, password, intention)) ?? mistyped);
  }
  try {
    return (await hasProfile(ports)) ? { step: 'done', toast: welcomeBack } : { step: 'details' };
  } catch (error) {
    return { step: 'credentials', toast: failed(error, 'Authentication failed') };
  }
}

/** Undefined where the address has an account. */
async function signUp(
  ports: SignInPorts,
  email: string,
  password: string,
  intention: Intention | undefined,
): Promise<StepResult | undefined> {
  try {
    const answer = await ports.auth.signUp(email, password, intention);
    if (answer === 'taken') return undefined;
    return answer === 'session'
      ? { step: 'details', toast: said('Account created!', 'Please complete your profile') }
      : { step: 'confirm-email', toast: said('Please confirm your email', 'A confirmation link was sent') };
  } catch (error) {
    const turn: StepResult = { step: 'credentials', toast: failed(error, 'Sign up failed') };
    return isWeak(error) ? { ...turn, passwordProblem: errorWords(error, 'Sign up failed') } : turn;
  }
}

const isWeak = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'weak_password';

/** Step 2: the person says that the link in the mail was opened; signing in shows whether it was. */
export async function confirmEmail(ports: SignInPorts, typedEmail: string, password: string): Promise<StepResult> {
  try {
    await ports.auth.signIn(typedEmail.trim(), password);
  } catch (error) {
    const said = errorWords(error, '');
    if (!/confirm|invalid/i.test(said)) return { step: 'confirm-email', toast: failed(error, 'Authentication failed') };
    const turn: StepResult = {
      step: 'confirm-email',
      toast: failed(undefined, 'Please confirm your email before proceeding'),
    };
    return /invalid/i.test(said) ? { ...turn, isPasswordRejected: true } : turn;
  }
  return goOn(ports);
}

/**
 * Step 2: the person has an account already. The password may well be the right one by now: the link may have been
 * opened elsewhere.
 */
export async function signInToKnown(ports: SignInPorts, typedEmail: string, password: string): Promise<StepResult> {
  const turn = await confirmEmail(ports, typedEmail, password);
  return turn.isPasswordRejected ? { step: 'credentials', isPasswordRejected: true } : turn;
}

/** Step 2, by the six digits in the mail in place of its link. */
export async function confirmByCode(ports: SignInPorts, typedEmail: string, code: string): Promise<StepResult> {
  try {
    await ports.auth.confirmByCode(typedEmail.trim(), code);
  } catch (error) {
    // Said at the field alone, in words of ours: the provider's speak of a token.
    if (/expired|invalid/i.test(errorWords(error, ''))) return { step: 'confirm-email', isCodeRejected: true };
    return { step: 'confirm-email', toast: failed(error, 'Authentication failed') };
  }
  return goOn(ports);
}

/** Step 2: 'Send it again'. */
export async function resendConfirmation(
  ports: SignInPorts,
  typedEmail: string,
  intention?: Intention,
): Promise<SignInToast> {
  try {
    await ports.auth.resendConfirmation(typedEmail.trim(), intention);
    return said('Please confirm your email', 'A confirmation link was sent');
  } catch (error) {
    return failed(error, 'Sign up failed');
  }
}

/** The address is confirmed. */
async function goOn(ports: SignInPorts): Promise<StepResult> {
  try {
    return (await hasProfile(ports))
      ? { step: 'done', toast: welcomeBack }
      : { step: 'details', toast: said('Email confirmed!', 'Please complete your profile') };
  } catch (error) {
    return { step: 'confirm-email', toast: failed(error, 'Authentication failed') };
  }
}

/** Step 3: the profile record. */
export async function completeProfile(ports: SignInPorts, firstName: string, lastName: string): Promise<StepResult> {
  try {
    const email = await ports.auth.sessionEmail();
    if (email === null) throw new Error('No active session');
    await ports.caller.call('users.create', { body: { email, firstName, lastName } });
    return { step: 'done', toast: greeting(said('Profile complete!')) };
  } catch (error) {
    return { step: 'details', toast: failed(error, 'Failed to create user') };
  }
}

/** 'Forgot password?': an empty address is answered with a toast, not with an error at the field. */
export async function sendReset(ports: SignInPorts, typedEmail: string): Promise<SignInToast> {
  const email = typedEmail.trim();
  if (email === '') {
    return {
      title: 'Enter your email',
      description: 'Please enter your email address first to receive a reset link.',
      variant: 'destructive',
    };
  }
  try {
    await ports.auth.sendReset(email);
    return said('Password reset sent', "If an account exists for this email, we've sent a password reset link");
  } catch (error) {
    return failed(error, 'Failed to send reset email');
  }
}
