import { describe, expect, it } from 'vitest';
import { tradieData } from '../../../shared/api/billing.ts';
import { emptyOnboarding, looksInvalid, payloadOf, problemsOf, type OnboardingForm } from './onboarding-form.ts';

const filled: OnboardingForm = {
  nzbn: '9429040402543',
  isNzbnVerified: false,
  businessName: 'Kererū Building',
  businessAddress: '4 Cameron Street, Whangārei',
  categoryIds: ['builder', 'roofer'],
  contactPhone: '021 123 4567',
  description: 'Decks, fences and small extensions.',
  place: { region: 'Northland', locationId: 'northland/whangarei' },
  hasAgreed: true,
};

describe('what a person gives to become a tradie', () => {
  it('names every field that is missing, in the order of the form [§5]', () => {
    expect(Object.entries(problemsOf(emptyOnboarding))).toEqual([
      ['nzbn', 'NZBN is required'],
      ['businessName', 'Business name is required'],
      ['businessAddress', 'Business address is required'],
      ['categoryIds', 'Choose at least one trade category'],
      ['contactPhone', 'Phone number is required'],
      ['description', 'Company description is required'],
      ['place', 'Select your nearest town'],
    ]);
  });

  it('wants a whole NZBN and a New Zealand phone [§5]', () => {
    expect(problemsOf({ ...filled, nzbn: '94290404', contactPhone: '+61 412 345 678' })).toEqual({
      nzbn: 'An NZBN is 94 followed by 11 digits',
      contactPhone: 'Please enter a valid New Zealand phone number',
    });
    expect(problemsOf(filled)).toEqual({});
  });

  it('doubts a number whose check digit is wrong, once all of it is there', () => {
    expect(looksInvalid('9429040402544')).toBe(true);
    expect(looksInvalid('9429040402543')).toBe(false);
    expect(looksInvalid('94290404025')).toBe(false);
  });

  it('doubts it without standing in the way', () => {
    expect(problemsOf({ ...filled, nzbn: '9429040402544' })).toEqual({});
  });

  it('sends the phone in E.164, the trades as JSON text and no logo as nothing [§3]', () => {
    expect(payloadOf(filled, '')).toEqual({
      nzbn: '9429040402543',
      businessName: 'Kererū Building',
      businessAddress: '4 Cameron Street, Whangārei',
      contactPhone: '+64211234567',
      description: 'Decks, fences and small extensions.',
      logo: '',
      categoryIds: '["builder","roofer"]',
      locationId: 'northland/whangarei',
    });
  });

  it('cuts what is too long to 200, 300 and 400 characters, and no character in two [§5, §9]', () => {
    const long = {
      ...filled,
      businessName: 'n'.repeat(250),
      businessAddress: 'a'.repeat(350),
      description: `${'d'.repeat(399)}🏠`,
    };
    const { businessName, businessAddress, description } = payloadOf(long, '');
    expect([businessName.length, businessAddress.length, description]).toEqual([200, 300, 'd'.repeat(399)]);
    expect(tradieData.safeParse(payloadOf(long, '')).success).toBe(true);
  });
});
