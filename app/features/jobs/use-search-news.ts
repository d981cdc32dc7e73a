import { useEffect, useMemo, useState } from 'react';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { countSearchNews, type CountedSearch } from './count-search-news.ts';
import type { FeedJob } from './filter-jobs.ts';

type SearchNews = ReadonlyMap<string, number>;

interface Counted {
  readonly jobs: readonly FeedJob[];
  readonly searches: readonly CountedSearch[] | undefined;
  /** Undefined while they are read. */
  readonly hidden: ReadonlySet<string> | undefined;
  readonly interestedIn: ReadonlySet<string> | undefined;
  readonly lists: Pick<ReferenceLists, 'place'>;
}

const none: SearchNews = new Map();

/**
 * How many new jobs each search finds, by its id; without an entry until it is counted. One search at a time, after the
 * list: twenty of them over thousands of new jobs would hold up what one is looking at.
 */
export function useSearchNews({ jobs, searches, hidden, interestedIn, lists }: Counted): SearchNews {
  const [news, setNews] = useState(none);
  const context = useMemo(
    () =>
      hidden === undefined || interestedIn === undefined
        ? undefined
        : {
            hidden,
            interestedIn,
            placeOf: (id: string) => {
              const place = lists.place(id);
              return place && { region: place.region, position: place.position };
            },
          },
    [hidden, interestedIn, lists],
  );
  useEffect(() => {
    if (context === undefined || searches === undefined) return undefined;
    const left = [...searches];
    const counted = new Map<string, number>();
    const go = () => {
      const search = left.shift();
      if (search === undefined) return setNews(counted);
      counted.set(search.id, countSearchNews(jobs, [search], context).get(search.id) ?? 0);
      timer = setTimeout(go);
    };
    let timer = setTimeout(go);
    return () => clearTimeout(timer);
  }, [jobs, searches, context]);
  return news;
}
