import { useId } from 'react';
import { formatMoney } from '../../shared/lib/money.ts';
import { formatPhone } from '../../shared/lib/phone.ts';
import type { ReferenceLists } from '../lib/reference-lists.ts';
import { Button } from '../ui/button.tsx';
import { fieldLabels, type EditName } from '../words/field-labels.ts';
import { urgencyLabels, type Urgency } from '../words/urgency.ts';
import styles from './conflict-chooser.module.css';

type Values = Readonly<Record<string, unknown>>;

type ConflictChooserProps = {
  /** The mutation whose fields these are. */
  readonly name: EditName;
  /** The current values of the fields that clash. */
  readonly theirs: Values;
  readonly mine: Values;
  readonly lists: ReferenceLists;
  readonly isDisabled: boolean;
  /** Whether the mutation's rules still allow it, as those of a closed job do not. */
  readonly mayKeepMine: boolean;
  readonly onKeepMine: () => void;
  readonly onKeepOther: () => void;
};

function valueWords(field: string, value: unknown, lists: ReferenceLists): string {
  if (Array.isArray(value)) return value.map((id) => lists.categoryName(String(id)) ?? String(id)).join(', ') || 'None';
  if (field === 'budgetMax' && typeof value === 'number') return formatMoney(value);
  if (typeof value !== 'string' || value === '') return 'Nothing';
  if (field === 'urgency') return urgencyLabels[value as Urgency] ?? value;
  if (field === 'locationId') return lists.place(value)?.town ?? value;
  if (field === 'categoryId') return lists.categoryName(value) ?? value;
  if (field === 'contactPhone') return formatPhone(value);
  return field === 'logo' ? 'Another picture' : value;
}

/** The same fields were changed here and elsewhere: one question, both values of each field, two answers. */
export function ConflictChooser({
  name,
  theirs,
  mine,
  lists,
  isDisabled,
  mayKeepMine,
  onKeepMine,
  onKeepOther,
}: ConflictChooserProps) {
  const id = useId();
  const labels: Readonly<Record<string, string>> = fieldLabels[name];
  const answers = [
    { key: 'mine', title: 'Yours', values: mine, keep: 'Keep mine', isOff: !mayKeepMine, onKeep: onKeepMine },
    {
      key: 'other',
      title: 'From the other device',
      values: theirs,
      keep: 'Keep the other',
      isOff: false,
      onKeep: onKeepOther,
    },
  ] as const;
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className={styles.question}>
        This was changed in another tab or on another device in the meantime. Choose which version to keep.
      </p>
      <div className={styles.answers}>
        {answers.map(({ key, title, values, keep, isOff, onKeep }) => (
          <div key={key} className={styles.answer} role="group" aria-labelledby={`${id}-${key}`}>
            <p id={`${id}-${key}`} className={styles.title}>
              {title}
            </p>
            <dl className={styles.fields}>
              {Object.keys(theirs).map((field) => (
                <div key={field}>
                  <dt>{labels[field] ?? field}</dt>
                  <dd>{valueWords(field, values[field], lists)}</dd>
                </div>
              ))}
            </dl>
            <Button isWide isDisabled={isDisabled || isOff} onPress={onKeep}>
              {keep}
            </Button>
          </div>
        ))}
      </div>
    </div>
  );
}
