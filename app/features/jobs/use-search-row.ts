import type { JobFilters } from './job-filters.ts';
import { chosenSearch } from './search-terms.ts';
import { useLook } from './use-look.ts';
import { useSearchNews } from './use-search-news.ts';
import { useOwnTrades, useSearches } from './use-searches.ts';

type SearchRowOptions = Omit<Parameters<typeof useSearchNews>[0], 'searches'> & {
  readonly later: ReadonlyMap<string, unknown> | undefined;
  readonly filters: JobFilters;
};

const noTrades: readonly string[] = [];

/** What the row of chips above the list shows, and how it learns what was looked at. */
export function useSearchRow(tradieId: string | null, { filters, later, ...counted }: SearchRowOptions) {
  const searches = useSearches();
  const base = useOwnTrades(tradieId);
  return {
    row: {
      searches,
      base,
      news: useSearchNews({ ...counted, searches }),
      later: later?.size ?? 0,
      hidden: counted.hidden?.size ?? 0,
    },
    ownTrades: base?.categoryIds ?? noTrades,
    onShown: useLook(searches === undefined ? undefined : chosenSearch(filters, searches)),
  };
}
