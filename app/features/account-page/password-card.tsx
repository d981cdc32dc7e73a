import { useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { useApp } from '../../context/app-context.ts';
import { useDirtyForm } from '../../hooks/use-dirty-form.ts';
import { useOfflineReason } from '../../hooks/use-offline-reason.ts';
import { mailedCode, notSixDigits } from '../../lib/mailed-code.ts';
import type { WhyPassword } from '../../session/mailed-session.ts';
import { ProofNeeded } from '../../session/proof-needed.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FieldLock } from '../../ui/field-lock.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { DisabledReason } from '../../ui/disabled-reason.tsx';
import { errorWords } from '../../words/error-words.ts';
import styles from './edit-account-page.module.css';

const shortestPassword = 6;

type Problems = { readonly password?: string; readonly confirm?: string };

function problemsOf(password: string, confirm: string): Problems {
  if ([...password].length < shortestPassword)
    return { password: `Password must be at least ${shortestPassword} characters` };
  return password === confirm ? {} : { confirm: 'Passwords do not match' };
}

/** Proof of the person, where they signed in a while ago. */
type ProofBy = 'password' | 'code';
const proofWords: Record<ProofBy, { label: string; hint: string; missing: string }> = {
  password: {
    label: 'Current password',
    hint: 'You signed in a while ago, so show that it is you.',
    missing: 'Current password is required',
  },
  code: { label: 'Code from the email', hint: 'Six digits, good for 15 minutes.', missing: 'Code is required' },
};

type PasswordCardProps = {
  readonly email: string;
  /** They came by a mailed link. */
  readonly reason: WhyPassword | undefined;
  /** The page has something more important to press. */
  readonly isSecond: boolean;
};

/** "Reset Password": a new one for the person signed in. Needs signal, and proof where they signed in a while ago. */
export function PasswordCard({ email, reason: why, isSecond }: PasswordCardProps) {
  const { auth, toasts, choosesPassword } = useApp();
  const reason = useOfflineReason();
  const [password, setPassword] = useState('');
  const [confirm, setConfirm] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);
  const [proofBy, setProofBy] = useState<ProofBy>();
  const [proof, setProof] = useState('');
  const [proofProblem, setProofProblem] = useState<string>();
  const [isMailing, setMailing] = useState(false);

  useDirtyForm(password !== '' || confirm !== '');

  const change = (by: ProofBy | undefined) => {
    setProofBy(by);
    setProof('');
    setProofProblem(undefined);
  };
  /** Unlocked again, so that focus can go into the field for the proof. */
  const askFor = (by: ProofBy) => {
    flushSync(() => {
      change(by);
      setBusy(false);
    });
    document.getElementById('password-proof')?.focus();
  };
  const mailCode = async () => {
    setMailing(true);
    try {
      await auth.mailCode();
      askFor('code');
      toasts.show({ title: 'Code sent', description: `We sent a code to ${email}` });
    } catch (error) {
      toasts.show({
        title: 'Error',
        description: errorWords(error, 'Failed to send the code'),
        variant: 'destructive',
      });
    } finally {
      setMailing(false);
    }
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isMailing || reason !== undefined) return;
    const found = problemsOf(password, confirm);
    setProblems(found);
    const message = found.password ?? found.confirm;
    if (message !== undefined) {
      toasts.show({ title: 'Error', description: message, variant: 'destructive' });
      document.getElementById(found.password === undefined ? 'confirm-password' : 'new-password')?.focus();
      return;
    }
    const code = proofBy === 'code' ? mailedCode(proof) : undefined;
    const isMalformed = proofBy === 'code' && code === undefined;
    if (proofBy !== undefined && (proof === '' || isMalformed)) {
      setProofProblem(proof === '' ? proofWords[proofBy].missing : notSixDigits);
      document.getElementById('password-proof')?.focus();
      return;
    }
    setBusy(true);
    try {
      if (proofBy === undefined) await auth.updatePassword(password);
      else await auth.updatePassword(password, code === undefined ? { currentPassword: proof } : { code });
      change(undefined);
      choosesPassword.set(null);
      setPassword('');
      setConfirm('');
      toasts.show({ title: 'Password Updated', description: 'Use the new one the next time you sign in.' });
    } catch (error) {
      // A provider that does not accept the old password as proof still asks for a code.
      if (error instanceof ProofNeeded && proofBy === 'password') await mailCode();
      else if (error instanceof ProofNeeded) askFor('password');
      else
        toasts.show({
          title: 'Error',
          description: errorWords(error, 'Failed to update password'),
          variant: 'destructive',
        });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Card as="section" labelledBy="reset-password">
      <h2 id="reset-password">Reset Password</h2>
      {why === 'reset' && (
        <Banner tone="info" title="Choose a new password">
          You came by the link we mailed, so nothing else is asked. You are signed in already.
        </Banner>
      )}
      {(why === 'missing' || why === 'lost') && (
        <Banner tone="info" title="Your email is confirmed. Now choose a password">
          {why === 'lost'
            ? 'Dwang was restored from an earlier copy, and the password you gave was lost. Choose one again.'
            : 'This address was signed up with more than one, perhaps by somebody else, so none of those works.'}
        </Banner>
      )}
      <form className={styles.form} onSubmit={submit} noValidate>
        {/* Password managers want to know whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <FieldLock isLocked={isBusy}>
          <TextField
            id="new-password"
            label="New password"
            hint={`At least ${shortestPassword} characters.`}
            type="password"
            autoComplete="new-password"
            isRequired
            value={password}
            onChange={(next) => {
              setPassword(next);
              setProblems({});
            }}
            error={problems.password}
          />
          <TextField
            id="confirm-password"
            label="Confirm password"
            type="password"
            autoComplete="new-password"
            enterKeyHint="done"
            isRequired
            value={confirm}
            onChange={(next) => {
              setConfirm(next);
              setProblems({});
            }}
            error={problems.confirm}
          />
          {proofBy !== undefined && (
            <>
              <TextField
                id="password-proof"
                label={proofWords[proofBy].label}
                hint={proofWords[proofBy].hint}
                type={proofBy === 'code' ? 'text' : 'password'}
                inputMode={proofBy === 'code' ? 'numeric' : 'text'}
                autoComplete={proofBy === 'code' ? 'one-time-code' : 'current-password'}
                isRequired
                value={proof}
                onChange={(next) => {
                  setProof(next);
                  setProofProblem(undefined);
                }}
                error={proofProblem}
              />
              <div className={styles.foot}>
                <Button variant="plain" isBusy={isMailing} isDisabled={reason !== undefined} onPress={mailCode}>
                  {proofBy === 'code' ? 'Email me another code' : 'Email me a code instead'}
                </Button>
              </div>
            </>
          )}
        </FieldLock>
        <div className={styles.foot}>
          <Button
            type="submit"
            variant={isSecond ? 'quiet' : 'primary'}
            isBusy={isBusy}
            busyText="Updating..."
            isDisabled={isMailing || reason !== undefined}
            aria-describedby="password-why"
          >
            Update Password
          </Button>
          <DisabledReason id="password-why" reason={reason} />
        </div>
      </form>
    </Card>
  );
}
