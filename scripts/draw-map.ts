/**
 * Draws New Zealand's outline, `app/features/jobs/nz.svg`: `node scripts/draw-map.ts`. Natural Earth's coast at 1:10
 * million (public domain), by
 * `world-atlas`; islands off the map of shared/lib/nz-map.ts are left out.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { mapPoint, mapShape } from '../shared/lib/nz-map.ts';

const height = 2_000;
const width = Math.round(height * mapShape);
/** ISO 3166-1 numeric. */
const newZealand = '554';

type Countries = Topology<{ countries: GeometryCollection }>;

const atlas = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('world-atlas/countries-10m.json'), 'utf8'),
) as Countries;
const country = feature(atlas, atlas.objects.countries).features.find(({ id }) => id === newZealand);
if (country?.geometry.type !== 'MultiPolygon') throw new Error('New Zealand is not in the atlas');

/** A closed line in whole units, each point from the one before it; points that fall together are one. */
function pathOf(ring: readonly (readonly number[])[]): string {
  const points = ring.map(([longitude = 0, latitude = 0]) => {
    const { x, y } = mapPoint({ longitude, latitude });
    return [Math.round(x * width), Math.round(y * height)] as const;
  });
  const [first = [0, 0] as const, ...rest] = points;
  let [x, y]: readonly [number, number] = first;
  const steps = rest.flatMap(([nextX, nextY]) => {
    const [dx, dy] = [nextX - x, nextY - y];
    [x, y] = [nextX, nextY];
    return dx === 0 && dy === 0 ? [] : [`${dx}${dy < 0 ? '' : ' '}${dy}`];
  });
  return `M${first[0]} ${first[1]}l${steps.join(' ').replaceAll(' -', '-')}z`;
}

const onMap = country.geometry.coordinates.filter(([ring = []]) =>
  ring.every(([longitude = 0, latitude = 0]) => {
    const { x, y } = mapPoint({ longitude, latitude });
    return x >= 0 && x <= 1 && y >= 0 && y <= 1;
  }),
);
const outline = onMap.map(([ring = []]) => pathOf(ring)).join('');
writeFileSync(
  join(import.meta.dirname, '../app/features/jobs/nz.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path d="${outline}"/></svg>\n`,
);
