import { useState, type FormEvent } from 'react';
import { same } from '../../../shared/mutations/edit.ts';
import type { Search } from '../../../shared/tables/index.ts';
import { useSessionContext } from '../../context/app-context.ts';
import { useMutationForm } from '../../hooks/use-mutation-form.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxGrid } from '../../ui/checkbox-grid.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { MoneyField } from '../../ui/money-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TownPicker } from '../../ui/town-picker.tsx';
import { fieldLabels } from '../../words/field-labels.ts';
import { urgencies, urgencyLabels, type Urgency } from '../../words/urgency.ts';
import { distanceSteps } from './job-filters.ts';
import styles from './searches-dialog.module.css';

type SearchFormProps = {
  readonly search: Search;
  readonly lists: ReferenceLists;
  /** They stand first: most searches are for them. */
  readonly ownTrades: readonly string[];
  readonly onDone: () => void;
};

type Fields = Pick<Search, 'name' | 'categoryIds' | 'region' | 'locationId' | 'withinKm' | 'urgencies' | 'words'> & {
  readonly maxBudget: string;
};

const labels = fieldLabels['search.edit'];

/** The dialog keeps none: what was saved is there to begin from again. */
const noDraft = { keep: async () => undefined, drop: async () => undefined };

const fieldsOf = (search: Search): Fields => ({ ...search, maxBudget: search.maxBudget?.toString() ?? '' });

/**
 * A saved search's name, and all that it looks for: several trades, a region or a distance from a town, budget,
 * urgency, words.
 */
export function SearchForm({ search, lists, ownTrades, onDone }: SearchFormProps) {
  // What was there when the writing began: another device may change it meanwhile.
  const [was, setWas] = useState(search);
  const [fields, setFields] = useState(() => fieldsOf(search));
  const [whyNot, setWhyNot] = useState<string>();
  const { db } = useSessionContext();
  const { may, mutate } = useMutation('search.edit', search);
  const set = changesOf(fields, was);
  const names = Object.keys(set) as (keyof typeof set)[];
  const form = useMutationForm('search.edit', {
    draft: noDraft,
    prefix: 'search',
    aliases: {},
    rejected: undefined,
    isDirty: names.length > 0,
  });
  const change = (changes: Partial<Fields>) => {
    if (!form.touch(changes)) return;
    setFields({ ...fields, ...changes });
    setWhyNot(undefined);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (form.phase !== 'writing') return;
    if (names.length === 0) return onDone();
    const base = Object.fromEntries(names.map((name) => [name, was[name]]));
    const args = { id: search.id, set, base };
    if (!form.check(args).isValid) return;
    const others = names.filter((name) => !same(search[name], was[name]) && !same(search[name], set[name]));
    if (others.length > 0) {
      setWas(search);
      return setWhyNot(changedMeanwhile(others, search));
    }
    const kept = await form.send(() => mutate(args, { fallback: 'Could not be saved' }));
    if (kept.kind === 'accepted' || kept.kind === 'saved') return onDone();
    // What another device made of it is here by now, and its person has been told: who saves again means it.
    setWas((await db.searches.get(search.id)) ?? was);
    if (kept.kind === 'rejected') setWhyNot(kept.rejected.message);
  };
  const error = (name: keyof typeof form.problems) =>
    form.problems[name] === undefined ? {} : { error: form.problems[name] };
  const km = fields.withinKm;
  const distances = [...new Set([...distanceSteps, ...(km === null ? [] : [km])])].toSorted(
    (one, other) => one - other,
  );
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <ErrorSummary problems={form.listed} attempt={form.attempt} />
      <TextField
        id="search-name"
        label="Name"
        maxLength={60}
        value={fields.name}
        onChange={(name) => change({ name })}
        {...error('name')}
      />
      <CheckboxGrid
        id="search-categoryIds"
        label="Trades"
        hint="Leave empty for all trades."
        isChips
        first={ownTrades}
        options={lists.categories.map(({ id, name }) => ({ value: id, label: name }))}
        value={fields.categoryIds}
        onChange={(categoryIds) => change({ categoryIds })}
        {...error('categoryIds')}
      />
      <TownPicker
        id="search-locationId"
        towns={lists.places}
        value={{ region: fields.region ?? '', locationId: fields.locationId ?? '' }}
        onChange={({ region, locationId }) =>
          change({
            region: region === '' ? null : region,
            locationId: locationId === '' ? null : locationId,
            ...(locationId === '' && { withinKm: null }),
          })
        }
        {...error('locationId')}
      />
      {fields.locationId !== null && (
        <Select
          label="Distance"
          value={km === null ? '' : String(km)}
          placeholder="In this town"
          options={distances.map((one) => ({ value: String(one), label: `Within ${one} km` }))}
          onChange={(next) => change({ withinKm: next === '' ? null : Number(next) })}
        />
      )}
      <MoneyField
        id="search-maxBudget"
        label="Max budget"
        isOptional
        hint="Jobs without a budget are found as well."
        value={fields.maxBudget}
        onChange={(maxBudget) => change({ maxBudget })}
        {...error('maxBudget')}
      />
      <CheckboxGrid
        label="Urgency"
        hint="Leave empty for any."
        options={urgencies.map((one) => ({ value: one, label: urgencyLabels[one] }))}
        value={fields.urgencies}
        onChange={(ticked) => change({ urgencies: urgencies.filter((one: Urgency) => ticked.includes(one)) })}
      />
      <TextField
        id="search-words"
        label="Words"
        isOptional
        hint="In the title or the description."
        maxLength={120}
        value={fields.words}
        onChange={(words) => change({ words })}
        {...error('words')}
      />
      {whyNot !== undefined && (
        <p role="alert" className={styles.warn}>
          {whyNot}
        </p>
      )}
      <div className={styles.foot}>
        <Button type="submit" variant="primary" isDisabled={!may}>
          Save
        </Button>
        <Button variant="plain" onPress={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function changedMeanwhile(names: readonly (keyof typeof labels)[], now: Search): string {
  const fields = names.map((name) => {
    const value = now[name];
    return typeof value === 'string' && name !== 'locationId' ? `${labels[name]} (now “${value}”)` : labels[name];
  });
  return `Changed meanwhile in another tab or on another device: ${fields.join(', ')}. Save again to keep what is here.`;
}

/** What is other than it was, as the mutation takes it. */
function changesOf({ maxBudget, ...fields }: Fields, was: Search) {
  const now = { ...fields, maxBudget: maxBudget.trim() === '' ? null : Number(maxBudget) };
  const isOther = (name: keyof typeof now) =>
    name === 'maxBudget'
      ? maxBudget.trim() !== (was.maxBudget?.toString() ?? '')
      : JSON.stringify(now[name]) !== JSON.stringify(was[name]);
  const names = (
    ['name', 'categoryIds', 'region', 'locationId', 'withinKm', 'maxBudget', 'urgencies', 'words'] as const
  ).filter(isOther);
  return Object.fromEntries(names.map((name) => [name, now[name]])) as Partial<typeof now>;
}
