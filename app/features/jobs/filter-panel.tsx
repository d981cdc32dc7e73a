import { memo, useState } from 'react';
import { formatMoney } from '../../../shared/lib/money.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import { TownPicker } from '../../ui/town-picker.tsx';
import styles from './filter-panel.module.css';
import { budgetStep, budgetTop, countNarrowing, jobSortLabels, jobSorts, resetFilters, type JobFilters, type JobSort } from './job-filters.ts';

type FilterPanelProps = {
  readonly filters: JobFilters;
  readonly onFilters: (filters: JobFilters) => void;
  readonly lists: ReferenceLists;
};

const sortOptions = jobSorts.map((sort) => ({ value: sort, label: jobSortLabels[sort] }));
const dollars = { style: 'currency', currency: 'NZD', maximumFractionDigits: 0 } as const;
const budgetWords = (budget: number) => (budget >= budgetTop ? `${formatMoney(budgetTop)}+` : formatMoney(budget));

/** Beside the list on a wide screen; behind a button on a phone, so that jobs are what one sees. */
export const FilterPanel = memo(function FilterPanel({ filters, onFilters, lists }: FilterPanelProps) {
  const [isOpen, setOpen] = useState(false);
  const change = (changes: Partial<JobFilters>) => onFilters({ ...filters, ...changes });
  const narrowing = countNarrowing(filters);
  return (
    <div>
      <div className={styles.opener}>
        <Button icon="filter" isWide aria-expanded={isOpen} aria-controls="job-filters" onPress={() => setOpen(!isOpen)}>
          {narrowing === 0 ? 'Filters' : `Filters (${narrowing})`}
        </Button>
      </div>
      <section id="job-filters" className={styles.panel} data-open={isOpen || undefined} aria-label="Filters">
        <Select label="Sort by" value={filters.sort} options={sortOptions} onChange={(sort) => change({ sort: sort as JobSort })} />
        <SearchField label="Search" placeholder="Title or description" value={filters.text} onChange={(text) => change({ text })} />
        <Select
          label="Category"
          value={filters.categoryId ?? ''}
          placeholder="All categories"
          options={lists.categories.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => change({ categoryId: id === '' ? null : id })}
        />
        <div className={styles.ticks} role="group" aria-label="Interest">
          <Checkbox isSelected={filters.showInterested} onChange={(showInterested) => change({ showInterested })}>
            Interest expressed
          </Checkbox>
          <Checkbox isSelected={filters.showOthers} onChange={(showOthers) => change({ showOthers })}>
            Interest not expressed
          </Checkbox>
        </div>
        <Slider
          label="Max budget"
          prefix="$"
          min={0}
          max={budgetTop}
          step={budgetStep}
          value={filters.budget}
          format={budgetWords}
          spokenAs={dollars}
          onChange={(budget) => change({ budget })}
        />
        <TownPicker
          towns={lists.places}
          value={{ region: filters.region ?? '', locationId: filters.locationId ?? '' }}
          onChange={({ region, locationId }) =>
            change({ region: region === '' ? null : region, locationId: locationId === '' ? null : locationId })
          }
        />
        <Button icon="refresh" onPress={() => onFilters(resetFilters)}>
          Reset filters
        </Button>
        <div className={styles.opener}>
          <Button variant="primary" isWide onPress={() => setOpen(false)}>
            Show jobs
          </Button>
        </div>
      </section>
    </div>
  );
});
