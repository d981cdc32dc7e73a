import { useId } from 'react';
import type { FieldFrame } from './field-frame.ts';
import { Icon } from './icon.tsx';
import field from './field.module.css';
import styles from './select.module.css';

export type SelectOption = { readonly value: string; readonly label: string };

type SelectProps = FieldFrame & {
  /** The chosen value; '' while nothing is chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly SelectOption[];
  /** First entry, value '': "Choose a category" or "All categories". Left out when something is always chosen. */
  readonly placeholder?: string;
  readonly name?: string;
  readonly autoComplete?: string;
  readonly onBlur?: () => void;
};

/**
 * One choice from a list. The browser's own select on purpose: a phone shows it as the wheel or sheet its
 * owner knows, it works with gloves and every screen reader, and it costs nothing to load.
 */
export function Select({
  label,
  hint,
  error,
  isOptional = false,
  isRequired = false,
  isDisabled = false,
  id,
  value,
  onChange,
  options,
  placeholder,
  ...rest
}: SelectProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const hintId = hint === undefined ? undefined : `${controlId}-hint`;
  const errorId = error === undefined ? undefined : `${controlId}-error`;
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={controlId}>
        {label}
        {isOptional && <span className={field.optional}>(optional)</span>}
      </label>
      {hint !== undefined && (
        <span className={field.hint} id={hintId}>
          {hint}
        </span>
      )}
      <div className={styles.frame}>
        <select
          {...rest}
          id={controlId}
          className={`${field.control} ${styles.select}`}
          value={value}
          disabled={isDisabled}
          aria-required={isRequired || undefined}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={[hintId, errorId].filter(Boolean).join(' ') || undefined}
          onChange={(event) => onChange(event.target.value)}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <span className={styles.arrow}>
          <Icon name="chevronDown" />
        </span>
      </div>
      {error !== undefined && (
        <span className={field.error} id={errorId}>
          <Icon name="alert" size="sm" />
          <span>{error}</span>
        </span>
      )}
    </div>
  );
}
