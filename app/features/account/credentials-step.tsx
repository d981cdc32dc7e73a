import { useEffect, useRef, useState, type FormEvent } from 'react';
import * as z from 'zod/mini';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './step.module.css';
import type { StepProps } from './sign-in-steps.tsx';

const emailSchema = z
  .string()
  .check(z.trim(), z.minLength(1, 'Email is required'), z.email('Enter an email address, like name@example.co.nz'));

/** Email required and well formed, password at least 6 characters. */
export function problemsOf({ email, password }: StepProps['fields']): { email?: string; password?: string } {
  const parsed = emailSchema.safeParse(email);
  const emailProblem = parsed.success ? undefined : parsed.error.issues[0]?.message;
  const passwordProblem =
    password === ''
      ? 'Password is required'
      : password.length < 6
        ? 'Password must be at least 6 characters'
        : undefined;
  return {
    ...(emailProblem === undefined ? {} : { email: emailProblem }),
    ...(passwordProblem === undefined ? {} : { password: passwordProblem }),
  };
}

export function CredentialsStep({
  fields,
  onChange,
  busy,
  isDisabled,
  onSubmit,
  onForgot,
  passwordProblem,
}: StepProps & {
  readonly onForgot: () => void;
  /** What the provider has against this password. */
  readonly passwordProblem: string | undefined;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (passwordProblem !== undefined) form.current?.querySelector<HTMLInputElement>('[name="password"]')?.focus();
  }, [passwordProblem]);
  const [hasTried, setHasTried] = useState(false);
  const problems = hasTried ? problemsOf(fields) : {};
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setHasTried(true);
    const found = problemsOf(fields);
    const first = found.email !== undefined ? 'email' : found.password !== undefined ? 'password' : undefined;
    if (first === undefined) return void (busy !== undefined || isDisabled || onSubmit());
    event.currentTarget.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };
  return (
    <form ref={form} className={styles.step} onSubmit={submit} noValidate>
      <p>New here? The same form makes your account.</p>
      <TextField
        label="Email"
        name="email"
        autoFocus
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck="false"
        isRequired
        value={fields.email}
        error={problems.email}
        onChange={(email) => onChange({ email })}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        enterKeyHint="go"
        hint="At least 6 characters"
        isRequired
        value={fields.password}
        error={problems.password ?? passwordProblem}
        onChange={(password) => onChange({ password })}
      />
      <Button
        type="submit"
        variant="primary"
        isWide
        isBusy={busy === 'submit'}
        isDisabled={isDisabled || busy === 'forgot'}
      >
        Continue
      </Button>
      <Button
        variant="plain"
        isWide
        isBusy={busy === 'forgot'}
        isDisabled={isDisabled || busy === 'submit'}
        onPress={onForgot}
      >
        Forgot password?
      </Button>
    </form>
  );
}
