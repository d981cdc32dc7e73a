import type { Intention } from '../../lib/sign-in-href.ts';
import { useEffect, useState } from 'react';
import { useApp, useAuthState } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { words } from '../../words/common-words.ts';
import { ConfirmEmailStep, DetailsStep } from './sign-in-steps.tsx';
import { CredentialsStep } from './credentials-step.tsx';
import {
  completeProfile,
  confirmByCode,
  confirmEmail,
  resendConfirmation,
  sendReset,
  signInToKnown,
  submitCredentials,
  type SignInStep,
  type SignInToast,
  type StepResult,
} from './sign-in-flow.ts';

type OpenStep = Exclude<SignInStep, 'done'>;

type SignInDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Signed in, with a profile. `isNew`: it was made just now. */
  readonly onDone: (isNew: boolean) => void;
  /** `details` for a person who is signed in and has no profile record yet. */
  readonly firstStep?: OpenStep;
  /** What it leads on to: the mailed link has to know. */
  readonly intention: Intention | undefined;
};

const titles: Readonly<Record<OpenStep, string>> = {
  credentials: 'Log in or sign up',
  'confirm-email': 'Confirm your email',
  details: 'Complete your profile',
};

const wrongPassword = 'This is not the password of that account. Try again, or press “Forgot password?”.';
/**
 * To the person of this phone, whose session the server has ended: no other person learns from it that there is an
 * account.
 */
const maybeLost = ' Where Dwang was put back to an earlier copy, your password has to be chosen again.';

const blank = { email: '', password: '', code: '', firstName: '', lastName: '' };

/** Credentials, confirm-email, details. Closing it resets every field and the step. */
export function SignInDialog({ isOpen, onClose, ...rest }: SignInDialogProps) {
  return isOpen ? <OpenDialog {...rest} onClose={onClose} /> : null;
}

function OpenDialog({ onClose, onDone, firstStep = 'credentials', intention }: Omit<SignInDialogProps, 'isOpen'>) {
  const app = useApp();
  const connection = useWatched(app.connection);
  const [step, setStep] = useState<OpenStep>(firstStep);
  const [hasSignedUp, setHasSignedUp] = useState(false);
  const [fields, setFields] = useState(blank);
  const [rejected, setRejected] = useState<'password' | 'code'>();
  const [weakness, setWeakness] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const change = (changes: Partial<typeof blank>) => {
    setFields((before) => ({ ...before, ...changes }));
    if ('code' in changes || step === 'credentials') setRejected(undefined);
    setWeakness(undefined);
  };
  const hasSignal = connection.kind !== 'offline';
  const authState = useAuthState();
  const personId = authState.kind === 'signed-in' ? authState.context.userId : undefined;
  const [isFor, setFor] = useState(personId);
  if (isFor === undefined && personId !== undefined) setFor(personId);
  // What one person has typed here must not be seen by the next, who signed in in another tab (I17).
  const isOfAnother = isFor !== undefined && personId !== undefined && personId !== isFor;
  useEffect(() => {
    if (isOfAnother) onClose();
  }, [isOfAnother, onClose]);
  // Signed in in another tab or by a mailed link, or a page that was left in the middle of it and is shown again: there
  // is nothing left to ask, once the server has answered. Before, a new person does not seem to lack a profile.
  const isKnown = connection.lastSynced !== null;
  const isHere = authState.kind === 'signed-in' && !authState.needsSignIn && !authState.lacksProfile && isKnown;
  const isOfPhone = authState.kind === 'signed-in' && authState.email === fields.email.trim().toLowerCase();
  const [wasHere] = useState(isHere);
  const isOver = isHere && !wasHere && !isBusy && step === 'credentials';
  useEffect(() => {
    if (!isOver) return;
    onClose();
    if (intention !== undefined) onDone(false);
  });
  // A mailed link may bring its session shortly after the dialog is open.
  useEffect(() => {
    if (firstStep === 'details') setStep('details');
  }, [firstStep]);

  const take = async (turning: Promise<StepResult>) => {
    setBusy(true);
    const turn = await turning;
    setBusy(false);
    setRejected(turn.isPasswordRejected ? 'password' : turn.isCodeRejected ? 'code' : undefined);
    setWeakness(turn.passwordProblem);
    if (turn.toast !== undefined) app.toasts.show(turn.toast);
    if (turn.step === 'done') {
      app.onProfile();
      onClose();
      onDone(step === 'details');
      return;
    }
    if (turn.step === 'confirm-email' || turn.toast?.title === 'Account created!') setHasSignedUp(true);
    setStep(turn.step);
  };
  const tell = async (telling: Promise<SignInToast>) => {
    setBusy(true);
    const toast = await telling;
    setBusy(false);
    app.toasts.show(toast);
  };
  const back =
    step === 'credentials'
      ? undefined
      : () => setStep(step === 'details' && hasSignedUp ? 'confirm-email' : 'credentials');
  const shared = { fields, onChange: change, isBusy, isDisabled: !hasSignal || app.isInsecure };

  if (isOfAnother) return null;
  return (
    <Dialog
      title={titles[step]}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      {...(back === undefined ? {} : { onBack: back })}
    >
      {app.isInsecure && (
        <Banner tone="bad" title="Nothing can be saved at this address">
          {words.insecure}
        </Banner>
      )}
      {!hasSignal && (
        <Banner tone="warn" title={words.needSignal}>
          What you have typed stays here.
        </Banner>
      )}
      {step === 'credentials' && (
        <CredentialsStep
          {...shared}
          onSubmit={() => take(submitCredentials(app, fields.email, fields.password, intention))}
          onForgot={() => tell(sendReset(app, fields.email))}
          passwordProblem={rejected === 'password' ? wrongPassword + (isOfPhone ? maybeLost : '') : weakness}
        />
      )}
      {step === 'confirm-email' && (
        <ConfirmEmailStep
          {...shared}
          rejected={rejected}
          onHasAccount={() => take(signInToKnown(app, fields.email, fields.password))}
          onSubmit={() =>
            take(
              fields.code.trim() === ''
                ? confirmEmail(app, fields.email, fields.password)
                : confirmByCode(app, fields.email, fields.code),
            )
          }
          onAgain={() => tell(resendConfirmation(app, fields.email, intention))}
        />
      )}
      {step === 'details' && (
        <DetailsStep
          {...shared}
          onSubmit={() => take(completeProfile(app, fields.firstName.trim(), fields.lastName.trim()))}
        />
      )}
    </Dialog>
  );
}
