import type { Database } from '../database.ts';
import { writable } from '../write-rows.ts';
import { referenceRows } from './reference-rows.ts';

/**
 * Brings categories and towns up to the lists in this folder. Writes only what differs, so that a restart makes no new version
 * and no phone fetches the lists again. Names that left the lists stay: jobs may point at them.
 */
export async function seedReference(database: Database): Promise<void> {
  const rows = referenceRows().map(({ createdAt, ...row }) => ({ ...row, created_at: new Date(createdAt) }));
  await database.transaction((sql) =>
    writable(sql)
      .insertInto('reference')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(({ ref }) => ({
            kind: ref('excluded.kind'),
            name: ref('excluded.name'),
            region: ref('excluded.region'),
            created_at: ref('excluded.created_at'),
          }))
          .where(({ eb, refTuple }) =>
            eb(
              refTuple('reference.kind', 'reference.name', 'reference.region', 'reference.created_at'),
              'is distinct from',
              refTuple('excluded.kind', 'excluded.name', 'excluded.region', 'excluded.created_at'),
            ),
          ),
      )
      .execute(),
  );
}
