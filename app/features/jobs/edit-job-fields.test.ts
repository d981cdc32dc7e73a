import { expect, test } from 'vitest';
import { makeJob, makeTestId } from '../../../shared/testing/make.ts';
import {
  beginEdit,
  changesOf,
  conflictsOf,
  keepMine,
  missingOfEdit,
  readEdit,
  rebase,
  takeTheirs,
} from './edit-job-fields.ts';

const regionOf = (id: string) => (id === 'southland/winton' ? 'Southland' : 'Northland');
const job = makeJob({
  title: 'Gate',
  description: 'It sags.',
  locationId: 'southland/winton',
  budgetMax: 500,
  urgency: 'soon',
  categoryId: 'builder',
});
const begun = beginEdit(job, undefined, regionOf);
const typed = (changes: Partial<typeof begun.fields>) => ({ ...begun, fields: { ...begun.fields, ...changes } });

test('only what was changed is in the edit, with what stood there', () => {
  expect(changesOf(begun)).toEqual({});
  expect(changesOf(typed({ title: ' Gate ' }))).toEqual({});
  const id = makeTestId();
  expect(readEdit(id, typed({ title: 'Fence', budget: '' }))).toEqual({
    args: { id, set: { title: 'Fence', budgetMax: null }, base: { title: 'Gate', budgetMax: 500 } },
  });
});

test('problems stand under the form’s own names', () => {
  expect(readEdit(makeTestId(), typed({ budget: '1.234' }))).toEqual({
    problems: { budget: 'Use two decimals at most.' },
  });
});

test('what was changed elsewhere comes in where nothing was typed, and clashes where both did', () => {
  const now = { ...job, title: 'Theirs', locationId: 'northland/kaitaia', budgetMax: 700 };
  const mine = rebase(typed({ title: 'Mine' }), now, regionOf);
  expect(mine.fields).toMatchObject({
    title: 'Mine',
    region: 'Northland',
    locationId: 'northland/kaitaia',
    budget: '700',
  });
  expect(conflictsOf(mine, now)).toEqual({ title: 'Theirs' });
  expect(conflictsOf(mine, { ...now, title: 'Mine' })).toEqual({});
  expect(conflictsOf(keepMine(mine, { title: 'Theirs' }), now)).toEqual({});
  expect(changesOf(takeTheirs(mine, { title: 'Theirs' }, regionOf))).toEqual({});
});

test('a rejected edit opens with its words over the job as it is now', () => {
  const again = beginEdit({ ...job, title: 'Theirs' }, { set: { title: 'Mine' }, base: { title: 'Gate' } }, regionOf);
  expect([again.fields.title, again.base.title, again.fields.description]).toEqual(['Mine', 'Gate', 'It sags.']);
});

test('an older job without a town may stay without one; no other may lose it', () => {
  const older = beginEdit({ ...job, locationId: null }, undefined, regionOf);
  expect(missingOfEdit(older)).toEqual([]);
  expect(missingOfEdit(typed({ locationId: '' }))).toEqual(['choose a town']);
});
