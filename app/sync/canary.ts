import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';

/**
 * Has this device lost its data (C4)? The canary is gone though there was one here: a cookie without it, or `wasHere`,
 * the mark kept elsewhere. Then the cookie goes too, so that the next exchange fetches everything. A read that fails
 * throws: it is never "empty".
 */
export async function checkCanary(db: PersonDb, wasHere: boolean): Promise<'well' | 'new' | 'cleared'> {
  return withConnection(db, async () => {
    // The canary is there as a rule, and a read takes no write lock.
    if ((await db.meta.get('canary')) !== undefined) return 'well' as const;
    return db.transaction('rw', 'meta', async () => {
      const [canary, cookie] = await db.meta.bulkGet(['canary', 'cookie']);
      if (canary !== undefined) return 'well' as const;
      await db.meta.bulkDelete(['cookie', 'snapshot', 'lastSynced']);
      return wasHere || cookie !== undefined ? ('cleared' as const) : ('new' as const);
    });
  });
}
