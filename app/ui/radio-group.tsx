import { RadioButton, RadioField, RadioGroup as AriaRadioGroup, Text } from 'react-aria-components/RadioGroup';
import { cx } from './cx.ts';
import type { FieldFrame } from './field-frame.ts';
import { FieldLabel, FieldProblem } from './field-words.tsx';
import field from './field.module.css';
import styles from './radio-group.module.css';

type RadioOption = { readonly value: string; readonly label: string; readonly hint?: string };

type RadioGroupProps = FieldFrame & {
  readonly options: readonly RadioOption[];
  /** The chosen value; '' while nothing is chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly name?: string;
};

/** One choice of a few, all of them in sight. Each is a whole tile to press. */
export function RadioGroup({ label, hint, error, isOptional = false, options, value, ...rest }: RadioGroupProps) {
  return (
    <AriaRadioGroup
      {...rest}
      value={value === '' ? null : value}
      className={cx(field.field)}
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <FieldLabel label={label} hint={hint} isOptional={isOptional} />
      <div className={styles.tiles}>
        {options.map((option) => (
          <RadioField key={option.value} value={option.value} className={cx(styles.field)}>
            <RadioButton className={cx(styles.tile)}>
              <span className={styles.dot} aria-hidden="true" />
              <span className={styles.words}>
                <span className={styles.label}>{option.label}</span>
                {option.hint !== undefined && (
                  <Text slot="description" className={cx(field.hint)}>
                    {option.hint}
                  </Text>
                )}
              </span>
            </RadioButton>
          </RadioField>
        ))}
      </div>
      <FieldProblem error={error} />
    </AriaRadioGroup>
  );
}
