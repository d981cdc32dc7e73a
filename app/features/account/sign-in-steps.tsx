import { useState, type FormEvent } from 'react';
import { mailedCode, notSixDigits } from '../../lib/mailed-code.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { FieldLock } from '../../ui/field-lock.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './step.module.css';

/** First and last name are required. */
export function DetailsStep({ fields, onChange, busy, isDisabled, onSubmit }: StepProps) {
  const isBusy = busy !== undefined;
  const [hasTried, setHasTried] = useState(false);
  const lacksFirst = fields.firstName.trim() === '';
  const lacksLast = fields.lastName.trim() === '';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setHasTried(true);
    if (!lacksFirst && !lacksLast) return void (isBusy || isDisabled || onSubmit());
    event.currentTarget.querySelector<HTMLInputElement>(`[name="${lacksFirst ? 'firstName' : 'lastName'}"]`)?.focus();
  };
  return (
    <form className={styles.step} onSubmit={submit} noValidate>
      <p>Tradies never see your name, email or phone number.</p>
      <FieldLock isLocked={isBusy}>
        <TextField
          label="First name"
          name="firstName"
          autoFocus
          autoComplete="given-name"
          autoCapitalize="words"
          maxLength={80}
          isRequired
          value={fields.firstName}
          error={hasTried && lacksFirst ? 'First name is required' : undefined}
          onChange={(firstName) => onChange({ firstName })}
        />
        <TextField
          label="Last name"
          name="lastName"
          autoComplete="family-name"
          autoCapitalize="words"
          enterKeyHint="done"
          maxLength={80}
          isRequired
          value={fields.lastName}
          error={hasTried && lacksLast ? 'Last name is required' : undefined}
          onChange={(lastName) => onChange({ lastName })}
        />
      </FieldLock>
      <Button type="submit" variant="primary" isWide isBusy={isBusy} isDisabled={isDisabled}>
        Complete Profile
      </Button>
    </form>
  );
}

export function ConfirmEmailStep({
  fields,
  busy,
  isDisabled,
  onSubmit,
  onChange,
  onAgain,
  onHasAccount,
  rejected,
}: Omit<StepProps, 'onSubmit'> & {
  /** `code`: the six digits; undefined where the person says that they have opened the link. */
  readonly onSubmit: (code: string | undefined) => void;
  readonly onAgain: () => void;
  /**
   * The server may not have told that the address has an account (decision 19): the person knows, and so learns that
   * the password is wrong.
   */
  readonly onHasAccount: () => void;
  /** `password`: the mailed link may be opened by now, and still the password is not that of the account. */
  readonly rejected: 'password' | 'code' | undefined;
}) {
  const [isMalformed, setMalformed] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy !== undefined || isDisabled) return;
    const code = mailedCode(fields.code);
    if (code !== undefined || fields.code.trim() === '') return onSubmit(code);
    setMalformed(true);
    event.currentTarget.querySelector<HTMLInputElement>('[name="code"]')?.focus();
  };
  // The button that is under way keeps the focus.
  const isOff = (own: typeof busy) => isDisabled || (busy !== undefined && busy !== own);
  const problem =
    rejected === 'code' ? 'This is not the code of the newest mail, or it is older than a day' : undefined;
  return (
    <form className={styles.step} onSubmit={submit}>
      <p>We sent a link to</p>
      <p className={styles.address}>{fields.email.trim()}</p>
      <p>Open it, then come back here, or type the six digits from the mail. It may be in your junk mail.</p>
      <TextField
        label="Code from the email"
        name="code"
        autoFocus
        isOptional
        inputMode="numeric"
        autoComplete="one-time-code"
        enterKeyHint="go"
        maxLength={12}
        value={fields.code}
        error={isMalformed ? notSixDigits : problem}
        onChange={(code) => {
          setMalformed(false);
          onChange({ code });
        }}
      />
      {rejected === 'password' && (
        <Banner tone="warn" title="Opened the link already?">
          Then this is not your account’s password. Choose one on the page the link opens, or go back and press “Forgot
          password?”.
        </Banner>
      )}
      <Button type="submit" variant="primary" isWide isBusy={busy === 'submit'} isDisabled={isOff('submit')}>
        I've Confirmed My Email
      </Button>
      <Button variant="plain" isWide isBusy={busy === 'again'} isDisabled={isOff('again')} onPress={onAgain}>
        Send it again
      </Button>
      <p>If you have an account already, this was not its password.</p>
      <Button isWide isBusy={busy === 'account'} isDisabled={isOff('account')} onPress={onHasAccount}>
        I have an account already
      </Button>
    </form>
  );
}

interface StepFields {
  readonly email: string;
  readonly password: string;
  readonly code: string;
  readonly firstName: string;
  readonly lastName: string;
}

export interface StepProps {
  readonly fields: StepFields;
  readonly onChange: (changes: Partial<StepFields>) => void;
  /** Which of its buttons is under way. */
  readonly busy: 'submit' | 'forgot' | 'again' | 'account' | undefined;
  /** Without signal nothing here can be done. */
  readonly isDisabled: boolean;
  readonly onSubmit: () => void;
}
