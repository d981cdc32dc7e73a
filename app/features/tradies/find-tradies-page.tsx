import { useDeferredValue, useMemo, useState } from 'react';
import { useApp } from '../../context/app-context.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { useWatched } from '../../context/use-watched.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { formatInstant } from '../../words/dates.ts';
import { count, words } from '../../words/common-words.ts';
import { reached } from '../../words/reach-words.ts';
import { commonTrades, createSortTradies, filterTradies } from './filter-tradies.ts';
import styles from './find-tradies-page.module.css';
import { findTradiesLead, findTradiesTitle } from './find-tradies-words.ts';
import { FirstTradies } from './first-tradies.tsx';
import { inlinedDirectory } from './inlined.ts';
import { TradieFilterPanel } from './tradie-filter-panel.tsx';
import { countNarrowing, filtersOf, type TradieFilters } from './tradie-filters.ts';
import { TradieList } from './tradie-list.tsx';
import { TradieSkeletons } from './tradie-skeletons.tsx';

type FindTradiesPageProps = {
  readonly filters: TradieFilters;
  readonly onFilters: (filters: TradieFilters) => void;
};

/** So many leave the panel no longer than a window. */
const tradesAtFirst = 8;

/** `/find-tradies`: public, from the copy on this device, so it works signed out and without signal. */
export function FindTradiesPage({ filters, onFilters }: FindTradiesPageProps) {
  const { directory, connection, now } = useApp();
  // New rows are sorted and rendered as transitions.
  const collection = useDeferredValue(useWatched(directory));
  const { kind } = useWatched(connection);
  const lists = useReference();
  const [sort] = useState(createSortTradies);
  const sorted = useMemo(() => sort(collection.rows), [sort, collection.rows]);
  const common = useMemo(() => commonTrades(collection.rows, tradesAtFirst), [collection.rows]);
  // Typing goes first; the list follows as quickly as it can.
  const wanted = useDeferredValue(filters);
  const tradies = useMemo(
    () => filterTradies(sorted, wanted, (id) => lists.place(id)?.region),
    [sorted, wanted, lists],
  );

  const isReachable = kind === 'online' || kind === 'slow';
  const isEmptyHere = collection.rows.length === 0;
  const isWaiting =
    isEmptyHere &&
    (collection.status === 'starting' ||
      collection.status === 'filling' ||
      (collection.status === 'absent' && isReachable));
  // What came with the page stands until the whole list is here, with the words for its ids: a part of it would be of
  // other tradies, and the reader's place another with each.
  const [inlined] = useState(inlinedDirectory);
  const isFirst =
    inlined !== undefined &&
    collection.status !== 'failed' &&
    (collection.status !== 'ready' || lists.isLoading) &&
    countNarrowing(wanted) === 0 &&
    wanted.sort === 'a-z';
  const updated = collection.updatedAt === null ? undefined : `Updated ${formatInstant(collection.updatedAt, now())}`;

  const summary = () => {
    if (isFirst) return count(inlined.total, 'tradie');
    if (isWaiting) return 'Fetching tradies';
    return isEmptyHere ? '' : count(tradies.length, 'tradie');
  };

  const results = () => {
    if (collection.status === 'failed') {
      return (
        <EmptyState picture="lost" title="We couldn't read what is saved on this phone">
          <p>Reload the page. Nothing has been thrown away.</p>
        </EmptyState>
      );
    }
    if (isFirst)
      return (
        <>
          <FirstTradies inlined={inlined} keeper={directory} />
          {inlined.total > inlined.cards.length && (
            <p role="status">
              {isReachable
                ? 'Fetching the rest of them'
                : `The rest of the list comes the first time ${reached(kind)}.`}
            </p>
          )}
        </>
      );
    if (isWaiting) return <TradieSkeletons />;
    if (isEmptyHere && collection.status === 'absent') {
      return (
        <EmptyState picture="offline" title={words.notHere}>
          <p>The list of tradies comes onto this phone the first time {reached(kind)}.</p>
        </EmptyState>
      );
    }
    if (tradies.length === 0) {
      return (
        <EmptyState
          title="No tradies found matching your criteria"
          action={
            countNarrowing(wanted) > 0 ? (
              <Button onPress={() => onFilters(filtersOf({}))}>Show all tradies</Button>
            ) : undefined
          }
        >
          <p>Try a wider area, another trade, or part of the name.</p>
        </EmptyState>
      );
    }
    return <TradieList tradies={tradies} lists={lists} keeper={directory} />;
  };

  return (
    <Page title={findTradiesTitle} width="wide" lead={findTradiesLead}>
      <div className={styles.layout}>
        <TradieFilterPanel filters={filters} onFilters={onFilters} lists={lists} common={common} />
        <div className={styles.results}>
          <div className={styles.head}>
            <p role="status">{summary()}</p>
            {updated !== undefined && <p className={styles.updated}>{updated}</p>}
          </div>
          {results()}
        </div>
      </div>
    </Page>
  );
}
