import { useEffect, useMemo } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useRows } from '../../db/use-rows.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { distancesFrom, nearestTown, type DistanceContext, type Origin } from './distances.ts';
import { isCurrent, readStoredPlace } from './phone-place.ts';

/**
 * How far towns are from this tradie: from this phone's place where they chose that, else from the base town of their
 * profile.
 */
export function useDistanceContext(tradieId: string | null, { places, place }: ReferenceLists): DistanceContext {
  const { db } = useSessionContext();
  const { now } = useApp();
  const live = useRows(
    db,
    ['tradies', 'meta/place'],
    ({ tradies, meta }) => ({
      baseId: (tradieId === null ? undefined : tradies.get(tradieId))?.locationId ?? null,
      phone: readStoredPlace(meta.get('place')?.value),
    }),
    [tradieId],
  );
  const isRead = live.state !== 'reading';
  const { baseId, phone } = live.state === 'ready' ? live.value : { baseId: null, phone: undefined };
  const isOver = phone !== undefined && !isCurrent(phone, now());
  useEffect(() => {
    // Where that fails it is tried again with the next screen; until then it is used no more all the same.
    if (isOver) void db.meta.delete('place').catch(() => undefined);
  }, [db, isOver]);
  return useMemo((): DistanceContext => {
    const base = place(baseId);
    const origin: Origin | undefined =
      phone !== undefined && !isOver
        ? { isPhone: true, position: phone, town: nearestTown(phone, places), at: phone.at }
        : base?.position && { isPhone: false, position: base.position, town: base };
    return {
      isRead,
      lacksTown: live.state === 'ready' && baseId === null,
      origin,
      distances: origin && distancesFrom(origin.position, places),
      distancesFrom: (id) => {
        const from = place(id)?.position;
        return from && distancesFrom(from, places);
      },
    };
  }, [isRead, live.state, baseId, phone, isOver, places, place]);
}
