import { parsePhoneNumberFromString, type MetadataJson } from 'libphonenumber-js/core';
import nzMetadata from './nz-phone-metadata.json' with { type: 'json' };

// The JSON module's inferred type is wider than the tuple types the library declares for the same data.
const metadata = nzMetadata as unknown as MetadataJson;

function parseNz(typed: string) {
  const phone = parsePhoneNumberFromString(typed, { defaultCountry: 'NZ' }, metadata);
  return phone?.country === 'NZ' && phone.isValid() ? phone : undefined;
}

/** The number in E.164 (`+64211234567`), or undefined where it is not a valid New Zealand number. */
export function toE164(typed: string): string | undefined {
  return parseNz(typed)?.number;
}

/** Writes a number in national form, `021 123 4567`; what is not a valid New Zealand number comes back as it was. */
export function formatPhone(phone: string): string {
  return parseNz(phone)?.formatNational() ?? phone;
}
