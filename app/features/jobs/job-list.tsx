import { useElementScrollRestoration } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useKeptPlace } from '../../hooks/use-kept-place.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { useVirtualList } from '../../hooks/use-virtual-list.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { distanceWords, type DistanceContext } from './distances.ts';
import { isNewSince, type FeedJob } from './filter-jobs.ts';
import { JobCard } from './job-card.tsx';
import styles from './job-list.module.css';
import { panes, twoColumns } from './layouts.ts';
import { createKeptOrder } from './sort-changed.ts';
import { useKeepScreen } from './use-keep-screen.ts';

type JobListProps = {
  readonly jobs: readonly FeedJob[];
  readonly lists: ReferenceLists;
  readonly interestedIn: ReadonlySet<string>;
  readonly nearness: DistanceContext;
  /** ISO instant: what was posted later is new to this person; undefined where that is not known. */
  readonly since: string | undefined;
  /** ISO instant ages are counted from. */
  readonly now: string;
  /** An object that lives as long as this person's session context: the scroll position is kept by it. */
  readonly keeper: object;
  /** Ids of the jobs that are saved for later. */
  readonly shortlisted: Pick<ReadonlySet<string>, 'has'>;
  /** Saves one for later, or takes it off. */
  readonly onToggleShortlisted: ((job: FeedJob) => void) | undefined;
  /** Hears which jobs are in the window; the same function while nothing changes. */
  readonly onShown: (shown: readonly FeedJob[]) => void;
  /** The job that is open beside the list. */
  readonly chosenId?: string | undefined;
  /** Opens one beside the list; left out, its own page opens. */
  readonly onChoose?: ((id: string) => void) | undefined;
  /** As of `useVirtualList`. */
  readonly hasContainer?: boolean;
};

/** A card of a phone or a tablet, and a row of a desktop. */
const likelyHeights = { card: 150, row: 76 };
/** So many are shown while the app starts the next time. */
const keptJobs = 50;
/** Their age is another then: of what is long past, its day is said. */
const whenRead = '9999-01-01T00:00:00.000Z';
/** What scrolls, and how many are in a row. */
const layoutOf = (hasContainer: boolean, columns: number) => `${hasContainer} ${columns}`;
const layoutNow = () => layoutOf(window.matchMedia(panes).matches, window.matchMedia(twoColumns).matches ? 2 : 1);

/** Only the cards near the screen are in the page; each says which of how many it is. */
export function JobList({
  jobs,
  lists,
  interestedIn,
  nearness,
  since,
  now,
  keeper,
  shortlisted,
  onToggleShortlisted,
  onShown,
  chosenId,
  onChoose,
  hasContainer = false,
}: JobListProps) {
  const columns = useMedia(twoColumns) ? 2 : 1;
  const [keepOrder] = useState(createKeptOrder<FeedJob>);
  const order = keepOrder(jobs);
  // The same function for the same order: with another one every card of the list is placed again.
  const keyOf = useCallback((row: number) => order[row * columns]?.id ?? row, [order, columns]);
  const { list, virtual, offsetOf, firstRow } = useVirtualList<HTMLDivElement>({
    rows: Math.ceil(jobs.length / columns),
    columns,
    likelyHeight: hasContainer ? likelyHeights.row : likelyHeights.card,
    keyOf,
    keeper,
    hasContainer,
    lastTop: useElementScrollRestoration({ id: 'jobs' })?.scrollY,
  });
  // Ages are said in minutes: what is drawn within one is the same card.
  const minute = `${now.slice(0, 16)}:00.000Z`;
  const items = virtual.getVirtualItems();
  const { startIndex: first, endIndex: last } = virtual.range ?? { startIndex: 0, endIndex: -1 };
  useEffect(() => {
    onShown(jobs.slice(first * columns, (last + 1) * columns));
    return () => onShown([]);
  }, [onShown, jobs, first, last, columns]);
  const firstJob = firstRow === undefined ? undefined : firstRow * columns;
  useKeptPlace(layoutOf(hasContainer, columns), layoutNow, firstJob, (index) =>
    virtual.scrollToIndex(Math.floor(index / columns), { align: 'start' }),
  );
  const rowOf = useCallback(
    (row: number, at = minute) =>
      jobs.slice(row * columns, (row + 1) * columns).map((job, column) => (
        <div
          role="listitem"
          key={job.id}
          aria-setsize={jobs.length}
          aria-posinset={row * columns + column + 1}
          className={styles.item}
        >
          <JobCard
            job={job}
            lists={lists}
            distance={distanceWords(job, nearness)}
            isInterested={interestedIn.has(job.id)}
            isNew={isNewSince(job, since)}
            now={at}
            isShortlisted={shortlisted.has(job.id)}
            onToggleShortlisted={onToggleShortlisted}
            isChosen={job.id === chosenId}
            onChoose={onChoose}
          />
        </div>
      )),
    [jobs, columns, lists, nearness, interestedIn, since, minute, shortlisted, onToggleShortlisted, chosenId, onChoose],
  );
  const keep = useKeepScreen();
  const firstRows = useMemo(
    () =>
      keep &&
      Array.from({ length: Math.ceil(Math.min(jobs.length, keptJobs) / columns) }, (_, row) => (
        <div key={row} className={styles.row}>
          {rowOf(row, whenRead)}
        </div>
      )),
    [keep, jobs.length, columns, rowOf],
  );
  const chosenAt = chosenId === undefined ? -1 : jobs.findIndex(({ id }) => id === chosenId);
  useEffect(() => {
    if (chosenAt >= 0) virtual.scrollToIndex(chosenAt, { align: 'auto' });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- where another is chosen, and not when the list changes under the person
  }, [chosenId]);
  return (
    <div role="list" ref={list} data-list="jobs" className={styles.list} style={{ blockSize: virtual.getTotalSize() }}>
      {items.map((row) => (
        <div
          key={row.key}
          ref={virtual.measureElement}
          data-index={row.index}
          className={styles.row}
          style={{ transform: `translateY(${offsetOf(row)}px)` }}
        >
          {rowOf(row.index)}
        </div>
      ))}
      {keep !== undefined && <keep.KeepScreen>{firstRows}</keep.KeepScreen>}
    </div>
  );
}
