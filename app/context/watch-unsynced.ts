import type { PersonDb } from '../db/person-db.ts';
import type { Live } from '../db/use-live.ts';
import { watchLive } from '../db/watch-live.ts';
import { heldIn } from '../held/held-changes.ts';
import { findWaitingLogo } from '../photos/keep-logo.ts';
import type { UnsyncedNow } from '../words/item-state.ts';
import type { Watched } from '../lib/cell.ts';

export type Unsynced = Omit<UnsyncedNow, 'attempt'>;

/** Everything that the server has not taken yet. Half the frame counts it, so it is read once for all of them. */
export function watchUnsynced(db: PersonDb): Watched<Live<Unsynced>> {
  return watchLive(async () => {
    const [[outbox, refused, photos], logo, held] = await Promise.all([
      // In one transaction: each by itself is a trip to the browser's own process, after every write.
      db.transaction('r', ['outbox', 'refused', 'photos'], () =>
        Promise.all([
          db.outbox.orderBy('seq').toArray(),
          db.refused.orderBy('seq').toArray(),
          db.photos.where('state').notEqual('uploaded').toArray(),
        ]),
      ),
      findWaitingLogo(db),
      heldIn(db),
    ]);
    return { outbox, refused, photos, logo, held };
  });
}
