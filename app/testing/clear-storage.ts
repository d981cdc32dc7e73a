import { Dexie } from 'dexie';
import { must } from '../../shared/lib/must.ts';

/**
 * The browser clears this database under the open app: it closes the connection, deletes, and fires nothing but
 * `close`.
 */
export async function clearStorage(db: Dexie): Promise<void> {
  const open = must(db.backendDB(), 'an open database') as IDBDatabase;
  open.close();
  await Dexie.delete(db.name);
  must(open.onclose, 'a listener').call(open, new Event('close'));
}
