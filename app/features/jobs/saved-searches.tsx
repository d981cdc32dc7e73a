import type { Search } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useLive } from '../../db/use-live.ts';
import { useKeep } from '../../hooks/use-keep.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { useOfferAlerts } from '../../hooks/use-offer-alerts.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { OfferedAlerts } from '../../parts/offered-alerts.tsx';
import { Button } from '../../ui/button.tsx';
import { QuickButton } from '../../ui/quick-button.tsx';
import type { JobFilters } from './job-filters.ts';
import { filtersOfSearch, isSameSearch, nameOfSearch, searchOfFilters } from './search-terms.ts';
import styles from './saved-searches.module.css';

type SavedSearchesProps = {
  readonly filters: JobFilters;
  readonly onFilters: (filters: JobFilters) => void;
  readonly lists: ReferenceLists;
};

/** The person's saved searches, each to be looked at or deleted in a tap, and the way to save the filters as they are. */
export function SavedSearches({ filters, onFilters, lists }: SavedSearchesProps) {
  const { newId, toasts } = useApp();
  const searches = useSearches();
  const save = useMutation('search.save');
  const keep = useKeep();
  const offerAlerts = useOfferAlerts();
  const wanted = searchOfFilters(filters);
  if (searches === undefined) return null;
  return (
    <section className={styles.searches} aria-label="Saved searches">
      {searches.length > 0 && (
        <ul>
          {searches.map((search) => (
            <Saved key={search.id} search={search} onOpen={() => onFilters(filtersOfSearch(filters, search))} />
          ))}
        </ul>
      )}
      {save.may && !searches.some((search) => isSameSearch(search, wanted)) && (
        <Button
          onPress={async () => {
            const named = { id: newId(), name: nameOfSearch(wanted, lists), ...wanted };
            if (!(await keep(() => save.enqueue(named)))) return;
            toasts.show({ title: 'Search saved', description: named.name });
            offerAlerts({ after: 'search' });
          }}
        >
          Save this search
        </Button>
      )}
      <OfferedAlerts after="search" />
    </section>
  );
}

function Saved({ search, onOpen }: { readonly search: Search; readonly onOpen: () => void }) {
  const { toasts } = useApp();
  const remove = useMutation('search.remove', search);
  const keep = useKeep();
  return (
    <li>
      <Button onPress={onOpen}>{search.name}</Button>
      {remove.may && (
        <QuickButton
          variant="plain"
          icon="cross"
          iconOnlyLabel={`Delete saved search ${search.name}`}
          onPress={async () => {
            if (await keep(() => remove.enqueue({ id: search.id })))
              toasts.show({ title: 'Search deleted', description: search.name });
          }}
        />
      )}
    </li>
  );
}

/** In the order their person gave them; undefined while they are read. */
function useSearches(): readonly Search[] | undefined {
  const { db, userId } = useSessionContext();
  const searches = useLive(
    () =>
      db.transaction('r', [db.preferences, db.searches], async () => {
        const order = (await db.preferences.get(userId))?.searchOrder ?? [];
        const rows = await db.searches.bulkGet(order);
        return rows.flatMap((row) => (row === undefined || row.removedAt !== null ? [] : [row]));
      }),
    [db, userId],
  );
  return searches.state === 'ready' ? searches.value : undefined;
}
