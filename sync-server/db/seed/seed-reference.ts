import { sql } from 'kysely';
import { columnName } from '../column-name.ts';
import type { Database } from '../database.ts';
import { referenceRows } from './reference-rows.ts';

/**
 * Brings categories and towns up to the lists in this folder. Writes only what differs, so that a restart makes no new version
 * and no phone fetches the lists again. Names that left the lists stay: jobs may point at them.
 */
export async function seedReference(database: Database): Promise<void> {
  const rows = referenceRows().map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [columnName(column), value])),
  );
  await database.transaction((tx) =>
    sql`insert into reference select * from jsonb_populate_recordset(null::reference, ${JSON.stringify(rows)}::jsonb)
      on conflict (id) do update set kind = excluded.kind, name = excluded.name, region = excluded.region, created_at = excluded.created_at
      where (reference.kind, reference.name, reference.region, reference.created_at) is distinct from (excluded.kind, excluded.name, excluded.region, excluded.created_at)`.execute(
      tx,
    ),
  );
}
