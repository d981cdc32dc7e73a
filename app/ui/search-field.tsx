import { Button, Input, SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { cx } from './cx.ts';
import type { FieldFrame } from './field-frame.ts';
import { FieldLabel } from './field-words.tsx';
import { Icon } from './icon.tsx';
import field from './field.module.css';
import styles from './search-field.module.css';

type SearchFieldProps = Pick<FieldFrame, 'label' | 'hint' | 'isDisabled' | 'id'> & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
};

/** Text that narrows a list as it is typed. Escape or the cross empties it. */
export function SearchField({ label, hint, placeholder, ...rest }: SearchFieldProps) {
  return (
    <AriaSearchField {...rest} className={cx(field.field)}>
      <FieldLabel label={label} hint={hint} />
      <div className={styles.frame}>
        <span className={styles.glass}>
          <Icon name="search" />
        </span>
        <Input
          className={cx(field.control, styles.input)}
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          {...(placeholder === undefined ? {} : { placeholder })}
        />
        <Button className={cx(styles.clear)}>
          <Icon name="cross" label="Clear search" />
        </Button>
      </div>
    </AriaSearchField>
  );
}
