import maxMetadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import nzMetadata from './nz-phone-metadata.json' with { type: 'json' };
import { formatPhone, toE164 } from './phone.ts';

describe('toE164', () => {
  test.each([
    ['021 123 456', '+6421123456'],
    ['021 123 4567', '+64211234567'],
    ['022 123 4567', '+64221234567'],
    ['027 123 4567', '+64271234567'],
    ['020 4123 4567', '+642041234567'],
    ['09 312 4567', '+6493124567'],
    ['03 312 4567', '+6433124567'],
    ['0800 123 456', '+64800123456'],
    ['+64 21 123 456', '+6421123456'],
  ])('takes %s [§9]', (typed, stored) => {
    expect(toE164(typed)).toBe(stored);
  });

  test.each(['12345', '111', '021 12345', '+61 412 345 678', '', 'ring me'])('rejects %s [§5]', (typed) => {
    expect(toE164(typed)).toBeUndefined();
  });
});

test('formatPhone shows the national form [§settled]', () => {
  expect(formatPhone('+64211234567')).toBe('021 123 4567');
  expect(formatPhone('unknown')).toBe('unknown');
});

test('our New Zealand excerpt is the library’s own [§settled]', () => {
  expect(nzMetadata).toEqual({
    version: maxMetadata.version,
    country_calling_codes: { 64: ['NZ'] },
    countries: { NZ: maxMetadata.countries.NZ },
  });
});
