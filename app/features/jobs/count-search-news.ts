import { matchesSearch, type SearchedPlace } from '../../../shared/lib/matches-search.ts';
import type { Search } from '../../../shared/tables/index.ts';
import { foldedText, type FeedJob } from './filter-jobs.ts';
import type { SearchTerms } from './search-terms.ts';

interface NewsContext {
  readonly placeOf: (locationId: string) => SearchedPlace | undefined;
  /** Ids of jobs that this tradie has hidden. */
  readonly hidden: ReadonlySet<string>;
  /** Ids of jobs that they have answered. */
  readonly interestedIn: ReadonlySet<string>;
}

/** As much of a search as counting asks for. */
export type CountedSearch = SearchTerms & Pick<Search, 'id' | 'createdAt' | 'lookedUntil'>;

/** Up to where its person has looked; what was there when it was saved is not new either. */
export const lookedUntil = ({ lookedUntil: until, createdAt }: CountedSearch): string => until ?? createdAt;

/**
 * How many jobs each search finds that came since its person looked, by the search's id. As for alerts:
 * `matchesSearch`.
 */
export function countSearchNews(
  jobs: readonly FeedJob[],
  searches: readonly CountedSearch[],
  { placeOf, hidden, interestedIn }: NewsContext,
): ReadonlyMap<string, number> {
  const since = new Map(searches.map((search) => [search.id, lookedUntil(search)]));
  const earliest = [...since.values()].reduce<string | undefined>(
    (least, until) => (least === undefined || until < least ? until : least),
    undefined,
  );
  const late =
    earliest === undefined
      ? []
      : jobs.filter(({ id, createdAt }) => createdAt > earliest && !hidden.has(id) && !interestedIn.has(id));
  return new Map(
    searches.map((search) => {
      const until = since.get(search.id) ?? '';
      const isNew = (job: FeedJob) => job.createdAt > until && matchesSearch(search, job, placeOf, foldedText);
      return [search.id, late.filter(isNew).length];
    }),
  );
}
