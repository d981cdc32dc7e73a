import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxGrid } from '../../ui/checkbox-grid.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TownPicker } from '../../ui/town-picker.tsx';
import { filtersId } from './find-tradies-words.ts';
import styles from './tradie-filter-panel.module.css';
import {
  countNarrowing,
  filtersOf,
  tradieSortLabels,
  tradieSorts,
  type TradieFilters,
  type TradieSort,
} from './tradie-filters.ts';

type TradieFilterPanelProps = {
  readonly filters: TradieFilters;
  readonly onFilters: (filters: TradieFilters) => void;
  readonly lists: ReferenceLists;
  /** Ids of the trades that most tradies here work in. */
  readonly common: readonly string[];
};

const sortOptions = tradieSorts.map((sort) => ({ value: sort, label: tradieSortLabels[sort] }));

const beside = '(min-width: 60rem)';

/** Beside the list on a wide screen; behind a button on a phone, and not rendered before it is opened: 400 towns. */
export function TradieFilterPanel({ filters, onFilters, lists, common }: TradieFilterPanelProps) {
  // A tap on the way to them, before the app was here.
  const [isOpen, setOpen] = useState(() => window.location.hash === `#${filtersId}`);
  // Asked for once: coming back, or a reload, does not ask again.
  useEffect(() => {
    const { hash, pathname, search } = window.location;
    if (hash === `#${filtersId}`) window.history.replaceState(window.history.state, '', pathname + search);
  }, []);
  const latest = useRef({ filters, onFilters });
  useEffect(() => {
    latest.current = { filters, onFilters };
  });
  const change = useCallback(
    (changes: Partial<TradieFilters>) => latest.current.onFilters({ ...latest.current.filters, ...changes }),
    [],
  );
  const isBeside = useMedia(beside);
  const narrowing = countNarrowing(filters);
  const { region, locationId } = filters;
  const trades = filters.categoryIds.join(',');

  // The two expensive parts stay as they are while the person types a name.
  const place = useMemo(
    () => (
      <TownPicker
        towns={lists.places}
        value={{ region: region ?? '', locationId: locationId ?? '' }}
        onChange={(next) =>
          change({
            region: next.region === '' ? null : next.region,
            locationId: next.locationId === '' ? null : next.locationId,
          })
        }
      />
    ),
    [change, lists.places, locationId, region],
  );
  const grid = useMemo(() => {
    const categoryIds = trades.split(',').filter(Boolean);
    return (
      <CheckboxGrid
        label={categoryIds.length === 0 ? 'Trades' : `Trades (${categoryIds.length})`}
        isChips
        first={common}
        options={lists.categories.map(({ id, name }) => ({ value: id, label: name }))}
        value={categoryIds}
        onChange={(next) => change({ categoryIds: next })}
      />
    );
  }, [change, common, lists.categories, trades]);

  return (
    <div>
      <div className={styles.opener}>
        <Button icon="filter" isWide aria-expanded={isOpen} aria-controls={filtersId} onPress={() => setOpen(!isOpen)}>
          {narrowing === 0 ? 'Filters' : `Filters (${narrowing})`}
        </Button>
      </div>
      <section id={filtersId} className={styles.panel} data-open={isOpen || undefined} aria-label="Filters">
        {(isOpen || isBeside) && (
          <>
            <NameSearch value={filters.text} onChange={(text) => change({ text })} />
            <Select
              label="Sort by"
              value={filters.sort}
              options={sortOptions}
              onChange={(sort) => change({ sort: sort as TradieSort })}
            />
            {place}
            {grid}
            <Button
              icon="refresh"
              isDisabled={narrowing === 0 && filters.sort === 'a-z'}
              onPress={() => onFilters(filtersOf({}))}
            >
              Reset filters
            </Button>
          </>
        )}
      </section>
    </div>
  );
}

/** Holds what is typed itself: the address follows a little later, and must not take letters back meanwhile. */
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
