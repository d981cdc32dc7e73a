import type { Database } from '../database.ts';
import { writable } from '../write-rows.ts';
import { referenceRows } from './reference-rows.ts';

const seeded = ['kind', 'name', 'region', 'latitude', 'longitude', 'is_approximate', 'created_at'] as const;

/**
 * Brings categories and towns up to the lists in this folder. Writes only what differs, so that a restart makes no new
 * version and no phone fetches the lists again. Names that left the lists stay: jobs may point at them.
 */
export async function seedReference(database: Database): Promise<void> {
  const rows = referenceRows().map(({ createdAt, isApproximate, ...row }) => ({
    ...row,
    is_approximate: isApproximate,
    created_at: new Date(createdAt),
  }));
  await database.transaction((sql) =>
    writable(sql)
      .insertInto('reference')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(({ ref }) => Object.fromEntries(seeded.map((column) => [column, ref(`excluded.${column}`)])))
          .where((eb) =>
            eb.or(seeded.map((column) => eb(`reference.${column}`, 'is distinct from', eb.ref(`excluded.${column}`)))),
          ),
      )
      .execute(),
  );
}
