import { useEffect, useRef, useState } from 'react';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxGrid } from '../../ui/checkbox-grid.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TownPicker } from '../../ui/town-picker.tsx';
import styles from './tradie-filter-panel.module.css';
import { countNarrowing, filtersOf, tradieSortLabels, tradieSorts, type TradieFilters, type TradieSort } from './tradie-filters.ts';

type TradieFilterPanelProps = {
  readonly filters: TradieFilters;
  readonly onFilters: (filters: TradieFilters) => void;
  readonly lists: ReferenceLists;
};

const sortOptions = tradieSorts.map((sort) => ({ value: sort, label: tradieSortLabels[sort] }));

/** Beside the list on a wide screen; behind a button on a phone. */
export function TradieFilterPanel({ filters, onFilters, lists }: TradieFilterPanelProps) {
  const [isOpen, setOpen] = useState(false);
  const change = (changes: Partial<TradieFilters>) => onFilters({ ...filters, ...changes });
  const narrowing = countNarrowing(filters);
  return (
    <div>
      <div className={styles.opener}>
        <Button icon="filter" isWide aria-expanded={isOpen} aria-controls="tradie-filters" onPress={() => setOpen(!isOpen)}>
          {narrowing === 0 ? 'Filters' : `Filters (${narrowing})`}
        </Button>
      </div>
      <section id="tradie-filters" className={styles.panel} data-open={isOpen || undefined} aria-label="Filters">
        <NameSearch value={filters.text} onChange={(text) => change({ text })} />
        <Select label="Sort by" value={filters.sort} options={sortOptions} onChange={(sort) => change({ sort: sort as TradieSort })} />
        <TownPicker
          towns={lists.places}
          value={{ region: filters.region ?? '', locationId: filters.locationId ?? '' }}
          onChange={({ region, locationId }) =>
            change({ region: region === '' ? null : region, locationId: locationId === '' ? null : locationId })
          }
        />
        <div className={styles.trades}>
          <CheckboxGrid
            label={filters.categoryIds.length === 0 ? 'Trades' : `Trades (${filters.categoryIds.length})`}
            options={lists.categories.map(({ id, name }) => ({ value: id, label: name }))}
            value={filters.categoryIds}
            onChange={(categoryIds) => change({ categoryIds })}
          />
        </div>
        <Button icon="refresh" isDisabled={narrowing === 0 && filters.sort === 'a-z'} onPress={() => onFilters(filtersOf({}))}>
          Reset filters
        </Button>
      </section>
    </div>
  );
}

/** Holds what is typed itself: the address follows a moment later, and must not take letters back meanwhile. */
function NameSearch({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  return (
    <SearchField
      label="Business name"
      placeholder="Search by name"
      value={typed}
      onChange={(text) => {
        setTyped(text);
        told.current = text;
        onChange(text);
      }}
    />
  );
}
