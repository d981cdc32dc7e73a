import { memo, useCallback, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { formatMoney } from '../../../shared/lib/money.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import { TownPicker, type TownChoice } from '../../ui/town-picker.tsx';
import { DistanceFilter } from './distance-filter.tsx';
import type { DistanceContext } from './distances.ts';
import styles from './filter-panel.module.css';
import type { Urgency } from '../../words/urgency.ts';
import { tradeOptions, urgencyOptions } from './filter-options.ts';
import type { PlaceChoice } from './use-phone-place.tsx';
import {
  budgetStep,
  unlimitedBudget,
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
  readonly isBar: boolean;
  readonly nearness: DistanceContext;
  readonly choice: PlaceChoice;
  /** Ids of the trades of this tradie's business. */
  readonly ownTrades: readonly string[];
  /** "Show jobs" was pressed, and is gone with the panel. The same function each time. */
  readonly onDone: () => void;
  /** Controls beside the button that opens the filters. */
  readonly children?: ReactNode;
};

const sortOptions = jobSorts.map((sort) => ({ value: sort, label: jobSortLabels[sort] }));
const dollars = { style: 'currency', currency: 'NZD', maximumFractionDigits: 0 } as const;
const budgetWords = (budget: number) =>
  budget >= unlimitedBudget ? `${formatMoney(unlimitedBudget)}+` : formatMoney(budget);

/**
 * Behind a button, so that jobs come first, and rendered only when it is opened. Where the job is beside the list
 * (`isBar`) what is used most stands above both.
 */
export const FilterPanel = memo(function FilterPanel(props: FilterPanelProps) {
  const [isOpen, setOpen] = useState(false);
  const narrowing = countNarrowing(props.filters);
  const opener = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    // A list of towns that is open takes it first, and so does a search with text.
    if (!isOpen || event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    setOpen(false);
    opener.current?.querySelector<HTMLElement>('[aria-controls=job-filters]')?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the fields in it
    <div className={styles.whole} onKeyDown={onKeyDown}>
      <div ref={opener} className={styles.opener}>
        {props.isBar && <FirstFilters {...props} />}
        <Button icon="filter" aria-expanded={isOpen} aria-controls="job-filters" onPress={() => setOpen(!isOpen)}>
          {narrowing === 0 ? 'Filters' : `Filters (${narrowing})`}
        </Button>
        {props.children}
      </div>
      <section id="job-filters" className={styles.panel} data-open={isOpen || undefined} aria-label="Filters">
        {isOpen && (
          <Filters
            {...props}
            onClose={() => {
              setOpen(false);
              props.onDone();
            }}
          />
        )}
      </section>
    </div>
  );
});

type ChangeFilters = (changes: Partial<JobFilters>) => void;

/**
 * The function stays the same while the person types: the filters that it does not change are not drawn again for each
 * letter.
 */
function useChange({ filters, onFilters }: Pick<FilterPanelProps, 'filters' | 'onFilters'>): ChangeFilters {
  const latest = useRef(filters);
  useLayoutEffect(() => {
    latest.current = filters;
  });
  return useCallback<ChangeFilters>((changes) => onFilters({ ...latest.current, ...changes }), [onFilters]);
}

/** Apart from the search field all stay as they are while the person types. */
function Filters({
  filters,
  onFilters,
  lists,
  isBar,
  nearness,
  choice,
  ownTrades,
  onClose,
}: FilterPanelProps & { readonly onClose: () => void }) {
  const change = useChange({ filters, onFilters });
  const { showInterested, showOthers, urgencies, budget, region, locationId, withinKm } = filters;
  return (
    <>
      {!isBar && (
        <>
          <SortBy sort={filters.sort} change={change} />
          <Search text={filters.text} change={change} />
          <Category categoryIds={filters.categoryIds} {...{ lists, ownTrades, change }} />
        </>
      )}
      <Narrowing
        {...{ showInterested, showOthers, urgencies, budget, region, locationId, withinKm, lists, change }}
        {...{ nearness, choice }}
      />
      <div className={styles.actions}>
        <Button icon="refresh" isWide onPress={() => onFilters(resetFilters)}>
          Reset filters
        </Button>
        <Button variant="primary" isWide onPress={onClose}>
          Show jobs
        </Button>
      </div>
    </>
  );
}

/** What stands above the list and the job: search, trade and order. */
function FirstFilters({ filters, onFilters, lists, ownTrades }: FilterPanelProps) {
  const change = useChange({ filters, onFilters });
  return (
    <>
      <Search text={filters.text} change={change} />
      <Category categoryIds={filters.categoryIds} {...{ lists, ownTrades, change }} />
      <SortBy sort={filters.sort} change={change} />
    </>
  );
}

function Search({ text, change }: { readonly text: string; readonly change: ChangeFilters }) {
  return (
    <SearchField
      label="Search"
      placeholder="Title or description"
      value={text}
      onChange={(next) => change({ text: next })}
    />
  );
}

const SortBy = memo(function SortBy({ sort, change }: { readonly sort: JobSort; readonly change: ChangeFilters }) {
  return (
    <Select label="Sort by" value={sort} options={sortOptions} onChange={(next) => change({ sort: next as JobSort })} />
  );
});

type CategoryProps = Pick<JobFilters, 'categoryIds'> & {
  readonly ownTrades: readonly string[];
  readonly lists: ReferenceLists;
  readonly change: ChangeFilters;
};

const Category = memo(function Category({ categoryIds, lists, ownTrades, change }: CategoryProps) {
  return (
    <Select
      label="Category"
      value={categoryIds.join(',')}
      placeholder="All categories"
      options={tradeOptions(categoryIds, ownTrades, lists)}
      onChange={(ids) => change({ categoryIds: ids === '' ? [] : ids.split(',') })}
    />
  );
});

const placed = ({ region, locationId }: TownChoice) => ({
  region: region === '' ? null : region,
  locationId: locationId === '' ? null : locationId,
});

type NarrowingProps = Readonly<Omit<JobFilters, 'sort' | 'text' | 'categoryIds' | 'onlyHidden' | 'onlyShortlisted'>> &
  Pick<FilterPanelProps, 'lists' | 'nearness' | 'choice'> & { readonly change: ChangeFilters };

const Narrowing = memo(function Narrowing({
  showInterested,
  showOthers,
  urgencies,
  budget,
  region,
  locationId,
  withinKm,
  lists,
  nearness,
  choice,
  change,
}: NarrowingProps) {
  const place = useCallback(
    (next: TownChoice) => change({ ...placed(next), ...(next.locationId === '' && { withinKm: null }) }),
    [change],
  );
  const within = useCallback(
    // A distance goes over the border of a region.
    (km: number | null) => change({ withinKm: km, ...(km !== null && locationId === null && { region: null }) }),
    [change, locationId],
  );
  return (
    <>
      <Select
        label="Urgency"
        value={urgencies.join(',')}
        placeholder="Any urgency"
        options={urgencyOptions(urgencies)}
        onChange={(wanted) => change({ urgencies: wanted === '' ? [] : (wanted.split(',') as Urgency[]) })}
      />
      <div className={styles.budget}>
        <Slider
          label="Max budget"
          prefix="$"
          min={0}
          max={unlimitedBudget}
          step={budgetStep}
          value={budget}
          format={budgetWords}
          spokenAs={dollars}
          onChange={(most) => change({ budget: most })}
        />
      </div>
      <div className={styles.place}>
        <TownPicker
          towns={lists.places}
          value={{ region: region ?? '', locationId: locationId ?? '' }}
          onChange={place}
        />
      </div>
      <DistanceFilter
        withinKm={withinKm}
        town={lists.place(locationId)}
        nearness={nearness}
        choice={choice}
        onChange={within}
      />
      <div className={styles.ticks} role="group" aria-label="Interest">
        <Checkbox isSelected={showInterested} onChange={(isOn) => change({ showInterested: isOn })}>
          Interest expressed
        </Checkbox>
        <Checkbox isSelected={showOthers} onChange={(isOn) => change({ showOthers: isOn })}>
          Interest not expressed
        </Checkbox>
      </div>
    </>
  );
});
