import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fold } from '../../../shared/lib/fold.ts';
import type { Reference } from '../../../shared/tables/index.ts';

/** One instant for all of them and for ever, so that seeding again changes nothing. */
const createdAt = '2026-01-01T00:00:00.000Z';

/** `Hawke's Bay` to `hawkes-bay`, `Ōpunake` to `opunake`: what a name looks like in an id. */
export function slug(name: string): string {
  return fold(name)
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The lines of one of our own lists, heading left out; neither list has quotes or commas inside a field. */
function readList<const Fields extends readonly string[]>(
  file: string,
  fields: Fields,
): { [At in keyof Fields]: string }[] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const found = line.trim().split(',');
    if (found.length !== fields.length || found.includes(''))
      throw new Error(`${file} has a line that is not ${fields.length} fields: ${line}`);
    return found as unknown as { [At in keyof Fields]: string };
  });
}

const nowhere = { region: null, latitude: null, longitude: null, isApproximate: null };

/**
 * The lists people choose from: 40 trade categories under their own ids, 400 towns under `region/town` with macrons
 * folded (`northland/kaitaia`), because neither region nor town alone is unique. Positions are from GeoNames (CC BY
 * 4.0), those it has not to about 2 km.
 */
export function referenceRows(): Reference[] {
  const categories = readList('trade-categories.csv', ['id', 'name']).map(([id, name]): Reference => ({
    id,
    kind: 'category',
    name,
    ...nowhere,
    createdAt,
  }));
  const towns = readList('nz-locations.csv', ['region', 'town', 'latitude', 'longitude', 'source']);
  const locations = towns.map(([region, town, latitude, longitude, source]): Reference => ({
    id: `${slug(region)}/${slug(town)}`,
    kind: 'location',
    name: town,
    region,
    latitude: Number(latitude),
    longitude: Number(longitude),
    isApproximate: source === 'approximate',
    createdAt,
  }));
  return [...categories, ...locations];
}
