import type { PersonDb } from '../db/person-db.ts';
import { useLive, type Live } from '../db/use-live.ts';
import type { OnItsWay } from '../words/item-state.ts';

/** Everything of this person's that the server has not taken yet, live. */
export function useOnItsWay(db: PersonDb): Live<OnItsWay> {
  return useLive(async () => {
    const [outbox, refused, photos] = await Promise.all([
      db.outbox.orderBy('seq').toArray(),
      db.refused.orderBy('seq').toArray(),
      db.photos.where('state').notEqual('uploaded').toArray(),
    ]);
    return { outbox, refused, photos };
  }, [db]);
}
