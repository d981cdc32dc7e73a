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
function readList(file: string): [string, string][] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const [first, second, ...rest] = line.trim().split(',');
    if (!first || !second || rest.length > 0) throw new Error(`${file} has a line that is not two fields: ${line}`);
    return [first, second];
  });
}

/**
 * The lists people choose from: 40 trade categories under their own ids, 400 towns under `region/town` with macrons folded
 * (`northland/kaitaia`), because neither region nor town alone is unique.
 */
export function referenceRows(): Reference[] {
  const categories = readList('trade-categories.csv').map(([id, name]): Reference => ({
    id,
    kind: 'category',
    name,
    region: null,
    createdAt,
  }));
  const locations = readList('nz-locations.csv').map(([region, town]): Reference => ({
    id: `${slug(region)}/${slug(town)}`,
    kind: 'location',
    name: town,
    region,
    createdAt,
  }));
  return [...categories, ...locations];
}
