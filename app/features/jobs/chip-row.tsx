import type { Search } from '../../../shared/tables/index.ts';
import type { Place, ReferenceLists } from '../../lib/reference-lists.ts';
import { formatNumber } from '../../lib/format-number.ts';
import { Chip } from '../../ui/chip.tsx';
import { words } from '../../words/common-words.ts';
import styles from './chip-row.module.css';
import { countNarrowing, resetFilters, type JobFilters } from './job-filters.ts';
import { nearName, nearSearch } from './near-search.ts';
import { chosenSearch, filtersOfSearch, isSameSearch, nameOfSearch, savable, searchOfFilters } from './search-terms.ts';
import { useSaveSearch } from './use-save-search.ts';
import { useUnsentSearches, type Base } from './use-searches.ts';

type ChipRowProps = {
  readonly filters: JobFilters;
  readonly onFilters: (filters: JobFilters) => void;
  readonly lists: ReferenceLists;
  /** Saved searches in their person's order; undefined while they are read. */
  readonly searches: readonly Search[] | undefined;
  /** How many new jobs each of them finds, by its id. */
  readonly news: ReadonlyMap<string, number>;
  /** What this tradie does and where, by their profile. */
  readonly base: Base | undefined;
  /** The town to save in place of where the tradie is. */
  readonly near: Place | undefined;
  /** How many jobs this tradie has saved for later, and how many hidden. */
  readonly shortlisted: number;
  readonly hidden: number;
  /** Opens all saved searches. */
  readonly onManage: () => void;
};

/** What is looked at in a tap: saved searches, jobs that one has saved for later, and those that one has hidden. */
export function ChipRow({
  filters,
  onFilters,
  lists,
  searches,
  news,
  base,
  near,
  shortlisted,
  hidden,
  onManage,
}: ChipRowProps) {
  const { may, save } = useSaveSearch();
  const unsent = useUnsentSearches();
  if (searches === undefined) return <div className={styles.row} />;
  const { sort, onlyShortlisted, onlyHidden } = filters;
  // All of them, whatever the list was narrowed to; and back to the list as it is without filters.
  const show = (changes: Partial<JobFilters>) => onFilters({ ...resetFilters, sort, ...changes });
  const chosen = chosenSearch(filters, searches);
  const wanted = searchOfFilters(savable(filters, near));
  // Whether one has answered a job is no part of a search: without anything else it would find all jobs there are.
  const isSavable =
    countNarrowing({ ...filters, text: wanted.words, showInterested: true, showOthers: true }) > 0 &&
    !onlyShortlisted &&
    !onlyHidden &&
    !searches.some((one) => isSameSearch(one, wanted));
  const ready = searches.length === 0 && base !== undefined ? nearSearch(base, lists) : undefined;
  return (
    <div className={styles.row}>
      <div className={styles.group} role="group" aria-label="Saved searches">
        {searches.map((search) => {
          const newCount = news.get(search.id) ?? 0;
          return (
            <Chip
              key={search.id}
              isOn={search.id === chosen?.id}
              icon={unsent.has(search.id) ? 'phone' : undefined}
              note={unsent.has(search.id) ? words.saved : undefined}
              news={newCount === 0 ? undefined : `${formatNumber(newCount)} new`}
              onPress={() => (search.id === chosen?.id ? show({}) : onFilters(filtersOfSearch(filters, search)))}
            >
              {search.name}
            </Chip>
          );
        })}
        {may && ready !== undefined && (
          <Chip
            icon="plus"
            adds
            label={`Save the search ${nearName}`}
            onPress={async () => {
              if (await save(ready, nearName)) onFilters(filtersOfSearch(filters, ready));
            }}
          >
            {nearName}
          </Chip>
        )}
        {may && isSavable && (
          <Chip icon="plus" adds onPress={() => void save(wanted, nameOfSearch(wanted, lists))}>
            Save this search
          </Chip>
        )}
      </div>
      <div className={styles.group} role="group" aria-label="Lists of jobs">
        {(shortlisted > 0 || onlyShortlisted) && (
          <Chip icon="bookmark" isOn={onlyShortlisted} onPress={() => show({ onlyShortlisted: !onlyShortlisted })}>
            {`Saved for later (${shortlisted})`}
          </Chip>
        )}
        {(hidden > 0 || onlyHidden) && (
          <Chip isOn={onlyHidden} onPress={() => show({ onlyHidden: !onlyHidden })}>
            {`Hidden (${hidden})`}
          </Chip>
        )}
      </div>
      {searches.length > 0 && (
        <Chip icon="edit" adds opensDialog onPress={onManage}>
          Edit<span className={styles.more}> searches</span>
        </Chip>
      )}
    </div>
  );
}
