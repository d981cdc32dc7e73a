import { useMemo } from 'react';
import type { House } from '../app-context.ts';
import { useLive, type Live } from '../db/use-live.ts';
import { findWaitingLogo } from '../photos/logo-lane.ts';
import type { OnItsWay } from '../words/item-state.ts';
import { useSyncStatus } from './use-sync-status.ts';

/** Everything of this person's that the server has not taken yet, live, and whether it is being tried just now. */
export function useOnItsWay({ db, sync }: Pick<House, 'db' | 'sync'>): Live<OnItsWay> {
  const { isAsking, phase, reach } = useSyncStatus(sync);
  const read = useLive(async () => {
    const [outbox, refused, photos, logo] = await Promise.all([
      db.outbox.orderBy('seq').toArray(),
      db.refused.orderBy('seq').toArray(),
      db.photos.where('state').notEqual('uploaded').toArray(),
      findWaitingLogo(db),
    ]);
    return { outbox, refused, photos, logo };
  }, [db]);
  const attempt = isAsking || phase === 'exchanging' ? 'under-way' : reach === 'unreachable' ? 'turned-back' : 'none';
  return useMemo(() => (read.state === 'ready' ? { state: 'ready', value: { ...read.value, attempt } } : read), [attempt, read]);
}
