import type { ExpressionBuilder } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { asSystem } from '../sync/as-system.ts';
import { keepCheck } from './nzbn-checks.ts';
import { nzbnRules, verifyNzbn, type NzbnParts } from './verify-nzbn.ts';

/** Profiles in one go, one after the other: the register is shared. */
const atOnce = 50;

/** Does another business hold the number? Live ones that shared it before there were claims keep what they have. */
function isAnothers({ and, not, exists, selectFrom }: ExpressionBuilder<Schema & { t: Schema['tradies'] }, 't'>) {
  const held = selectFrom('nzbn_claim as k')
    .select('k.nzbn')
    .whereRef('k.nzbn', '=', 't.nzbn')
    .whereRef('k.holder_id', '<>', 't.user_id');
  const live = selectFrom('users as u')
    .select('u.id')
    .whereRef('u.id', '=', 't.user_id')
    .where('u.subscription_status', 'not in', ['canceled', 'incomplete_expired']);
  return and([exists(held), not(exists(live))]);
}

/**
 * Asks the register about profiles that were never checked, or not for long, and corrects 'Verified Business' where it
 * differs; that reaches every device. A business that was renamed gets its mark back here, by what the register said
 * last, or by the check digit where there is no key; one whose number another business holds now does not. Several
 * instances may do this at once.
 *
 * @returns how many profiles changed.
 */
export async function recheckNzbns(parts: NzbnParts & { closing: AbortSignal }): Promise<number> {
  const { database, clock, closing, askRegister } = parts;
  const before = (ms: number) => new Date(clock().getTime() - ms);
  const rows = await database.sql
    .selectFrom('tradies as t')
    .leftJoin('nzbn_check as c', 'c.nzbn', 't.nzbn')
    .select((eb) => ['t.id', 't.nzbn', 't.is_verified', isAnothers(eb).as('is_anothers')])
    .where('t.nzbn', '<>', '')
    .where((eb) => {
      const isUnanswered = eb('c.answered_at', 'is', null);
      const isOld = eb.or([
        eb.and([eb('c.is_registered', '=', true), eb('c.answered_at', '<=', before(nzbnRules.registeredFor))]),
        eb.and([eb('c.is_registered', 'is not', true), eb('c.answered_at', '<=', before(nzbnRules.absentFor))]),
      ]);
      const isDue = eb.or([
        eb('c.nzbn', 'is', null),
        eb.and([eb('c.asked_at', '<=', before(nzbnRules.pause)), eb.or([isUnanswered, isOld])]),
      ]);
      const isRegistered = eb('c.is_registered', '=', true);
      const isUnmarked = eb.and([
        eb('t.is_verified', '=', false),
        askRegister === undefined ? eb.or([isUnanswered, isRegistered]) : isRegistered,
        eb.not(isAnothers(eb)),
      ]);
      return askRegister === undefined ? isUnmarked : eb.or([isDue, isUnmarked]);
    })
    .orderBy('c.asked_at', (order) => order.asc().nullsFirst())
    .orderBy('t.id')
    .limit(atOnce)
    .execute();
  let changed = 0;
  for (const { id, nzbn, is_verified: wasVerified, is_anothers: isOthers } of rows) {
    if (closing.aborted) break;
    const { isVerified: isRight, by } = await verifyNzbn(parts, nzbn);
    const isVerified = isRight && !isOthers;
    // No business has such a number, so the register need not be asked; nor is it checked again and again.
    if (by === 'none') await keepCheck(database.sql, nzbn, { isRegistered: false, entityName: undefined }, clock());
    // A register that has not answered says nothing new.
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
