import { randomBytes } from 'node:crypto';
import { sql as rawSql } from 'kysely';
import type { TradieData } from '../../shared/api/billing.ts';
import { makeId } from '../../shared/lib/id.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';
import { isVerifiedByNow } from '../nzbn/nzbn-checks.ts';
import type { SystemTx } from '../sync/as-system.ts';
import { useTradieData } from './checkout-rows.ts';

interface NewTradie {
  user: User;
  /** Which onboarding was paid, where the subscription says so. */
  checkoutId: string | undefined;
  now: Date;
}

/**
 * The business of a person whose subscription runs: made from what they typed before paying, or, for one who has come back,
 * brought up to it. Each onboarding counts once. Null where there is no business and nothing was typed.
 */
export async function makeTradie(tx: SystemTx, { user, checkoutId, now }: NewTradie): Promise<string | null> {
  if (user.tradieId !== null && checkoutId === undefined) return user.tradieId;
  const given = await useTradieData(tx.sql, user.id, checkoutId);
  if (given === undefined) return user.tradieId;
  const profile = await profileFrom(tx.sql, given);
  if (user.tradieId !== null) {
    const standing = await tx.hold('tradies', user.tradieId);
    if (standing) await tx.update('tradies', standing, { ...profile, logo: profile.logo === '' ? standing.logo : profile.logo });
    return user.tradieId;
  }
  const tradie: Tradie = {
    ...profile,
    id: makeId(now.getTime(), { bytes: (count) => randomBytes(count) }),
    userId: user.id,
    contactPersonFirstName: user.firstName,
    contactPersonLastName: user.lastName,
    email: user.email,
    createdAt: now.toISOString(),
  };
  await tx.insert('tradies', tradie);
  return tradie.id;
}

async function profileFrom(sql: Sql, given: TradieData) {
  const { rows } = await rawSql<{ entry: string }>`select kind || ':' || id as entry from reference`.execute(sql);
  const listed = new Set(rows.map(({ entry }) => entry));
  return {
    businessName: given.businessName,
    nzbn: given.nzbn,
    isVerified: await isVerifiedByNow(sql, given.nzbn),
    logo: given.logo,
    description: given.description,
    // They were on the list when they were chosen; somebody who has paid is not turned away because the list has changed.
    categoryIds: given.categoryIds.filter((id) => listed.has(`category:${id}`)),
    businessAddress: given.businessAddress,
    contactPhone: given.contactPhone,
    locationId: given.locationId !== null && listed.has(`location:${given.locationId}`) ? given.locationId : null,
  };
}
