import { FieldError } from 'react-aria-components/FieldError';
import { Label, Text } from 'react-aria-components/TextField';
import { cx } from './cx.ts';
import type { FieldFrame } from './field-frame.ts';
import { Icon } from './icon.tsx';
import styles from './field.module.css';

/** The label and hint above a React Aria field; React Aria ties them to the control. */
export function FieldLabel({ label, hint, isOptional = false }: Pick<FieldFrame, 'label' | 'hint' | 'isOptional'>) {
  return (
    <>
      <Label className={cx(styles.label)}>
        {label}
        {isOptional && <span className={styles.optional}>(optional)</span>}
      </Label>
      {hint !== undefined && (
        <Text slot="description" className={cx(styles.hint)}>
          {hint}
        </Text>
      )}
    </>
  );
}

/** The error below a React Aria field; shown only while the field is invalid. */
export function FieldProblem({ error }: Pick<FieldFrame, 'error'>) {
  return (
    <FieldError className={cx(styles.error)}>
      <Icon name="alert" size="sm" />
      <span>{error}</span>
    </FieldError>
  );
}
