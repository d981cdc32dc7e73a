/** What every field here takes. `error` is shown at the field and spoken with it. */
export type FieldFrame = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Marked "(optional)" beside the label. */
  readonly isOptional?: boolean;
  /** Spoken as required. Never stops a submit by itself: the form says what is missing in words. */
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  /** The id of the control, which an `ErrorSummary` links to. */
  readonly id?: string;
};
