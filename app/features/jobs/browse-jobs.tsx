import { useEffect, useMemo, useRef, useState } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { Person } from '../../context/watch-person.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { useScrollKeys } from '../../hooks/use-scroll-keys.ts';
import { Button } from '../../ui/button.tsx';
import { OfferedAlerts } from '../../parts/offered-alerts.tsx';
import { PageFooter } from '../../parts/page-footer.tsx';
import { Page } from '../../ui/page.tsx';
import { formatDayAndTime, formatInstant } from '../../words/dates.ts';
import { count, words } from '../../words/common-words.ts';
import { prefoldTexts, countNewSince, type FeedJob } from './filter-jobs.ts';
import { useAskedRegions } from './asked-regions.ts';
import { ChipRow } from './chip-row.tsx';
import { HeldBack, SomeRegions, useFeedPart } from './feed-part.tsx';
import { FilterPanel } from './filter-panel.tsx';
import {
  LoadingList,
  FirstVisit,
  JobsOverBudget,
  NoneFound,
  SubscriptionRequired,
  Unreadable,
} from './find-jobs-states.tsx';
import styles from './browse-jobs.module.css';
import { unlimitedBudget, type JobFilters, type MapView } from './job-filters.ts';
import { MarkedAway } from './marked-away.tsx';
import { JobList } from './job-list.tsx';
import { desktop, panes } from './layouts.ts';
import { MapChoice } from './map-choice.tsx';
import { NearestNote } from './nearest-note.tsx';
import { useLastVisit } from './last-visit.ts';
import { useRememberedFilters } from './remembered-filters.ts';
import { useToggleShortlisted } from './use-shortlist.ts';
import { useSearchRow } from './use-search-row.ts';
import { ManagedSearches } from './managed-searches.tsx';
import { useFilterContext } from './use-filter-context.ts';
import { useOwnNotes } from './use-own-notes.ts';
import { useDistanceContext } from './use-distance-context.ts';
import { usePhonePlace } from './use-phone-place.tsx';
import { useFoundJobs } from './use-found-jobs.ts';
import { useFocusFallback } from './use-focus-fallback.ts';
import { useListKeys } from './use-list-keys.ts';
import { formatNumber } from '../../lib/format-number.ts';

export type BrowseJobsProps = {
  readonly filters: JobFilters;
  /** The address names no filter. */
  readonly isBare: boolean;
  readonly onFilters: (filters: JobFilters) => void;
  /** The job that is open beside the list, where there is room for both. */
  readonly chosenId: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
  readonly onOpen: (id: string) => void;
  readonly mapView: MapView;
  readonly onMapView: (view: MapView) => void;
};

const loadPane = () => import('./job-pane.tsx');
const loadMap = () => import('./job-map.tsx');

const isComing = (status: string) => status === 'starting' || status === 'filling';

const noJobs: readonly FeedJob[] = [];

/** The jobs, their filters, and on a desktop the one that is open beside them. */
export function BrowseJobs({
  filters,
  isBare,
  onFilters: onOtherFilters,
  chosenId,
  onChoose,
  onOpen,
  mapView,
  onMapView,
  person,
}: BrowseJobsProps & { readonly person: Person }) {
  const { isRead, change: onFilters } = useRememberedFilters(isBare, onOtherFilters);
  const isDesktop = useMedia(desktop);
  const hasPanes = useMedia(panes);
  const results = useRef<HTMLDivElement>(null);
  useScrollKeys(results, hasPanes);
  const [isManaging, setManaging] = useState(false);
  const pane = useDeferredImport(isDesktop, loadPane, () => undefined);
  const { now, toasts } = useApp();
  const map = useDeferredImport(mapView.isOpen, loadMap, () => {
    onMapView({ isOpen: false, towns: [] });
    toasts.show({ title: 'Error', description: words.notFetched, variant: 'destructive' });
  });
  const sessionContext = useSessionContext();
  const feed = useWatched(sessionContext.feed);
  const lists = useReference();
  const part = useFeedPart();
  const nearness = useDistanceContext(person.user.tradieId, lists);
  const asked = useAskedRegions(filters, nearness, lists);
  const isWhole = part === 'whole' || (part === 'regions' && asked?.isHere === true);
  const among = isWhole ? 'all' : part === 'coming' || (asked?.coming.length ?? 0) > 0 ? 'coming' : 'part';
  const since = useLastVisit();
  const { interestedIn, hidden, shortlisted } = useOwnNotes(person.user.tradieId);
  const onToggleShortlisted = useToggleShortlisted(shortlisted);
  const searched = { filters, jobs: feed.rows, shortlisted, hidden, interestedIn, lists };
  const { row, ownTrades, onShown } = useSearchRow(person.user.tradieId, searched);
  const { choice, dialog } = usePhonePlace();
  const context = useFilterContext({ interestedIn, hidden, shortlisted }, nearness, lists);
  const { wanted, found, jobs, above } = useFoundJobs(feed.rows, filters, context, mapView.towns);
  // One that the filters leave out stays open beside what they find, but not beside nothing.
  const isAlone = jobs?.length === 0 && chosenId !== undefined && feed.rows.some(({ id }) => id === chosenId);
  const isSplit = isDesktop && ((chosenId !== undefined && !isAlone) || mapView.isOpen);
  const close = useListKeys(isDesktop, {
    jobs: jobs ?? noJobs,
    isCurrent: wanted === filters,
    chosenId,
    isChosenHidden: chosenId !== undefined && hidden?.has(chosenId) === true,
    choose: onChoose,
    open: onOpen,
    keeper: sessionContext.feed,
  });
  useEffect(() => (part === 'coming' ? undefined : prefoldTexts(feed.rows)), [part, feed.rows]);
  const { target: counted, focus: focusCount } = useFocusFallback<HTMLParagraphElement>();
  // Typing draws the panel anew, not the list that is still the same.
  const list = useMemo(
    () =>
      jobs === undefined || interestedIn === undefined || shortlisted === undefined ? null : (
        <JobList
          jobs={jobs}
          lists={lists}
          interestedIn={interestedIn}
          nearness={nearness}
          since={since}
          now={now()}
          keeper={sessionContext.feed}
          shortlisted={shortlisted}
          onToggleShortlisted={onToggleShortlisted}
          onShown={onShown}
          chosenId={isDesktop ? chosenId : undefined}
          onChoose={isDesktop ? onChoose : undefined}
          hasContainer={hasPanes}
        />
      ),
    [
      jobs,
      lists,
      interestedIn,
      nearness,
      shortlisted,
      onToggleShortlisted,
      onShown,
      since,
      now,
      sessionContext.feed,
      isDesktop,
      hasPanes,
      chosenId,
      onChoose,
    ],
  );
  const newCount = useMemo(() => countNewSince(jobs ?? noJobs, since), [jobs, since]);
  // Opened with the map, as after a reload: it must not come between the page's head and a list, or what stands for
  // one, that is there already.
  const [beganWithMap] = useState(mapView.isOpen);
  const isMapComing = beganWithMap && mapView.isOpen && map === undefined;
  const isWaiting = !isRead || jobs === undefined || isMapComing || (feed.rows.length === 0 && isComing(feed.status));
  const updatedAt = isWaiting ? null : feed.updatedAt;
  const updated = updatedAt === null ? undefined : `Updated ${formatInstant(updatedAt, now())}`;
  const asOf = updatedAt === null ? undefined : `As of ${formatDayAndTime(updatedAt, now())}`;

  if (feed.status === 'failed') return <Unreadable />;
  // The server has said no, or the valid-until has just passed: the person's own row will soon say so.
  if (feed.status === 'hidden') return <SubscriptionRequired user={person.user} />;
  if (feed.status === 'absent') return <FirstVisit />;
  const more = wanted.budget < unlimitedBudget && (
    <JobsOverBudget
      count={isWaiting ? 0 : above}
      budget={wanted.budget}
      onShow={() => onFilters({ ...filters, budget: unlimitedBudget })}
    />
  );
  const mapButton = (
    <Button
      icon="map"
      aria-expanded={mapView.isOpen}
      {...(!isDesktop && { iconOnlyLabel: 'Map' })}
      onPress={() => onMapView({ isOpen: !mapView.isOpen, towns: [] })}
    >
      Map
    </Button>
  );
  const chipRow = { ...row, filters, onFilters, lists, near: nearness.origin?.town, onManage: () => setManaging(true) };
  const shownMap = map !== undefined && mapView.isOpen && found !== undefined && !(beganWithMap && isWaiting) && (
    <map.JobMap
      {...{ jobs: found, isWhole, lists }}
      towns={mapView.towns}
      onTowns={(towns) => onMapView({ isOpen: true, towns })}
    />
  );
  return (
    <Page
      title="Find Jobs"
      width="full"
      {...(isDesktop && {
        actions: (
          <>
            <ChipRow {...chipRow} />
            {mapButton}
          </>
        ),
      })}
      lead={
        <div className={styles.found}>
          <p ref={counted} tabIndex={-1} role="status" className={styles.count}>
            {isWaiting
              ? 'Fetching jobs'
              : `${count(jobs.length, 'job')}${isWhole ? '' : part === 'regions' ? ' on this phone' : ' so far'}${newCount === 0 ? '' : `, ${formatNumber(newCount)} new since you last looked`}`}
          </p>
          <p className={styles.updated} data-later={asOf}>
            {updated}
          </p>
          {isDesktop && more}
        </div>
      }
    >
      <div className={styles.offer} data-passing="">
        <OfferedAlerts after="search" />
      </div>
      <ManagedSearches
        isOpen={isManaging}
        onClose={() => setManaging(false)}
        {...{ searches: row.searches, lists, ownTrades }}
      />
      <div className={styles.layout}>
        <FilterPanel
          filters={filters}
          onFilters={onFilters}
          lists={lists}
          isBar={isDesktop}
          nearness={nearness}
          choice={choice}
          ownTrades={ownTrades}
          onDone={focusCount}
        >
          {!isDesktop && (
            <>
              {mapButton}
              <ChipRow {...chipRow} />
            </>
          )}
        </FilterPanel>
        {!isDesktop && more}
        <div className={styles.columns} data-split={isSplit || undefined}>
          <div ref={results} className={styles.results} {...(hasPanes && { 'data-scroll-restoration-id': 'jobs' })}>
            {!isDesktop && shownMap}
            {mapView.towns.length > 0 && (
              <MapChoice towns={mapView.towns} lists={lists} onShowAll={() => onMapView({ isOpen: true, towns: [] })} />
            )}
            {part === 'held-back' && <HeldBack />}
            {part === 'regions' && <SomeRegions asked={asked} />}
            {wanted.sort === 'nearest' && !isWaiting && <NearestNote jobs={jobs} nearness={nearness} choice={choice} />}
            {isWaiting ? (
              <LoadingList label="Fetching jobs" />
            ) : jobs.length === 0 ? (
              <NoneFound filters={wanted} onFilters={onFilters} hasOthers={feed.rows.length > 0} among={among} />
            ) : (
              list
            )}
            {!isWaiting && <MarkedAway filters={wanted} {...{ shortlisted, hidden, feed }} />}
            {hasPanes && !isWaiting && (
              <footer className={styles.foot}>
                <PageFooter />
              </footer>
            )}
          </div>
          {isSplit && (
            <div className={styles.beside}>
              {chosenId === undefined
                ? shownMap
                : pane !== undefined &&
                  !isWaiting && (
                    <pane.JobPane
                      id={chosenId}
                      job={sessionContext.feed.find(chosenId)}
                      part={part}
                      person={person}
                      lists={lists}
                      nearness={nearness}
                      now={now()}
                      onClose={close}
                    />
                  )}
            </div>
          )}
        </div>
      </div>
      {dialog}
    </Page>
  );
}
