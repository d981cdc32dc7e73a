export interface StepFields {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** What every step of the sign-in dialog is given. */
export interface StepProps {
  readonly fields: StepFields;
  readonly onChange: (changes: Partial<StepFields>) => void;
  readonly isBusy: boolean;
  /** Without signal nothing here can be done. */
  readonly isDisabled: boolean;
  readonly onSubmit: () => void;
}
