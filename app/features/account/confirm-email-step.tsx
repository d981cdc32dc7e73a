import type { FormEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './step.module.css';
import type { StepProps } from './step-props.ts';

export function ConfirmEmailStep({ fields, isBusy, isDisabled, onSubmit }: StepProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <form className={styles.step} onSubmit={submit}>
      <p>We sent a link to</p>
      <p className={styles.address}>{fields.email.trim()}</p>
      <p>Open it, then come back here. If it isn’t there in a minute, look in your junk mail.</p>
      <Button type="submit" variant="primary" isWide isBusy={isBusy} isDisabled={isDisabled}>
        I've Confirmed My Email
      </Button>
    </form>
  );
}
