import { useMemo } from 'react';
import type { Search } from '../../../shared/tables/index.ts';
import { useSessionContext } from '../../context/app-context.ts';
import { useRows } from '../../db/use-rows.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';

/** The searches in the order their person gave them; undefined while they are read. */
export function useSearches(): readonly Search[] | undefined {
  const { db, userId } = useSessionContext();
  const searches = useRows(
    db,
    ['preferences', 'searches'],
    (rows) =>
      (rows.preferences.get(userId)?.searchOrder ?? []).flatMap((id) => {
        const row = rows.searches.get(id);
        return row === undefined || row.removedAt !== null ? [] : [row];
      }),
    [userId],
  );
  return searches.state === 'ready' ? searches.value : undefined;
}

const changes: readonly string[] = ['search.save', 'search.edit', 'search.move'];

/** Ids of those that say something the server does not have yet. */
export function useUnsentSearches(): ReadonlySet<string> {
  const way = useUnsynced(useSessionContext());
  const outbox = way.state === 'ready' ? way.value.outbox : undefined;
  return useMemo(
    () =>
      new Set(
        (outbox ?? [])
          .filter(({ name }) => changes.includes(name))
          .map(({ args }) => (args as { readonly id: string }).id),
      ),
    [outbox],
  );
}

export interface Base {
  readonly categoryIds: readonly string[];
  readonly locationId: string | null;
}

/**
 * What this tradie does, and where they are based, by their profile; undefined while it is read, or where they have
 * none.
 */
export function useOwnTrades(tradieId: string | null): Base | undefined {
  const { db } = useSessionContext();
  const own = useRows(db, ['tradies'], ({ tradies }) => (tradieId === null ? null : (tradies.get(tradieId) ?? null)), [
    tradieId,
  ]);
  const row = own.state === 'ready' ? own.value : null;
  return useMemo(
    () => (row === null ? undefined : { categoryIds: row.categoryIds, locationId: row.locationId }),
    [row],
  );
}
