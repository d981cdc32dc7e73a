import { useState, type FormEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { FieldLock } from '../../ui/field-lock.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './step.module.css';
import type { StepProps } from './step-props.ts';

/** First and last name are required. */
export function DetailsStep({ fields, onChange, isBusy, isDisabled, onSubmit }: StepProps) {
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
