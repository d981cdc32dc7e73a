import type { ReactNode } from 'react';
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox';
import { cx } from './cx.ts';
import { FieldProblem } from './field-words.tsx';
import { Icon } from './icon.tsx';
import styles from './checkbox.module.css';

type CheckboxProps = {
  readonly children: ReactNode;
  readonly isSelected?: boolean;
  readonly onChange?: (isSelected: boolean) => void;
  /** Inside a `CheckboxGrid`: what this box stands for. */
  readonly value?: string;
  readonly name?: string;
  readonly isDisabled?: boolean;
  readonly isRequired?: boolean;
  readonly error?: string | undefined;
  readonly id?: string;
};

/** A tick box whose whole row can be pressed: no link in its words. */
export function Checkbox({ children, error, ...rest }: CheckboxProps) {
  return (
    <CheckboxField {...rest} className={cx(styles.field)} isInvalid={error !== undefined} validationBehavior="aria">
      <CheckboxButton className={cx(styles.row)}>
        <span className={styles.box} aria-hidden="true">
          <Icon name="check" />
        </span>
        <span>{children}</span>
      </CheckboxButton>
      {error !== undefined && <FieldProblem error={error} />}
    </CheckboxField>
  );
}
