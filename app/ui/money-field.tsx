import type { FieldFrame } from './field-frame.ts';
import { TextField } from './text-field.tsx';

type MoneyFieldProps = FieldFrame & {
  /** What was typed, untouched: dollars and at most two decimals. Reading it as an amount is the caller's work. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly name?: string;
  readonly placeholder?: string;
};

/**
 * An amount in New Zealand dollars, kept as the text that was typed so that no float ever stands between
 * the person and what is stored. Spaces, "$", "NZD" and commas are dropped as they come: people paste them.
 */
export function MoneyField({ onChange, ...rest }: MoneyFieldProps) {
  return (
    <TextField
      {...rest}
      prefix="$"
      inputMode="decimal"
      autoComplete="off"
      maxLength={24}
      onChange={(value) => onChange(value.replaceAll(/[\s$,]|nzd?/gi, ''))}
    />
  );
}
