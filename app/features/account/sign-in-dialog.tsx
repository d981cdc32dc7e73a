import type { Intention } from '../../lib/sign-in-href.ts';
import { useEffect, useState } from 'react';
import { useApp, useAuthState } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useOfflineReason } from '../../hooks/use-offline-reason.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { words } from '../../words/common-words.ts';
import styles from './step.module.css';
import { ConfirmEmailStep, DetailsStep, type StepProps } from './sign-in-steps.tsx';
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

const titles: Readonly<Record<OpenStep | 'arriving', string>> = {
  arriving: words.signingIn,
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
  const [busy, setBusy] = useState<StepProps['busy']>();
  /** The address that has an account, as the server or the person has said. */
  const [known, setKnown] = useState<string>();
  const typed = fields.email.trim().toLowerCase();
  const change = (changes: Partial<typeof blank>) => {
    setFields((before) => ({ ...before, ...changes }));
    if ('code' in changes || step === 'credentials') setRejected(undefined);
    setWeakness(undefined);
  };
  const offlineReason = useOfflineReason();
  const authState = useAuthState();
  const personId = authState.kind === 'signed-in' ? authState.context.userId : undefined;
  const link = useWatched(app.authRedirect.progress);
  const isLinkOpen = link === 'signing-in';
  const [isFor, setFor] = useState(isLinkOpen ? undefined : personId);
  // A mailed link may replace the person who was here.
  if (isFor === undefined && personId !== undefined && !isLinkOpen) setFor(personId);
  // What one person has typed here must not be seen by the next, who signed in in another tab (I17).
  const isOfAnother = isFor !== undefined && personId !== undefined && personId !== isFor;
  useEffect(() => {
    if (isOfAnother) onClose();
  }, [isOfAnother, onClose]);
  // Signed in in another tab or by a mailed link, or a page that was left in the middle of it and is shown again: there
  // is nothing left to ask, once the server has answered. Before, a new person does not seem to lack a profile.
  const isKnown = connection.lastSynced !== null;
  const isIn = authState.kind === 'signed-in' && !authState.needsSignIn;
  const isHere = isIn && !authState.lacksProfile && isKnown;
  const isOfPhone = authState.kind === 'signed-in' && authState.email === typed;
  const [wasHere] = useState(isHere && !isLinkOpen);
  const isIdle = busy === undefined && step === 'credentials';
  const isOver = isHere && !wasHere && !isLinkOpen && isIdle;
  // Until it is known what is left to ask there is no form: a person would begin to fill it in.
  const isArriving = isIdle && (isLinkOpen || (isIn && !wasHere));
  useEffect(() => {
    if (!isOver) return;
    onClose();
    if (intention !== undefined) onDone(false);
  });
  // A mailed link may bring its session shortly after the dialog is open.
  useEffect(() => {
    if (firstStep === 'details') setStep('details');
  }, [firstStep]);

  const take = async (turning: Promise<StepResult>, by: StepProps['busy'] = 'submit') => {
    setBusy(by);
    const turn = await turning;
    setBusy(undefined);
    if (turn.isPasswordRejected && turn.step === 'credentials') setKnown(typed);
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
  const tell = async (telling: Promise<SignInToast>, by: StepProps['busy']) => {
    setBusy(by);
    const toast = await telling;
    setBusy(undefined);
    app.toasts.show(toast);
  };
  const back =
    step === 'credentials'
      ? undefined
      : () => setStep(step === 'details' && hasSignedUp ? 'confirm-email' : 'credentials');
  const shared = { fields, onChange: change, busy, isDisabled: offlineReason !== undefined || app.isInsecure };

  if (isOfAnother) return null;
  return (
    <Dialog
      title={titles[isArriving ? 'arriving' : step]}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      {...(back === undefined ? {} : { onBack: back })}
    >
      {app.isInsecure && (
        <Banner tone="bad" title="Nothing can be saved at this address">
          {words.insecure}
        </Banner>
      )}
      {offlineReason !== undefined && (
        <Banner tone="warn" title={offlineReason}>
          {!isArriving && 'What you have typed stays here.'}
        </Banner>
      )}
      {isArriving && (
        <div className={styles.arriving}>
          <Spinner size="lg" label="Opening your account" />
        </div>
      )}
      {link === 'failed' && isIdle && (
        <Banner tone="warn" title={words.linkFailed}>
          Sign in here, or reload this page to try it again.
        </Banner>
      )}
      {step === 'credentials' && !isArriving && (
        <CredentialsStep
          {...shared}
          onSubmit={() =>
            take(submitCredentials(app, fields.email, fields.password, { intention, hasAccount: known === typed }))
          }
          onForgot={() => tell(sendReset(app, fields.email), 'forgot')}
          passwordProblem={rejected === 'password' ? wrongPassword + (isOfPhone ? maybeLost : '') : weakness}
        />
      )}
      {step === 'confirm-email' && (
        <ConfirmEmailStep
          {...shared}
          rejected={rejected}
          onHasAccount={() => take(signInToKnown(app, fields.email, fields.password), 'account')}
          onSubmit={(code) =>
            take(
              code === undefined
                ? confirmEmail(app, fields.email, fields.password)
                : confirmByCode(app, fields.email, code),
            )
          }
          onAgain={() => tell(resendConfirmation(app, fields.email, intention), 'again')}
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
