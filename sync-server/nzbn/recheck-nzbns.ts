import { sql as rawSql } from 'kysely';
import { asSystem } from '../sync/as-system.ts';
import { keepCheck } from './nzbn-checks.ts';
import { nzbnRules, verifyNzbn, type NzbnParts } from './verify-nzbn.ts';

/** Profiles in one go, one after the other: the register is everybody's. */
const atOnce = 50;

interface Due {
  id: string;
  nzbn: string;
  is_verified: boolean;
}

/**
 * Has the register look at profiles that it was not asked about, or not for long, and puts 'Verified Business' right where it says
 * otherwise; that reaches every device. Several instances may do this at once.
 *
 * @returns how many profiles changed.
 */
export async function recheckNzbns(parts: NzbnParts & { closing: AbortSignal }): Promise<number> {
  const { database, clock, closing } = parts;
  const before = (ms: number) => new Date(clock().getTime() - ms);
  const { rows } = await rawSql<Due>`select t.id, t.nzbn, t.is_verified from tradies t left join nzbn_check c on c.nzbn = t.nzbn
    where c.nzbn is null or (c.asked_at <= ${before(nzbnRules.pause)} and (c.answered_at is null
      or c.answered_at <= case when c.is_registered then ${before(nzbnRules.registeredFor)}::timestamptz else ${before(nzbnRules.absentFor)}::timestamptz end))
    order by c.asked_at nulls first, t.id limit ${atOnce}`.execute(database.sql);
  let changed = 0;
  for (const { id, nzbn, is_verified: wasVerified } of rows) {
    if (closing.aborted) break;
    const { isVerified, by } = await verifyNzbn(parts, nzbn);
    // No business has such a number, so the register need not be asked; nor is it looked at again and again.
    if (by === 'none') await keepCheck(database.sql, nzbn, { isRegistered: false, entityName: undefined }, clock());
    // Without the register's word nothing new is known.
    if (by === 'check-digit' || isVerified === wasVerified) continue;
    await asSystem(database, async (tx) => {
      const row = await tx.hold('tradies', id);
      if (row?.nzbn === nzbn) await tx.update('tradies', row, { isVerified });
    });
    changed += 1;
  }
  return changed;
}
