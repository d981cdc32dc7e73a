import type { PersonDb } from '../../db/person-db.ts';
import { useLive } from '../../db/use-live.ts';
import { findWaitingLogo, type WaitingLogo } from '../../photos/keep-logo.ts';

/** The new logo that storage has not taken yet, if there is one. */
export function useWaitingLogo(db: PersonDb): WaitingLogo | undefined {
  const logo = useLive(() => findWaitingLogo(db), [db]);
  return logo.state === 'ready' ? logo.value : undefined;
}
