import { sql as rawSql } from 'kysely';
import { actorOf, type Actor } from '../../shared/actor.ts';
import type { Sql } from '../db/database.ts';
import { asRow, columnsSql } from '../db/rows.ts';

/** Signed in, but without a row of their own yet: they have not completed their profile. */
export class ProfileMissing extends Error {
  override name = 'ProfileMissing';
}

/**
 * The actor, with their current rights. The row is locked until the transaction ends: rights cannot change meanwhile, and one person's
 * devices are decided one after the other. Other rows may still reference it.
 *
 * @throws ProfileMissing
 */
export async function holdActor(sql: Sql, userId: string): Promise<Actor> {
  const { rows } = await rawSql<
    Record<string, unknown>
  >`select ${columnsSql('users', 't')} from users t where t.id = ${userId} for no key update`.execute(sql);
  if (rows[0] === undefined) throw new ProfileMissing();
  return actorOf(asRow<'users'>(rows[0]));
}
