import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import { useRows } from '../db/use-rows.ts';
import { useLocalWrite } from './use-local-write.ts';

/** How many items left this phone because the server's database was restored, until the person has read it. */
export function useGone({ db }: { readonly db: PersonDb }): { readonly gone: number; readonly dismiss: () => void } {
  const keep = useLocalWrite();
  const restored = useRows(
    db,
    ['meta/restored'],
    ({ meta }) => meta.get('restored')?.value as { gone: number | null } | undefined,
    [],
  );
  return {
    gone: restored.state === 'ready' ? (restored.value?.gone ?? 0) : 0,
    dismiss: () => void keep(() => withConnection(db, () => db.meta.delete('restored'))),
  };
}
