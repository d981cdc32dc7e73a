import { useState } from 'react';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Button } from './button.tsx';
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
  /**
   * Values of the ones that stand here, with what is ticked, before all are asked for: what follows must not be pushed
   * a screen away.
   */
  readonly first?: readonly string[];
  /** A phone has them side by side, in half the height. */
  readonly isChips?: boolean;
};

/** Many tick boxes under one label, in as many columns as there is room for. */
export function CheckboxGrid({
  label,
  hint,
  error,
  isOptional = false,
  options,
  value,
  first,
  isChips = false,
  ...rest
}: CheckboxGridProps) {
  const [isWhole, setWhole] = useState(first === undefined);
  // What is unticked again stays where it was.
  const [ticked, setTicked] = useState(value);
  const late = value.filter((one) => !ticked.includes(one));
  if (late.length > 0) setTicked([...ticked, ...late]);
  const shown = isWhole ? options : options.filter((one) => first?.includes(one.value) || ticked.includes(one.value));
  return (
    <CheckboxGroup
      {...rest}
      value={[...value]}
      className={cx(field.field)}
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <FieldLabel label={label} hint={hint} isOptional={isOptional} />
      <div className={styles.grid} data-chips={isChips || undefined}>
        {shown.map((option) => (
          <Checkbox key={option.value} value={option.value}>
            {option.label}
          </Checkbox>
        ))}
      </div>
      {first !== undefined && (isWhole || shown.length < options.length) && (
        <div className={styles.more}>
          <Button aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show all ${options.length}`}
          </Button>
        </div>
      )}
      <FieldProblem error={error} />
    </CheckboxGroup>
  );
}
