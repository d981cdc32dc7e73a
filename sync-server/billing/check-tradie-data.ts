import type { TradieData } from '../../shared/api/billing.ts';
import { businessNameProblem } from '../../shared/lib/business-name.ts';
import { fileRef } from '../../shared/lib/file-ref.ts';
import { ownLogo } from '../../shared/mutations/profile.ts';
import type { Sql } from '../db/database.ts';
import type { Deps } from '../ports/deps.ts';
import { badRequest } from '../http/http-problem.ts';
import type { FindFiles } from '../ports/known-files.ts';

/**
 * What only the server can say of an onboarding: are the categories and the town on the list, is the logo one of
 * theirs, may the business be called so?
 *
 * @returns it, the logo by its bucket and path.
 * @throws HttpProblem 400 `invalid`, a message a field, `details.fields` by field as for any other call.
 */
export async function checkTradieData(
  { database: { sql }, findFiles }: Pick<Deps, 'database' | 'findFiles'>,
  given: TradieData,
  userId: string,
): Promise<TradieData> {
  const ids = [...given.categoryIds, ...(given.locationId === null ? [] : [given.locationId])];
  const entries = await sql
    .selectFrom('reference')
    .select(['kind', 'id'])
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute();
  const listed = new Set(entries.map(({ kind, id }) => `${kind}:${id}`));
  const fields: Record<string, string> = {};
  if (given.categoryIds.some((id) => !listed.has(`category:${id}`)))
    fields['tradieData.categoryIds'] = 'Choose your trade categories from the list.';
  if (given.locationId !== null && !listed.has(`location:${given.locationId}`))
    fields['tradieData.locationId'] = 'Choose a town from the list.';
  const standing = await sql
    .selectFrom('tradies')
    .select('business_name')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const name = businessNameProblem(given.businessName, standing?.business_name);
  if (name !== undefined) fields['tradieData.businessName'] = name;
  const logo = given.logo === '' ? '' : await keptLogo(sql, findFiles, given.logo, userId);
  if (logo === undefined) fields['tradieData.logo'] = 'That logo is not one of yours. Upload it again.';
  const messages = Object.values(fields);
  if (logo === undefined || messages.length > 0)
    throw badRequest(messages.length === 1 ? messages.join() : messages, 'invalid', { fields });
  return { ...given, logo };
}

async function keptLogo(
  sql: Sql,
  findFiles: FindFiles | undefined,
  address: string,
  userId: string,
): Promise<string | undefined> {
  const plain = address.replace(/\?.*/s, '');
  const ref = fileRef('tradie-logos', plain);
  const own = ownLogo(plain, userId, ref === undefined ? undefined : await findFiles?.(sql, [ref]));
  return 'ref' in own ? own.ref : undefined;
}
