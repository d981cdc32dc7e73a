import { expect, it } from 'vitest';
import { tables } from '../../../shared/tables/index.ts';
import { referenceRows } from './reference-rows.ts';

const rows = referenceRows();
const byId = new Map(rows.map((row) => [row.id, row]));

it('holds 40 categories and 400 towns, each under an id of its own [§3]', () => {
  expect(rows.filter(({ kind }) => kind === 'category')).toHaveLength(40);
  expect(rows.filter(({ kind }) => kind === 'location')).toHaveLength(400);
  expect(byId.size).toBe(440);
});

it('folds macrons, apostrophes and slashes in ids but not in names', () => {
  expect(byId.get('northland/kaitaia')).toMatchObject({ name: 'Kaitāia', region: 'Northland' });
  expect(byId.get('hawkes-bay/porangahau')).toMatchObject({ name: 'Pōrangahau', region: "Hawke's Bay" });
  expect(byId.get('southland/milford-sound-piopiotahi')).toMatchObject({ name: 'Milford Sound / Piopiotahi' });
  expect(byId.get('southland/stewart-island-oban')).toMatchObject({ name: 'Stewart Island (Oban)' });
  for (const { id } of rows) expect(id).toMatch(/^[a-z0-9-]+(\/[a-z0-9-]+)?$/);
});

it('keeps apart towns that sound alike [§settled]', () => {
  expect(byId.get('otago/palmerston')?.name).toBe('Palmerston');
  expect(byId.get('manawatu-whanganui/palmerston-north')?.name).toBe('Palmerston North');
});

it('gives rows as the table defines them', () => {
  for (const row of rows) expect(tables.reference.row.parse(row)).toEqual(row);
});
