import { expect, test } from 'vitest';
import type { CollectionRow } from '../../shared/tables/collections.ts';
import { createReferenceLists, placeWords } from './reference-lists.ts';

const feilding = {
  kind: 'location',
  id: 'manawatu-whanganui/feilding',
  name: 'Feilding',
  region: 'Manawatū-Whanganui',
};
const lists = createReferenceLists([feilding as CollectionRow<'reference'>]);
const job = { locationId: feilding.id, address: null, suburb: null };

test('where a job is: its town and region, an older job’s address, or the country', () => {
  expect(placeWords(lists, job)).toBe('Feilding, Manawatū-Whanganui');
  expect(placeWords(lists, { locationId: null, address: '4 Rata St', suburb: 'Levin' })).toBe('4 Rata St, Levin');
  expect(placeWords(lists, { ...job, locationId: null })).toBe('New Zealand');
  expect(placeWords(lists, { ...job, locationId: 'a-town-that-is-gone' })).toBe('New Zealand');
});

test('a job in a town is not said to be somewhere in New Zealand while the towns are still to come', () => {
  const none = createReferenceLists([]);
  expect(placeWords(none, job)).toBe('\u00a0');
  expect(placeWords(none, { ...job, locationId: null })).toBe('New Zealand');
});
