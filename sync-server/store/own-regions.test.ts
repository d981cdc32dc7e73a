import { expect, test } from 'vitest';
import { ownRegions } from './own-regions.ts';

const at = (region: string, latitude?: number) => ({
  region,
  position: latitude === undefined ? undefined : { latitude, longitude: 169 },
});
// A degree of latitude is 111 km.
const towns = new Map([
  ['gore', at('Southland', -46.1)],
  ['balclutha', at('Otago', -46.2)],
  ['oamaru', at('Otago', -45.1)],
  ['ashburton', at('Canterbury', -43.9)],
  ['nowhere', at('West Coast')],
]);
const search = (locationId: string | null, withinKm: number | null = null, region: string | null = null) => ({
  region,
  locationId,
  withinKm,
});

test('the town of the business comes first, then the searches in their order, each region once', () => {
  const searches = [search(null, null, 'Northland'), search('oamaru'), search('balclutha'), search(null)];
  expect(ownRegions('gore', searches, towns)).toEqual(['Southland', 'Northland', 'Otago']);
  expect(ownRegions(null, [], towns)).toEqual([]);
});

test('a search whose distance crosses a border works in the regions beyond it, the nearest first', () => {
  expect(ownRegions(undefined, [search('gore', 100)], towns)).toEqual(['Southland', 'Otago']);
  expect(ownRegions(undefined, [search('gore', 250)], towns)).toEqual(['Southland', 'Otago', 'Canterbury']);
  expect(ownRegions(undefined, [search('gore', 5)], towns)).toEqual(['Southland']);
});

test('a town without a position reaches itself alone, and one that is not known leaves the region', () => {
  expect(ownRegions('unknown', [search('nowhere', 100)], towns)).toEqual(['West Coast']);
  expect(ownRegions('unknown', [search('unknown', 100, 'Otago')], towns)).toEqual(['Otago']);
});
