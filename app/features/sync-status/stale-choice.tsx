import { formatMoney } from '../../../shared/lib/money.ts';
import type { ArgsOf } from '../../../shared/mutations/index.ts';
import { useHouse } from '../../app-context.ts';
import type { RefusedEntry } from '../../db/person-db.ts';
import { useReference } from '../../lib/use-reference.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { Button } from '../../ui/button.tsx';
import { urgencyLabels, type Urgency } from '../../words/urgency.ts';
import styles from './item.module.css';

type StaleChoiceProps = {
  readonly entry: RefusedEntry;
  readonly isBusy: boolean;
  readonly onAct: (work: () => Promise<unknown>) => Promise<void>;
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

/** Somebody changed the same thing meanwhile: both values, and the person chooses (sync.md section 5). */
export function StaleChoice({ entry, isBusy, onAct }: StaleChoiceProps) {
  const { sync } = useHouse();
  const lists = useReference();
  const { set, base } = entry.args as { set: Record<string, unknown>; base: Record<string, unknown> };
  const theirs = Object.fromEntries(Object.entries(entry.fields ?? {}).map(([field, text]) => [field, JSON.parse(text) as unknown]));
  // The same edit once more, now knowing what stands there: this is what choosing one's own means.
  const keepMine = async () => {
    const args = { ...(entry.args as object), base: { ...base, ...theirs } };
    if (entry.name === 'profile.edit') await sync.mutate('profile.edit', args as ArgsOf<'profile.edit'>, { dropRefused: entry.uid });
    else await sync.mutate('job.edit', args as ArgsOf<'job.edit'>, { dropRefused: entry.uid });
  };
  return (
    <>
      {Object.entries(theirs).map(([field, value]) => (
        <dl key={field} className={styles.versions} aria-label={fieldNames[field] ?? field}>
          <div>
            <dt>{fieldNames[field] ?? field}: yours</dt>
            <dd>{valueWords(field, set[field], lists)}</dd>
          </div>
          <div>
            <dt>{fieldNames[field] ?? field}: from the other device</dt>
            <dd>{valueWords(field, value, lists)}</dd>
          </div>
        </dl>
      ))}
      <div className={styles.buttons}>
        <Button variant="primary" isBusy={isBusy} onPress={() => onAct(keepMine)}>
          Keep mine
        </Button>
        <Button isDisabled={isBusy} onPress={() => onAct(() => sync.discard(entry.uid))}>
          Keep the other
        </Button>
      </div>
    </>
  );
}
