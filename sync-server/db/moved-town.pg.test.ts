import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { makeJob, makeReference, makeUser } from '../../shared/testing/make.ts';
import { openTestDb } from '../testing/test-db.ts';
import { insertRows } from './write-rows.ts';

// PGlite has one connection, so that no two transactions are open at once.
it('[P10] a job that is posted while its town moves to another region is in the new one, on postgres', async () => {
  const db = await openTestDb('postgres');
  try {
    const owner = makeUser();
    const town = makeReference({ id: 'southland/winton', kind: 'location', region: 'Southland' });
    const late = makeJob({ userId: owner.id, locationId: town.id });
    await insertRows(db.sql, 'users', [owner]);
    await sql`delete from reference where id = ${town.id}`.execute(db.sql);
    await insertRows(db.sql, 'reference', [town]);
    await db.transaction(async (tx) => {
      await sql`update reference set region = 'Otago' where id = ${town.id}`.execute(tx);
      await insertRows(db.sql, 'jobs', [late]);
    });
    const { rows } = await sql<{
      shelf_region: string;
    }>`select shelf_region from sync_change where entity_id = ${late.id}`.execute(db.sql);
    expect(rows).toEqual([{ shelf_region: 'Otago' }]);
  } finally {
    await db.close();
  }
});
