import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { formatMoney } from '../../../shared/lib/money.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import { TownPicker } from '../../ui/town-picker.tsx';
import styles from './filter-panel.module.css';
import {
  budgetStep,
  budgetTop,
  countNarrowing,
  jobSortLabels,
  jobSorts,
  resetFilters,
  type JobFilters,
  type JobSort,
} from './job-filters.ts';

type FilterPanelProps = {
  readonly filters: JobFilters;
  readonly onFilters: (filters: JobFilters) => void;
  readonly lists: ReferenceLists;
};

const sortOptions = jobSorts.map((sort) => ({ value: sort, label: jobSortLabels[sort] }));
const dollars = { style: 'currency', currency: 'NZD', maximumFractionDigits: 0 } as const;
const budgetWords = (budget: number) => (budget >= budgetTop ? `${formatMoney(budgetTop)}+` : formatMoney(budget));

/** The panel's place beside the list: as in filter-panel.module.css. */
const beside = '(min-width: 60rem)';

/** Beside the list on a wide screen; behind a button on a phone, so that jobs come first, and rendered only when it is opened. */
export const FilterPanel = memo(function FilterPanel(props: FilterPanelProps) {
  const [isOpen, setOpen] = useState(false);
  const isBeside = useMedia(beside);
  const narrowing = countNarrowing(props.filters);
  return (
    <div>
      <div className={styles.opener}>
        <Button
          icon="filter"
          isWide
          aria-expanded={isOpen}
          aria-controls="job-filters"
          onPress={() => setOpen(!isOpen)}
        >
          {narrowing === 0 ? 'Filters' : `Filters (${narrowing})`}
        </Button>
      </div>
      <section id="job-filters" className={styles.panel} data-open={isOpen || undefined} aria-label="Filters">
        {(isOpen || isBeside) && <Filters {...props} onClose={() => setOpen(false)} />}
      </section>
    </div>
  );
});

type ChangeFilters = (changes: Partial<JobFilters>) => void;

/** Apart from the search field all stay as they are while the person types, and are not drawn again for each letter. */
function Filters({ filters, onFilters, lists, onClose }: FilterPanelProps & { readonly onClose: () => void }) {
  const latest = useRef(filters);
  useLayoutEffect(() => {
    latest.current = filters;
  });
  const change = useCallback<ChangeFilters>((changes) => onFilters({ ...latest.current, ...changes }), [onFilters]);
  const { categoryId, showInterested, showOthers, budget, region, locationId } = filters;
  return (
    <>
      <SortBy sort={filters.sort} change={change} />
      <SearchField
        label="Search"
        placeholder="Title or description"
        value={filters.text}
        onChange={(text) => change({ text })}
      />
      <Narrowing {...{ categoryId, showInterested, showOthers, budget, region, locationId, lists, change }} />
      <Button icon="refresh" onPress={() => onFilters(resetFilters)}>
        Reset filters
      </Button>
      <div className={styles.opener}>
        <Button variant="primary" isWide onPress={onClose}>
          Show jobs
        </Button>
      </div>
    </>
  );
}

const SortBy = memo(function SortBy({ sort, change }: { readonly sort: JobSort; readonly change: ChangeFilters }) {
  return (
    <Select label="Sort by" value={sort} options={sortOptions} onChange={(next) => change({ sort: next as JobSort })} />
  );
});

type NarrowingProps = Readonly<Omit<JobFilters, 'sort' | 'text'>> & {
  readonly lists: ReferenceLists;
  readonly change: ChangeFilters;
};

const Narrowing = memo(function Narrowing({
  categoryId,
  showInterested,
  showOthers,
  budget,
  region,
  locationId,
  lists,
  change,
}: NarrowingProps) {
  return (
    <>
      <Select
        label="Category"
        value={categoryId ?? ''}
        placeholder="All categories"
        options={lists.categories.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => change({ categoryId: id === '' ? null : id })}
      />
      <div className={styles.ticks} role="group" aria-label="Interest">
        <Checkbox isSelected={showInterested} onChange={(isOn) => change({ showInterested: isOn })}>
          Interest expressed
        </Checkbox>
        <Checkbox isSelected={showOthers} onChange={(isOn) => change({ showOthers: isOn })}>
          Interest not expressed
        </Checkbox>
      </div>
      <Slider
        label="Max budget"
        prefix="$"
        min={0}
        max={budgetTop}
        step={budgetStep}
        value={budget}
        format={budgetWords}
        spokenAs={dollars}
        onChange={(most) => change({ budget: most })}
      />
      <TownPicker
        towns={lists.places}
        value={{ region: region ?? '', locationId: locationId ?? '' }}
        onChange={(place) =>
          change({
            region: place.region === '' ? null : place.region,
            locationId: place.locationId === '' ? null : place.locationId,
          })
        }
      />
    </>
  );
});
