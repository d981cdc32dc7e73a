import { useState } from 'react';
import { shapeNzbn } from '../../../shared/lib/nzbn.ts';
import { useApp } from '../../context/app-context.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './become-tradie.module.css';
import { looksInvalid } from './onboarding-form.ts';

type NzbnFieldProps = {
  readonly value: string;
  readonly isVerified: boolean;
  readonly error: string | undefined;
  readonly onChange: (nzbn: string, isVerified: boolean) => void;
};

/** The number, shaped as it is typed, with Verify beside it; editing makes it unverified again. */
export function NzbnField({ value, isVerified, error, onChange }: NzbnFieldProps) {
  const { toasts } = useApp();
  const [isAsked, setAsked] = useState(false);
  const isDoubtful = looksInvalid(value);
  const shown = error ?? (isAsked && value === '' ? 'NZBN is required' : undefined);

  const verify = () => {
    setAsked(true);
    if (value === '') {
      toasts.show({ title: 'Error', description: 'NZBN is required', variant: 'destructive' });
      return;
    }
    onChange(value, true);
    toasts.show({ title: 'NZBN Verified', description: 'Dummy verification successful.' });
  };

  return (
    <div className={styles.nzbn}>
      <TextField
        id="onboarding-nzbn"
        label="NZBN"
        hint="Your New Zealand Business Number: 13 digits, beginning with 94."
        isRequired
        inputMode="numeric"
        autoComplete="off"
        spellCheck="false"
        value={value}
        onChange={(typed) => onChange(shapeNzbn(typed), false)}
        error={shown}
        beside={
          <Button icon={isVerified && !isDoubtful ? 'check' : 'shield'} onPress={verify}>
            {isVerified && !isDoubtful ? 'Verified' : 'Verify'}
          </Button>
        }
      />
      <p className={styles.doubt} role="status">
        {isDoubtful && (
          <>
            <Icon name="alert" size="sm" />
            <span>That NZBN doesn't look right. Check the 13 digits.</span>
          </>
        )}
      </p>
    </div>
  );
}
