import { useReference } from '../../hooks/use-reference.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { NewsItem } from './news-item.tsx';
import { nearName, nearSearch } from './near-search.ts';
import { hrefOfSearch } from './search-terms.ts';
import { useSaveSearch } from './use-save-search.ts';
import type { Base } from './use-searches.ts';

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
