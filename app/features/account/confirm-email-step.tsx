import type { FormEvent } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './step.module.css';
import type { StepProps } from './step-props.ts';

/** `isPasswordRejected`: the mailed link may be opened by now, and still the password is not that of the account. */
export function ConfirmEmailStep({
  fields,
  isBusy,
  isDisabled,
  onSubmit,
  isPasswordRejected,
}: StepProps & { readonly isPasswordRejected: boolean }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <form className={styles.step} onSubmit={submit}>
      <p>We sent a link to</p>
      <p className={styles.address}>{fields.email.trim()}</p>
      <p>Open it, then come back here. If it isn’t there in a minute, look in your junk mail.</p>
      {isPasswordRejected && (
        <Banner tone="warn" title="Opened the link already?">
          Then this is not your account’s password. Choose one on the page the link opens, or go back and press “Forgot
          password?”.
        </Banner>
      )}
      <Button type="submit" variant="primary" isWide isBusy={isBusy} isDisabled={isDisabled}>
        I've Confirmed My Email
      </Button>
    </form>
  );
}
