import type { InlinedTradie } from '../../shared/inlined.ts';
import type { Reference, Tradie } from '../../shared/tables/index.ts';
import { readRows } from '../api/read-rows.ts';
import type { Sql } from '../db/database.ts';

export type ReferenceNames = ReadonlyMap<string, Pick<Reference, 'name' | 'region'>>;

/** Trades and towns by these ids. */
export async function readReferenceNames(sql: Sql, ids: readonly string[]): Promise<ReferenceNames> {
  const rows = await readRows(sql, 'reference', { where: (t) => t('id', '=', t.fn.any(t.val(ids))), order: ['id'] });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The words for a business's ids. */
export function wordsOf(
  { categoryIds, locationId }: Pick<Tradie, 'categoryIds' | 'locationId'>,
  names: ReferenceNames,
): Pick<InlinedTradie, 'trades' | 'place'> {
  const { name: town, region } = names.get(locationId ?? '') ?? {};
  return {
    trades: categoryIds.flatMap((id) => names.get(id)?.name ?? []),
    place: [...new Set([town, region])].filter(Boolean).join(', '),
  };
}

/** The ids of a business that have words. */
export const namedIds = ({ categoryIds, locationId }: Pick<Tradie, 'categoryIds' | 'locationId'>): readonly string[] =>
  locationId === null ? categoryIds : [...categoryIds, locationId];
