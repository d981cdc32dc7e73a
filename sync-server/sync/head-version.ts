import { sql } from 'kysely';
import type { Sql } from '../db/database.ts';

/** The newest commit version this connection's snapshot sees; '0' where nothing was ever written. Purged tombstones count as well. */
export async function readHeadVersion(tx: Sql): Promise<string> {
  const { rows } = await sql<{
    head: string;
  }>`select greatest(tombstone_floor, (select max(version) from sync_change)) as head from sync_meta`.execute(tx);
  return rows[0]?.head ?? '0';
}
