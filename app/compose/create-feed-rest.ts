import type { CollectionsOnDevice } from '../collections/collections-on-device.ts';
import { wantRegions } from '../collections/wanted-regions.ts';
import type { SessionContext } from '../context/app-context.ts';
import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import type { Cell } from '../lib/cell.ts';
import type { Sync } from '../sync/create-sync.ts';

/** How a screen gets the jobs that are not here by themselves. */
export function createFeedRest({
  db,
  isHeldBack,
  collections,
  sync,
  log,
}: {
  db: PersonDb;
  isHeldBack: Cell<boolean>;
  collections: Pick<CollectionsOnDevice, 'resume'>;
  sync(): Pick<Sync, 'wakeUp'>;
  log(event: string, detail: string): void;
}): SessionContext['feedRest'] {
  return {
    isHeldBack,
    fetch: () => {
      isHeldBack.set(false);
      collections.resume();
    },
    ask: (regions, here) =>
      void withConnection(db, () => wantRegions(db, regions, here)).then(
        (isNeeded) => {
          if (isNeeded) sync().wakeUp('tap');
        },
        (error: unknown) => log('regions', String(error)),
      ),
  };
}
