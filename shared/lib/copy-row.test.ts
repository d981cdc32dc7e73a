import { expect, test } from 'vitest';
import { copyRow } from './copy-row.ts';

test('a copied row has the same values and shares no list and no object with the first', () => {
  const row = { id: 'a', price: null, images: ['x'], where: { town: ['Ōtaki'] }, note: undefined };
  const copy = copyRow(row);
  expect(copy).toStrictEqual(row);
  copy.images.push('y');
  copy.where.town.push('Levin');
  expect(row).toStrictEqual({ id: 'a', price: null, images: ['x'], where: { town: ['Ōtaki'] }, note: undefined });
});
