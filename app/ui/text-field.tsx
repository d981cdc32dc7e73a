import type { ReactNode } from 'react';
import {
  Input,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField';
import { cx } from './cx.ts';
import type { FieldFrame } from './field-frame.ts';
import { FieldLabel, FieldProblem } from './field-words.tsx';
import field from './field.module.css';
import styles from './text-field.module.css';

type TextFieldProps = FieldFrame &
  Pick<
    AriaTextFieldProps,
    | 'autoComplete'
    | 'inputMode'
    | 'type'
    | 'name'
    | 'maxLength'
    | 'isReadOnly'
    | 'autoFocus'
    | 'onBlur'
    | 'onKeyDown'
    | 'spellCheck'
    | 'enterKeyHint'
  > & {
    readonly value: string;
    readonly onChange?: (value: string) => void;
    readonly placeholder?: string;
    /** How a phone's keyboard begins words here; sentences otherwise. */
    readonly autoCapitalize?: 'none' | 'words';
    /** Several lines; grows with what is typed where the browser can. */
    readonly isMultiline?: boolean;
    /** How many rows to start with when multiline. */
    readonly rows?: number;
    /** Stands inside the field before what is typed, as "$". Not spoken: say it in the label or hint. */
    readonly prefix?: string;
    /** Stands beside the field, as a Verify button. */
    readonly beside?: ReactNode;
    /** With `maxLength`: shows how many characters are left. */
    readonly isCounted?: boolean;
  };

/** One line of text, or several. Label above, hint under it, error at it. */
export function TextField({
  label,
  hint,
  error,
  isOptional = false,
  placeholder,
  autoCapitalize,
  isMultiline = false,
  rows = 5,
  prefix,
  beside,
  isCounted = false,
  onChange,
  ...rest
}: TextFieldProps) {
  const shown = placeholder === undefined ? {} : { placeholder };
  const control = isMultiline ? (
    <TextArea className={cx(field.control)} rows={rows} {...shown} />
  ) : (
    <Input
      className={cx(field.control, prefix !== undefined && styles.prefixed)}
      {...shown}
      autoCapitalize={autoCapitalize}
    />
  );
  return (
    <AriaTextField
      {...rest}
      {...(onChange === undefined ? {} : { onChange })}
      className={cx(field.field)}
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <FieldLabel label={label} hint={hint} isOptional={isOptional} />
      <div className={styles.row}>
        <div className={styles.inside}>
          {prefix !== undefined && (
            <span className={styles.prefix} aria-hidden="true">
              {prefix}
            </span>
          )}
          {control}
        </div>
        {beside}
      </div>
      <FieldProblem error={error} />
      {isCounted && rest.maxLength !== undefined && (
        <span className={styles.count}>
          {rest.value.length} of {rest.maxLength}
        </span>
      )}
    </AriaTextField>
  );
}
