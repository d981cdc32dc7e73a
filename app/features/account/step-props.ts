export interface StepFields {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
}

export interface StepProps {
  readonly fields: StepFields;
  readonly onChange: (changes: Partial<StepFields>) => void;
  readonly isBusy: boolean;
  /** Without signal nothing here can be done. */
  readonly isDisabled: boolean;
  readonly onSubmit: () => void;
}
