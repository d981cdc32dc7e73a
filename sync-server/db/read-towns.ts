import type { SearchedPlace } from '../../shared/lib/matches-search.ts';
import { positionOf } from '../../shared/lib/position-of.ts';
import type { Sql } from './database.ts';

/** The towns of the reference list, by id. */
export async function readTowns(sql: Sql): Promise<Map<string, SearchedPlace>> {
  const towns = await sql
    .selectFrom('reference')
    .select(['id', 'region', 'latitude', 'longitude'])
    .where('kind', '=', 'location')
    .execute();
  return new Map(towns.map(({ id, region, ...town }) => [id, { region: region ?? '', position: positionOf(town) }]));
}
