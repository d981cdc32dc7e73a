import { describe, expect, it } from 'vitest';
import { makeTradie } from '../../../shared/testing/make.ts';
import { baseOf, changesOf, formOf, problemsOf, type ProfileForm } from './profile-form.ts';

const base = baseOf(
  makeTradie({ categoryIds: ['builder', 'roofer'], contactPhone: '+64211234567', locationId: 'southland/winton' }),
);
const begun = formOf(base, { place: (id) => (id === null ? undefined : { id, region: 'Southland', town: 'Winton' }) });
const typed = (changes: Partial<ProfileForm>) => ({ ...begun, ...changes });

describe('a profile being edited', () => {
  it('shows the phone as people here read it, and an untouched form changes nothing', () => {
    expect(begun.contactPhone).toBe('021 123 4567');
    expect(changesOf(begun, base)).toEqual({});
  });

  it('sends only what was changed [§3]', () => {
    expect(changesOf(typed({ description: ' Decks and fences. ' }), base)).toEqual({
      description: 'Decks and fences.',
    });
  });

  it('takes the same number in another form, or the same trades in another order, as no change', () => {
    expect(changesOf(typed({ contactPhone: '+64 21 123 4567', categoryIds: ['roofer', 'builder'] }), base)).toEqual({});
  });

  it('sends no town where the choice was cleared [§2 /edit-tradie]', () => {
    expect(changesOf(typed({ place: { region: 'Otago', locationId: '' } }), base)).toEqual({ locationId: null });
  });

  it('wants a phone, also where there never was one', () => {
    const form = typed({ contactPhone: ' ' });
    expect(problemsOf(form, changesOf(form, base))).toEqual({ contactPhone: 'Phone number is required' });
  });

  it('says which field is wrong, in the mutation’s own words', () => {
    const form = typed({ contactPhone: '12345', businessName: '', description: 'x'.repeat(401) });
    expect(problemsOf(form, changesOf(form, base))).toEqual({
      contactPhone: 'Please enter a valid New Zealand phone number',
      businessName: 'Business name is required.',
      description: 'Description can be 400 characters at most.',
    });
  });
});
