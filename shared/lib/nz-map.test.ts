import { expect, test } from 'vitest';
import { mapPoint, mapShape } from './nz-map.ts';

const [reinga, bluff, eastCape, milford, waitangi] = [
  { latitude: -34.42, longitude: 172.68 },
  { latitude: -46.6, longitude: 168.33 },
  { latitude: -37.69, longitude: 178.55 },
  { latitude: -44.67, longitude: 167.93 },
  // East of the 180th meridian.
  { latitude: -43.95, longitude: -176.56 },
].map(mapPoint) as [ReturnType<typeof mapPoint>, ...ReturnType<typeof mapPoint>[]];

test('the ends of the country are on the map, the Chathams too', () => {
  for (const point of [reinga, bluff, eastCape, milford, waitangi])
    for (const at of [point?.x, point?.y]) {
      expect(at).toBeGreaterThan(0);
      expect(at).toBeLessThan(1);
    }
});

test('north is above south, and west left of east, as on every map', () => {
  expect(reinga.y).toBeLessThan(eastCape!.y);
  expect(milford!.y).toBeLessThan(bluff!.y);
  expect(milford!.x).toBeLessThan(reinga.x);
  expect(eastCape!.x).toBeLessThan(waitangi!.x);
});

test('a kilometre is as long to the east as to the south, as Mercator has it', () => {
  const [from, east, south] = [
    { latitude: -41, longitude: 174 },
    { latitude: -41, longitude: 174 + 0.1 / Math.cos((41 * Math.PI) / 180) },
    { latitude: -41.1, longitude: 174 },
  ].map(mapPoint) as [{ x: number; y: number }, { x: number; y: number }, { x: number; y: number }];
  expect((east.x - from.x) * mapShape).toBeCloseTo(south.y - from.y, 4);
});
