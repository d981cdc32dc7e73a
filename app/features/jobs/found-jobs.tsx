import { useEffect, useMemo } from 'react';
import { useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useRows } from '../../db/use-rows.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { nearName, nearSearch, tradeSearch } from './near-search.ts';
import { NewsItem } from './news-item.tsx';
import { hrefOfSearch } from './search-terms.ts';
import type { FoundJobs } from './use-news.ts';
import { useOwnNotes } from './use-own-notes.ts';
import { useSaveSearch } from './use-save-search.ts';
import { useSearchNews } from './use-search-news.ts';
import { useSearches, type Base } from './use-searches.ts';

/* Apart from the dashboard: what matches jobs with searches is no part of the first screen. */

type CountFoundJobsProps = {
  readonly tradieId: string;
  readonly base: Base;
  /** ISO instant: where this tradie keeps no search, jobs of their trades after it are new. */
  readonly since: string;
  /** Hears what is new; the same function while nothing changes. */
  readonly onFound: (found: FoundJobs) => void;
};

const noJobs = [] as const;
const inTrades = 'trades';

/**
 * Counts what is new in this tradie's saved searches, or in their trades: who keeps searches has said what they want to
 * hear of. Jobs of their own are none. Nothing where they may not read the feed. Shows nothing.
 */
export function CountFoundJobs({ tradieId, base: { categoryIds }, since, onFound }: CountFoundJobsProps) {
  const { db, userId, feed } = useSessionContext();
  const { rows, status } = useWatched(feed);
  const lists = useReference();
  const saved = useSearches();
  const own = useRows(
    db,
    ['jobs'],
    ({ jobs }) => new Set([...jobs.values()].flatMap((job) => (job.userId === userId ? [job.id] : []))),
    [userId],
  );
  const ownIds = own.state === 'ready' ? own.value : undefined;
  const jobs = useMemo(
    () => (['ready', 'part', 'filling'].includes(status) ? rows.filter(({ id }) => ownIds?.has(id) !== true) : noJobs),
    [rows, status, ownIds],
  );
  const searches = useMemo(
    () =>
      saved?.length === 0 && categoryIds.length > 0
        ? [{ ...tradeSearch(categoryIds), id: inTrades, createdAt: since, lookedUntil: null }]
        : saved,
    [saved, categoryIds, since],
  );
  const news = useSearchNews({ jobs, searches, lists, ...useOwnNotes(tradieId) });
  useEffect(() => {
    if (saved === undefined || searches === undefined || searches.some(({ id }) => !news.has(id))) return;
    const names = new Map(saved.map(({ id, name }) => [id, `in “${name}”`]));
    const found = searches.flatMap((search) => {
      const newCount = news.get(search.id) ?? 0;
      const where = names.get(search.id) ?? 'in your trades';
      return newCount === 0 ? [] : [{ id: search.id, where, newCount, href: hrefOfSearch(search) }];
    });
    onFound({ hasSearches: saved.length > 0, found });
  }, [saved, searches, news, onFound]);
  return null;
}

/** To who has just joined: the search that every tradie would make first, saved and looked at in a tap. */
export function NearSearchNews(base: Base) {
  const lists = useReference();
  const { may, save } = useSaveSearch();
  const ready = nearSearch(base, lists);
  if (!may || ready === undefined) return null;
  const town = lists.place(base.locationId)?.town;
  return (
    <NewsItem
      icon="search"
      title={nearName}
      action={
        <LinkButton href={hrefOfSearch(ready)} onClick={() => void save(ready, nearName)}>
          Save this search
        </LinkButton>
      }
    >
      {town === undefined ? 'Jobs in your trades' : `Jobs in your trades near ${town}`}, in a tap each time, and what is
      new counted here.
    </NewsItem>
  );
}
