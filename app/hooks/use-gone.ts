import type { PersonDb } from '../db/person-db.ts';
import { useRows } from '../db/use-rows.ts';
import type { Restored } from '../sync/journal.ts';

/** How many items left this phone, or went back, because the server's database was restored, until the person has read it. */
export function useGone({ db }: { readonly db: PersonDb }): { readonly gone: number; readonly wentBack: number } {
  const read = useRows(db, ['meta/restored'], ({ meta }) => meta.get('restored')?.value as Restored | undefined, []);
  const { gone = 0, wentBack = 0 } = (read.state === 'ready' && read.value) || {};
  return { gone, wentBack };
}
