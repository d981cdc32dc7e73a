import { sql } from 'kysely';
import { actorOf, type Actor } from '../../shared/actor.ts';
import type { Sql } from '../db/database.ts';
import { asRow, columnsSql } from '../db/rows.ts';

/** Those of the people who have a profile, by user id, with their current rights. */
export async function findActors(db: Sql, userIds: readonly string[]): Promise<Map<string, Actor>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await sql<
    Record<string, unknown>
  >`select ${columnsSql('users', 't')} from users t where t.id = any(${userIds}::uuid[])`.execute(db);
  return new Map(rows.map((record) => actorOf(asRow<'users'>(record))).map((actor) => [actor.id, actor]));
}
