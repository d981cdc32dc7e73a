import type { category, location } from '../../shared/api/reference.ts';
import type * as z from 'zod/mini';
import type { Sql } from '../db/database.ts';
import { readRows } from './read-rows.ts';

export type Location = z.output<typeof location>;
export type Category = z.output<typeof category>;

export interface ReferenceLists {
  locations: Map<string, Location>;
  categories: Map<string, Category>;
}

/** The lists people choose from, by id, in the order people read them. */
export async function readReferenceLists(sql: Sql): Promise<ReferenceLists> {
  const rows = await readRows(sql, 'reference', { order: ['region', 'name', 'id'] });
  const locations = rows
    .filter(({ kind }) => kind === 'location')
    .map(({ id, region, name }) => ({ id, region: region ?? '', town: name }));
  const categories = rows.filter(({ kind }) => kind === 'category').map(({ id, name }) => ({ id, name }));
  return {
    locations: new Map(locations.map((one) => [one.id, one])),
    categories: new Map(categories.map((one) => [one.id, one])),
  };
}
