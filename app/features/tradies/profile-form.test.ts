import { describe, expect, it } from 'vitest';
import { makeTestId, makeTradie } from '../../../shared/testing/make.ts';
import { problemsIn } from '../../lib/field-problems.ts';
import { argsOfEdit, beginEdit, changesOf } from '../../lib/row-form.ts';
import { problemsOf as otherProblemsOf, profileForm, type ProfileForm } from './profile-form.ts';

const rows = profileForm({
  place: (id) => (id === null ? undefined : { id, region: 'Southland', town: 'Winton' }),
});
const tradie = makeTradie({
  categoryIds: ['builder', 'roofer'],
  contactPhone: '+64211234567',
  locationId: 'southland/winton',
});
const begun = beginEdit(rows, tradie, undefined);
const typed = (changes: Partial<ProfileForm>) => ({ ...begun, fields: { ...begun.fields, ...changes } });
const problemsOf = (edit: typeof begun) => ({
  ...problemsIn('profile.edit', argsOfEdit(rows, makeTestId(), edit)),
  ...otherProblemsOf(edit.fields, tradie),
});

describe('a profile being edited', () => {
  it('shows the phone as people here read it, and an untouched form changes nothing', () => {
    expect(begun.fields.contactPhone).toBe('021 123 4567');
    expect(changesOf(rows, begun)).toEqual({});
  });

  it('sends only what was changed [§3]', () => {
    expect(changesOf(rows, typed({ description: ' Decks and fences. ' }))).toEqual({
      description: 'Decks and fences.',
    });
  });

  it('takes the same number in another form, or the same trades in another order, as no change', () => {
    expect(changesOf(rows, typed({ contactPhone: '+64 21 123 4567', categoryIds: ['roofer', 'builder'] }))).toEqual({});
  });

  it('sends no town where the choice was cleared [§2 /edit-tradie]', () => {
    expect(changesOf(rows, typed({ place: { region: 'Otago', locationId: '' } }))).toEqual({ locationId: null });
  });

  it('wants a phone, also where there never was one', () => {
    const form = typed({ contactPhone: ' ' });
    expect(problemsOf(form)).toEqual({ contactPhone: 'Phone number is required' });
  });

  it('says which field is wrong, in the mutation’s own words', () => {
    const form = typed({ contactPhone: '12345', businessName: '', description: 'x'.repeat(401) });
    expect(problemsOf(form)).toEqual({
      contactPhone: 'Please enter a valid New Zealand phone number',
      businessName: 'Business name is required.',
      description: 'Description can be 400 characters at most.',
    });
  });
});
