import { expect, test } from 'vitest';
import { makeJob, makeTestId } from '../../../shared/testing/make.ts';
import { problemsIn } from '../../lib/field-problems.ts';
import { argsOfEdit, beginEdit, changesOf, conflictsOf, keepMine, rebase, acceptTheirs } from '../../lib/row-form.ts';
import {
  argsOfPost,
  blankFields,
  jobForm,
  missingOf,
  missingOfEdit,
  type EditBase,
  type EditJobDraft,
  type PostJobFields,
} from './job-fields.ts';

const filled: PostJobFields = {
  title: 'Fix the gate',
  description: 'It sags.',
  region: 'Southland',
  locationId: 'southland/winton',
  budget: '450.50',
  urgency: 'soon',
  categoryId: 'builder',
};

test('says what is missing, in the order of the form', () => {
  expect(missingOf(blankFields)).toEqual([
    'add a title',
    'add a description',
    'choose a town',
    'say how urgent it is',
    'choose a category',
  ]);
  expect(missingOf({ ...filled, description: '  ' })).toEqual(['add a description']);
  expect(missingOf({ ...filled, budget: '' })).toEqual([]);
});

test('reads the budget as dollars, or as none, and says what is wrong with it at its field [§5, §settled]', () => {
  const id = makeTestId();
  const problems = (budget: string) => problemsIn('job.post', argsOfPost(id, { ...filled, budget }));
  expect(argsOfPost(id, filled)).toMatchObject({ id, budgetMax: 450.5 });
  expect(argsOfPost(id, { ...filled, budget: '' })).toMatchObject({ budgetMax: null });
  expect([problems('450.50'), problems('')]).toEqual([{}, {}]);
  expect(problems('12.345')).toEqual({ budgetMax: 'Use two decimals at most.' });
  expect(problems('1.2.3')).toEqual({ budgetMax: expect.any(String) });
});

test('a queued job comes back as it was typed', () => {
  const queued = argsOfPost(makeTestId(), filled);
  expect(jobForm(() => 'Southland').show(queued as EditBase)).toEqual({ ...filled, budget: '450.5' });
});

const regionOf = (id: string) => (id === 'southland/winton' ? 'Southland' : 'Northland');
const job = makeJob({
  title: 'Gate',
  description: 'It sags.',
  locationId: 'southland/winton',
  budgetMax: 500,
  urgency: 'soon',
  categoryId: 'builder',
});
const form = jobForm(regionOf);
const begun: EditJobDraft = { ...beginEdit(form, job, undefined), removed: [] };
const typed = (changes: Partial<typeof begun.fields>) => ({ ...begun, fields: { ...begun.fields, ...changes } });

test('only what was changed is in the edit, with what stood there', () => {
  expect(changesOf(form, begun)).toEqual({});
  expect(changesOf(form, typed({ title: ' Gate ' }))).toEqual({});
  const id = makeTestId();
  expect(argsOfEdit(form, id, typed({ title: 'Fence', budget: '' }))).toEqual({
    id,
    set: { title: 'Fence', budgetMax: null },
    base: { title: 'Gate', budgetMax: 500 },
  });
});

test('problems stand under the schema’s names', () => {
  expect(problemsIn('job.edit', argsOfEdit(form, makeTestId(), typed({ budget: '1.234' })))).toEqual({
    budgetMax: 'Use two decimals at most.',
  });
});

test('what was changed elsewhere comes in where nothing was typed, and clashes where both did', () => {
  const now = { ...job, title: 'Theirs', locationId: 'northland/kaitaia', budgetMax: 700 };
  const mine = rebase(form, typed({ title: 'Mine' }), now);
  expect(mine.fields).toMatchObject({
    title: 'Mine',
    region: 'Northland',
    locationId: 'northland/kaitaia',
    budget: '700',
  });
  expect(conflictsOf(form, mine, now)).toEqual({ title: 'Theirs' });
  expect(conflictsOf(form, mine, { ...now, title: 'Mine' })).toEqual({});
  expect(conflictsOf(form, keepMine(mine, { title: 'Theirs' }), now)).toEqual({});
  expect(changesOf(form, acceptTheirs(form, mine, { title: 'Theirs' }))).toEqual({});
});

test('a rejected edit opens with its words over the job as it is now', () => {
  const again = beginEdit(form, { ...job, title: 'Theirs' }, { set: { title: 'Mine' }, base: { title: 'Gate' } });
  expect([again.fields.title, again.base.title, again.fields.description]).toEqual(['Mine', 'Gate', 'It sags.']);
});

test('an older job without a town may stay without one; no other may lose it', () => {
  const older = beginEdit(form, { ...job, locationId: null }, undefined);
  expect(missingOfEdit({ ...older, removed: [] })).toEqual([]);
  expect(missingOfEdit(typed({ locationId: '' }))).toEqual(['choose a town']);
});
