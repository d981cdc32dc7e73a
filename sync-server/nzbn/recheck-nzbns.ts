import { sql as rawSql } from 'kysely';
import { asSystem } from '../sync/as-system.ts';
import { keepCheck } from './nzbn-checks.ts';
import { nzbnRules, verifyNzbn, type NzbnParts } from './verify-nzbn.ts';

/** Profiles in one go, one after the other: the register is shared. */
const atOnce = 50;

interface Due {
  id: string;
  nzbn: string;
  is_verified: boolean;
  is_anothers: boolean;
}

/** Does another business hold the number? Live ones that shared it before there were claims keep what they have. */
const isAnothers = rawSql`(exists (select 1 from nzbn_claim k where k.nzbn = t.nzbn and k.holder_id <> t.user_id)
  and not exists (select 1 from users u where u.id = t.user_id and u.subscription_status not in ('canceled', 'incomplete_expired')))`;

/**
 * Asks the register about profiles that were never checked, or not for long, and corrects 'Verified Business' where it differs; that
 * reaches every device. A business that was renamed gets its mark back here, by what the register said last, or by the check digit where
 * there is no key; one whose number another business holds now does not. Several instances may do this at once.
 *
 * @returns how many profiles changed.
 */
export async function recheckNzbns(parts: NzbnParts & { closing: AbortSignal }): Promise<number> {
  const { database, clock, closing, askRegister } = parts;
  const before = (ms: number) => new Date(clock().getTime() - ms);
  const due =
    askRegister === undefined
      ? rawSql`false`
      : rawSql`(c.nzbn is null or (c.asked_at <= ${before(nzbnRules.pause)} and (c.answered_at is null
      or c.answered_at <= case when c.is_registered then ${before(nzbnRules.registeredFor)}::timestamptz else ${before(nzbnRules.absentFor)}::timestamptz end)))`;
  const unmarked =
    askRegister === undefined ? rawSql`(c.answered_at is null or c.is_registered)` : rawSql`c.is_registered`;
  const { rows } =
    await rawSql<Due>`select t.id, t.nzbn, t.is_verified, ${isAnothers} as is_anothers from tradies t left join nzbn_check c on c.nzbn = t.nzbn
    where t.nzbn <> '' and (${due} or (not t.is_verified and ${unmarked} and not ${isAnothers}))
    order by c.asked_at nulls first, t.id limit ${atOnce}`.execute(database.sql);
  let changed = 0;
  for (const { id, nzbn, is_verified: wasVerified, is_anothers: isOthers } of rows) {
    if (closing.aborted) break;
    const { isVerified: isRight, by } = await verifyNzbn(parts, nzbn);
    const isVerified = isRight && !isOthers;
    // No business has such a number, so the register need not be asked; nor is it checked again and again.
    if (by === 'none') await keepCheck(database.sql, nzbn, { isRegistered: false, entityName: undefined }, clock());
    // Where the register could be asked and has not answered, nothing new is known.
    if ((by === 'check-digit' && askRegister !== undefined) || isVerified === wasVerified) continue;
    const isChanged = await asSystem(database, async (tx) => {
      const row = await tx.hold('tradies', id);
      if (row?.nzbn !== nzbn || row.isVerified === isVerified) return false;
      await tx.update('tradies', row, { isVerified });
      return true;
    });
    if (isChanged) changed += 1;
  }
  return changed;
}
