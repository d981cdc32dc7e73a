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
  return (
    <div className={styles.chooser} role="group" aria-labelledby={id}>
      <p id={id}>This was changed on another device in the meantime. Choose which version to keep.</p>
      {Object.entries(theirs).map(([field, value]) => (
        <div key={field}>
          <p className={styles.field} id={`${id}-${field}`}>
            {labels[field] ?? field}
          </p>
          <dl className={styles.versions} aria-labelledby={`${id}-${field}`}>
            <div>
              <dt>Yours</dt>
              <dd>{valueWords(field, mine[field], lists)}</dd>
            </div>
            <div>
              <dt>From the other device</dt>
              <dd>{valueWords(field, value, lists)}</dd>
            </div>
          </dl>
        </div>
      ))}
      <div className={styles.answers}>
        <Button variant="primary" isDisabled={isDisabled || !mayKeepMine} onPress={onKeepMine}>
          Keep mine
        </Button>
        <Button isDisabled={isDisabled} onPress={onKeepOther}>
          Keep the other
        </Button>
      </div>
    </div>
  );
}
