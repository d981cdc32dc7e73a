import { formatMoney } from '../../shared/lib/money.ts';
import { Button } from '../ui/button.tsx';
import { urgencyLabels, type Urgency } from '../words/urgency.ts';
import type { ReferenceLists } from '../lib/reference-lists.ts';
import styles from './stale-versions.module.css';

type Values = Readonly<Record<string, unknown>>;

type StaleVersionsProps = {
  /** The current values of the fields that clash. */
  readonly theirs: Values;
  readonly mine: Values;
  readonly lists: ReferenceLists;
  readonly isBusy: boolean;
  readonly onKeepMine: () => void;
  readonly onKeepOther: () => void;
};

const fieldNames: Readonly<Record<string, string>> = {
  title: 'Title',
  description: 'Description',
  locationId: 'Location',
  budgetMax: 'Budget max',
  urgency: 'Urgency',
  categoryId: 'Category',
  businessName: 'Business name',
  businessAddress: 'Business address',
  contactPersonFirstName: 'Contact first name',
  contactPersonLastName: 'Contact last name',
  contactPhone: 'Contact phone',
  logo: 'Logo',
  categoryIds: 'Categories',
};

function valueWords(field: string, value: unknown, lists: ReferenceLists): string {
  if (value === null || value === undefined || value === '') return 'Nothing';
  if (field === 'budgetMax' && typeof value === 'number') return formatMoney(value);
  if (field === 'urgency') return urgencyLabels[value as Urgency] ?? String(value);
  if (field === 'locationId') return lists.place(String(value))?.town ?? String(value);
  if (field === 'categoryId') return lists.categoryName(String(value)) ?? String(value);
  if (Array.isArray(value)) return value.map((id) => lists.categoryName(String(id)) ?? String(id)).join(', ');
  return String(value);
}

/** The same thing was changed elsewhere meanwhile: both values, and the person chooses. */
export function StaleVersions({ theirs, mine, lists, isBusy, onKeepMine, onKeepOther }: StaleVersionsProps) {
  return (
    <>
      {Object.entries(theirs).map(([field, value]) => (
        <dl key={field} className={styles.versions} aria-label={fieldNames[field] ?? field}>
          <div>
            <dt>{fieldNames[field] ?? field}: yours</dt>
            <dd>{valueWords(field, mine[field], lists)}</dd>
          </div>
          <div>
            <dt>{fieldNames[field] ?? field}: from the other device</dt>
            <dd>{valueWords(field, value, lists)}</dd>
          </div>
        </dl>
      ))}
      <div className={styles.buttons}>
        <Button variant="primary" isBusy={isBusy} onPress={onKeepMine}>
          Keep mine
        </Button>
        <Button isDisabled={isBusy} onPress={onKeepOther}>
          Keep the other
        </Button>
      </div>
    </>
  );
}
