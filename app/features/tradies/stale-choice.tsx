import { formatPhone } from '../../../shared/lib/phone.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/promises.ts';
import styles from './edit-tradie-form.module.css';
import { fieldLabels, type ProfileBase } from './profile-form.ts';

export interface Conflict {
  readonly field: keyof ProfileBase | 'logo';
  readonly theirs: unknown;
  readonly mine: unknown;
}

type StaleChoiceProps = {
  readonly message: string;
  readonly conflicts: readonly Conflict[];
  readonly lists: ReferenceLists;
  readonly isDisabled: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
};

function valueWords(field: Conflict['field'], value: unknown, lists: ReferenceLists): string {
  if (Array.isArray(value)) return value.map((id) => lists.categoryName(String(id)) ?? String(id)).join(', ') || 'None';
  if (typeof value !== 'string' || value === '') return 'Nothing';
  if (field === 'locationId') return lists.place(value)?.town ?? value;
  if (field === 'logo') return 'Another picture';
  return field === 'contactPhone' ? formatPhone(value) : value;
}

/** The same field was changed elsewhere: both values, and the person chooses. */
export function StaleChoice({ message, conflicts, lists, isDisabled, onKeepMine, onTakeTheirs }: StaleChoiceProps) {
  return (
    <Banner
      tone="bad"
      title={words.notAccepted}
      announce="alert"
      actions={
        <div className={styles.choices}>
          <Button variant="primary" isDisabled={isDisabled} onPress={onKeepMine}>
            Keep mine
          </Button>
          <Button isDisabled={isDisabled} onPress={onTakeTheirs}>
            Take the other
          </Button>
        </div>
      }
    >
      <p>{message}</p>
      <dl className={styles.stale}>
        {conflicts.map(({ field, theirs, mine }) => (
          <div key={field}>
            <dt>{fieldLabels[field]}</dt>
            <dd>
              <span>There now:</span> {valueWords(field, theirs, lists)}
            </dd>
            <dd>
              <span>Yours:</span> {valueWords(field, mine, lists)}
            </dd>
          </div>
        ))}
      </dl>
    </Banner>
  );
}
