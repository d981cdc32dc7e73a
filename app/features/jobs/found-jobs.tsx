import { useEffect } from 'react';
import { useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { nearName, nearSearch } from './near-search.ts';
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
  /** Hears what is new; the same function while nothing changes. */
  readonly onFound: (found: FoundJobs) => void;
};

const noJobs = [] as const;

/** Counts what is new in this tradie's saved searches; nothing where they may not read the feed. Shows nothing. */
export function CountFoundJobs({ tradieId, onFound }: CountFoundJobsProps) {
  const { feed } = useSessionContext();
  const { rows, status } = useWatched(feed);
  const lists = useReference();
  const searches = useSearches();
  const jobs = status === 'ready' || status === 'filling' ? rows : noJobs;
  const news = useSearchNews({ jobs, searches, lists, ...useOwnNotes(tradieId) });
  useEffect(() => {
    if (searches === undefined || searches.some(({ id }) => !news.has(id))) return;
    const found = searches.flatMap((search) => {
      const newCount = news.get(search.id) ?? 0;
      return newCount === 0 ? [] : [{ id: search.id, name: search.name, newCount, href: hrefOfSearch(search) }];
    });
    onFound({ hasSearches: searches.length > 0, found });
  }, [searches, news, onFound]);
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
