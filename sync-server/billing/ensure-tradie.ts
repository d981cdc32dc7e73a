import { randomBytes } from 'node:crypto';
import type { TradieData } from '../../shared/api/billing.ts';
import { createId } from '../../shared/lib/id.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';
import type { Log } from '../lib/log.ts';
import { isVerifiedByNow } from '../nzbn/nzbn-checks.ts';
import type { SystemTx } from '../sync/as-system.ts';
import { findTradieNzbn, hasCheckout, useTradieData } from './checkout-rows.ts';
import { isEnded } from './is-ended.ts';
import { assignNzbn } from './nzbn-claims.ts';

interface NewTradie {
  user: User;
  /** Which onboarding was paid, where the subscription says so. */
  checkoutId: string | undefined;
  now: Date;
  log: Pick<Log, 'error'>;
}

/**
 * The business of a person whose subscription runs: created from what they typed before paying, or, for a returning
 * person, updated to it. Each onboarding counts once. Null where there is no business and nothing was typed. Where
 * another live business has the number, which no checkout made here can cause, this one has no number and the operator
 * is told.
 */
export async function ensureTradie(tx: SystemTx, { user, now, log, ...named }: NewTradie): Promise<string | null> {
  const checkoutId = await findNamed(tx.sql, user, named.checkoutId);
  const isNamed = user.tradieId === null || checkoutId !== undefined;
  const typed = isNamed ? await findTradieNzbn(tx.sql, user.id, checkoutId) : undefined;
  if (typed === undefined) return user.tradieId === null ? null : comeBack(tx, user, user.tradieId, log);
  // Every transaction locks the number first, before any business row.
  const isTheirs = mustTell(log, user, await assignNzbn(tx, typed, user.id));
  const given = await useTradieData(tx.sql, user.id, checkoutId);
  if (given === undefined) return user.tradieId;
  const profile = { ...(await profileFrom(tx.sql, given)), ...(isTheirs ? {} : numberless) };
  if (user.tradieId !== null) {
    const standing = await tx.hold('tradies', user.tradieId);
    if (standing)
      await tx.update('tradies', standing, { ...profile, logo: profile.logo === '' ? standing.logo : profile.logo });
    return user.tradieId;
  }
  const tradie: Tradie = {
    ...profile,
    id: createId(now.getTime(), { bytes: (count) => randomBytes(count) }),
    userId: user.id,
    contactPersonFirstName: user.firstName,
    contactPersonLastName: user.lastName,
    email: user.email,
    createdAt: now.toISOString(),
  };
  await tx.insert('tradies', tradie);
  return tradie.id;
}

/**
 * The onboarding that the subscription names; undefined for a person without a business where a restore has lost it:
 * any other one counts.
 */
async function findNamed(sql: Sql, user: User, checkoutId: string | undefined): Promise<string | undefined> {
  if (user.tradieId !== null || checkoutId === undefined) return checkoutId;
  return (await hasCheckout(sql, user.id, checkoutId)) ? checkoutId : undefined;
}

const numberless = { nzbn: '', isVerified: false } as const;

/** A subscription that runs again without an onboarding, or goes on running. What runs already keeps its number. */
async function comeBack(tx: SystemTx, user: User, tradieId: string, log: Pick<Log, 'error'>): Promise<string> {
  const profile = await tx.sql.selectFrom('tradies').select('nzbn').where('id', '=', tradieId).executeTakeFirst();
  const nzbn = profile?.nzbn ?? '';
  const wasLive = user.subscriptionStatus !== null && !isEnded(user.subscriptionStatus);
  if (nzbn === '' || wasLive || mustTell(log, user, await assignNzbn(tx, nzbn, user.id))) return tradieId;
  const standing = await tx.hold('tradies', tradieId);
  if (standing) await tx.update('tradies', standing, numberless);
  return tradieId;
}

function mustTell(log: Pick<Log, 'error'>, { id: userId }: User, isTheirs: boolean): boolean {
  if (!isTheirs)
    log.error(
      { userId },
      'a person pays under the business number of another live business, and stands without a number',
    );
  return isTheirs;
}

async function profileFrom(sql: Sql, given: TradieData) {
  const entries = await sql.selectFrom('reference').select(['kind', 'id']).execute();
  const listed = new Set(entries.map(({ kind, id }) => `${kind}:${id}`));
  return {
    businessName: given.businessName,
    nzbn: given.nzbn,
    isVerified: await isVerifiedByNow(sql, given.nzbn),
    logo: given.logo,
    description: given.description,
    // They were on the list when they were chosen; a person who has paid is not rejected because the list has changed.
    categoryIds: given.categoryIds.filter((id) => listed.has(`category:${id}`)),
    businessAddress: given.businessAddress,
    contactPhone: given.contactPhone,
    locationId: given.locationId !== null && listed.has(`location:${given.locationId}`) ? given.locationId : null,
  };
}
