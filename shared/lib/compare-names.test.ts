import { expect, test } from 'vitest';
import { compareNames } from './compare-names.ts';

test('names stand as New Zealand reads them', () => {
  expect(
    ['Zeal', 'whangārei roofs', 'Whangarei Roofs', 'Tiles 10', 'ōtaki', 'Tiles 9', 'Oamaru'].toSorted(compareNames),
  ).toEqual(['Oamaru', 'ōtaki', 'Tiles 9', 'Tiles 10', 'whangārei roofs', 'Whangarei Roofs', 'Zeal']);
});
