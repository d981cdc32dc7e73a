import { privateTableNames } from '../../shared/tables/index.ts';
import type { PersonDb } from '../db/person-db.ts';
import { useRows } from '../db/use-rows.ts';
import type { Restored } from '../sync/journal.ts';

export interface Gone {
  /** Items that left and have not come back. */
  readonly gone: number;
  readonly wentBack: number;
  /** Some that left are here again. */
  readonly hasReturned: boolean;
}

const none: Gone = { gone: 0, wentBack: 0, hasReturned: false };

/**
 * How many items left this phone, or went back, because the server's database was restored, until the person has read
 * it.
 */
export function useGone({ db }: { readonly db: PersonDb }): Gone {
  const read = useRows(
    db,
    [...privateTableNames, 'meta/restored'],
    (rows) => {
      const { gone = 0, left = [], wentBack = 0 } = { ...(rows.meta.get('restored')?.value as Partial<Restored>) };
      const absent = left.filter(([table, id]) => !rows[table].has(id)).length;
      return { gone: gone + absent, wentBack, hasReturned: absent < left.length };
    },
    [],
  );
  return read.state === 'ready' ? read.value : none;
}
