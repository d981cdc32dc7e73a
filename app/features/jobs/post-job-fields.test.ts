import { expect, test } from 'vitest';
import { makeTestId } from '../../../shared/testing/make.ts';
import { blankFields, fieldsOf, missingOf, readFields, type PostJobFields } from './post-job-fields.ts';

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
  expect(readFields(id, filled)).toMatchObject({ args: { id, budgetMax: 450.5 } });
  expect(readFields(id, { ...filled, budget: '' })).toMatchObject({ args: { budgetMax: null } });
  expect(readFields(id, { ...filled, budget: '12.345' })).toEqual({
    problems: { budget: 'Use two decimals at most.' },
  });
  expect(readFields(id, { ...filled, budget: '1.2.3' })).toMatchObject({ problems: { budget: expect.any(String) } });
});

test('a queued job comes back as it was typed', () => {
  const read = readFields(makeTestId(), filled);
  expect('args' in read && fieldsOf(read.args, () => 'Southland')).toEqual({ ...filled, budget: '450.5' });
});
