import { sql as rawSql } from 'kysely';
import type { PrivateTableName } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';

export interface Change {
  entity: PrivateTableName;
  entity_id: string;
  version: string;
  deleted: boolean;
}

export interface ChangePage {
  changes: Change[];
  /** The version up to which the page goes; undefined on the last one, which goes up to the head. */
  until: string | undefined;
}

/** This person's changes after `version`, about `size` of them, cut between two commits and never inside one (P3). */
export async function readChanges(sql: Sql, userId: string, version: string, size: number): Promise<ChangePage> {
  // Materialised, so that the limit cannot make the planner walk all people's changes from `version` on.
  const { rows } = await rawSql<Change>`with mine as materialized (
      select entity, entity_id, version, deleted from sync_change where audience @> array[${userId}::uuid] and version > ${version}
    ) select * from mine order by version limit ${size + 1}`.execute(sql);
  const next = rows[size]?.version;
  if (next === undefined) return { changes: rows, until: undefined };
  const changes = rows.filter((change) => change.version !== next);
  if (changes.length > 0) return { changes, until: changes.at(-1)!.version };
  // One commit larger than a page comes whole.
  const { rows: whole } = await rawSql<Change>`select entity, entity_id, version, deleted from sync_change
    where audience @> array[${userId}::uuid] and version = ${next}`.execute(sql);
  return { changes: whole, until: next };
}
