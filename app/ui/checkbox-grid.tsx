import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Checkbox } from './checkbox.tsx';
import { cx } from './cx.ts';
import type { FieldFrame } from './field-frame.ts';
import { FieldLabel, FieldProblem } from './field-words.tsx';
import field from './field.module.css';
import styles from './checkbox-grid.module.css';

type CheckboxGridProps = FieldFrame & {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly name?: string;
  /** In a panel, it scrolls in a box of its own, so that what follows is not pushed away; on a page, a phone has them side by side as chips. */
  readonly many?: 'box' | 'chips';
};

/** Many tick boxes under one label, in as many columns as there is room for. */
export function CheckboxGrid({
  label,
  hint,
  error,
  isOptional = false,
  options,
  value,
  many,
  ...rest
}: CheckboxGridProps) {
  return (
    <CheckboxGroup
      {...rest}
      value={[...value]}
      className={cx(field.field)}
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <FieldLabel label={label} hint={hint} isOptional={isOptional} />
      <div className={styles.grid} data-many={many}>
        {options.map((option) => (
          <Checkbox key={option.value} value={option.value}>
            {option.label}
          </Checkbox>
        ))}
      </div>
      <FieldProblem error={error} />
    </CheckboxGroup>
  );
}
