import { useState, type FormEvent } from 'react';
import { useApp } from '../../app-context.ts';
import { useNeedsSignal } from '../../lib/use-needs-signal.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { WhyNot } from '../../ui/why-not.tsx';
import { faultWords } from '../../words/fault-words.ts';
import styles from './edit-account-page.module.css';

/** Specification section 5. */
const shortestPassword = 6;

type Problems = { readonly password?: string; readonly confirm?: string };

function problemsOf(password: string, confirm: string): Problems {
  if ([...password].length < shortestPassword) return { password: `Password must be at least ${shortestPassword} characters` };
  return password === confirm ? {} : { confirm: 'Passwords do not match' };
}

/** "Reset Password": a new one for the person signed in. Needs signal. */
export function PasswordCard({ email }: { readonly email: string }) {
  const { auth, toasts } = useApp();
  const reason = useNeedsSignal();
  const [password, setPassword] = useState('');
  const [confirm, setConfirm] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || reason !== undefined) return;
    const found = problemsOf(password, confirm);
    setProblems(found);
    const message = found.password ?? found.confirm;
    if (message !== undefined) {
      toasts.show({ title: 'Error', description: message, variant: 'destructive' });
      document.getElementById(found.password === undefined ? 'confirm-password' : 'new-password')?.focus();
      return;
    }
    setBusy(true);
    try {
      await auth.updatePassword(password);
      setPassword('');
      setConfirm('');
      toasts.show({ title: 'Password Updated', description: 'Use the new one the next time you sign in.' });
    } catch (fault) {
      toasts.show({ title: 'Error', description: faultWords(fault, 'Failed to update password'), variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Card as="section" labelledBy="reset-password">
      <h2 id="reset-password">Reset Password</h2>
      <form className={styles.form} onSubmit={submit} noValidate>
        {/* Password managers want to know whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
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
        <div className={styles.foot}>
          <Button type="submit" variant="primary" isBusy={isBusy} busyText="Updating..." isDisabled={reason !== undefined} aria-describedby="password-why">
            Update Password
          </Button>
          <WhyNot id="password-why" reason={reason} />
        </div>
      </form>
    </Card>
  );
}
