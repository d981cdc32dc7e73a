import { sql as rawSql } from 'kysely';
import type { TradieData } from '../../shared/api/billing.ts';
import type { Sql } from '../db/database.ts';
import { badRequest } from '../http/http-problem.ts';

interface Owner {
  userId: string;
  /** Origins at which this product's files have their public addresses. */
  origins: readonly string[];
}

/**
 * What only the server can say of an onboarding: are the categories and the town on the list, is the logo one of theirs?
 *
 * @returns it, the logo's address written out plainly.
 * @throws HttpProblem 400 `invalid`, a message a field, `details.fields` by field as for any other call.
 */
export async function checkTradieData(sql: Sql, given: TradieData, owner: Owner): Promise<TradieData> {
  const { rows } = await rawSql<{ entry: string }>`select kind || ':' || id as entry from reference
    where kind = 'category' and id = any(${given.categoryIds}::text[]) or kind = 'location' and id = ${given.locationId}`.execute(sql);
  const listed = new Set(rows.map(({ entry }) => entry));
  const fields: Record<string, string> = {};
  if (given.categoryIds.some((id) => !listed.has(`category:${id}`))) fields['tradieData.categoryIds'] = 'Choose your trade categories from the list.';
  if (given.locationId !== null && !listed.has(`location:${given.locationId}`)) fields['tradieData.locationId'] = 'Choose a town from the list.';
  const logo = given.logo === '' ? '' : ownLogo(given.logo, owner);
  if (logo === undefined) fields['tradieData.logo'] = 'That logo is not one of yours. Upload it again.';
  const messages = Object.values(fields);
  if (logo === undefined || messages.length > 0) throw badRequest(messages.length === 1 ? messages.join() : messages, 'invalid', { fields });
  return { ...given, logo };
}

function ownLogo(address: string, { userId, origins }: Owner): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isOwn = url !== undefined && origins.includes(url.origin) && url.pathname.startsWith(`/storage/v1/object/public/tradie-logos/${userId}/`);
  return isOwn ? `${url.origin}${url.pathname}` : undefined;
}
