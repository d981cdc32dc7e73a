import { useCallback, useEffect, useRef, useState } from 'react';
import type { Search } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { lookedUntil } from './count-search-news.ts';
import type { FeedJob } from './filter-jobs.ts';
import type { JobFilters } from './job-filters.ts';
import { chosenSearch } from './search-terms.ts';
import { useSearchNews } from './use-search-news.ts';
import { useOwnTrades, useSearches } from './use-searches.ts';

type SearchRowOptions = Omit<Parameters<typeof useSearchNews>[0], 'searches'> & {
  readonly shortlisted: ReadonlyMap<string, unknown> | undefined;
  readonly filters: JobFilters;
};

const noTrades: readonly string[] = [];

/** What the row of chips above the list shows, and how it learns what was looked at. */
export function useSearchRow(tradieId: string | null, { filters, shortlisted, ...counted }: SearchRowOptions) {
  const searches = useSearches();
  const base = useOwnTrades(tradieId);
  return {
    row: {
      searches,
      base,
      news: useSearchNews({ ...counted, searches }),
      shortlisted: shortlisted?.size ?? 0,
      hidden: counted.hidden?.size ?? 0,
    },
    ownTrades: base?.categoryIds ?? noTrades,
    onShown: useRecordLooked(searches === undefined ? undefined : chosenSearch(filters, searches)),
  };
}

/** As long as it takes to see what a card says. */
const pollMs = 1_000;

/**
 * Notes up to where the person has looked at a search, by the cards that were on the screen for a second, and not by
 * what the search found. The function is for the list, to say what it shows.
 */
function useRecordLooked(search: Search | undefined): (shown: readonly FeedJob[]) => void {
  const { log } = useApp();
  const { may, enqueue } = useMutation('search.look', search);
  const [newest, setNewest] = useState('');
  const told = useRef('');
  const onShown = useCallback(
    (shown: readonly FeedJob[]) =>
      setNewest(shown.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), '')),
    [],
  );
  const id = search?.id;
  const until = search === undefined ? undefined : lookedUntil(search);
  useEffect(() => {
    if (!may || id === undefined || until === undefined || newest <= until || told.current === `${id} ${newest}`)
      return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const tell = () => {
      if (document.visibilityState === 'hidden') return;
      if (told.current === `${id} ${newest}`) return;
      told.current = `${id} ${newest}`;
      // What is not kept is counted as new once more.
      enqueue({ id, until: newest }).catch((error: unknown) =>
        log('search-look', error instanceof Error ? error.name : String(error)),
      );
    };
    // The second begins when the page is visible.
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(tell, pollMs);
    };
    begin();
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', begin);
    };
  }, [may, enqueue, id, until, newest, log]);
  return onShown;
}
