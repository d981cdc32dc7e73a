import * as z from 'zod/mini';
import { isStorable, isVisible } from '../lib/storable-text.ts';
import { toE164 } from '../lib/phone.ts';

/** A required line or text of the person's own: trimmed, not empty, bounded. */
export function text(what: string, longest: number) {
  return z
    .string(`${what} is required.`)
    .check(
      z.trim(),
      z.minLength(1, `${what} is required.`),
      z.maxLength(longest, `${what} can be ${longest} characters at most.`),
      keepable(what),
      visible(what),
    );
}

/** Rejects what could not be stored. */
export function keepable(what: string) {
  return z.refine<string>(isStorable, `${what} has characters that can’t be kept.`);
}

/** Rejects what shows nothing, and is not empty either. */
export function visible(what: string) {
  return z.refine<string>(isVisible, `${what} has only characters that can’t be seen.`);
}

export const id = z.uuid();
export const instant = z.iso.datetime();
export const urgency = z.enum(['slow', 'soon', 'urgent'], 'Choose how urgent it is.');
export const categoryId = text('Category', 60);
export const locationId = text('Location', 80);
export const title = text('Title', 120);
export const description = text('Description', 5_000);
export const note = z
  .string()
  .check(z.trim(), z.maxLength(1_000, 'A note can be 1,000 characters at most.'), keepable('The note'));
export const photoUrl = z
  .url('That photo address is not valid.')
  .check(z.maxLength(600, 'That photo address is too long.'));
/** Bucket and path, or any public address of the file. */
export const photoRef = z
  .string('That photo address is not valid.')
  .check(z.minLength(1, 'That photo address is not valid.'), z.maxLength(600, 'That photo address is too long.'));
export const maxPhotos = 5;
export const maxSearches = 20;
export const maxPreparedNotes = 10;

/** An instant as the database gives it back: to the millisecond. */
export function sameInstant(given: string): string;
export function sameInstant(given: string | null): string | null;
export function sameInstant(given: string | null): string | null {
  return given === null ? null : new Date(given).toISOString();
}

/** A New Zealand number however it is typed; E.164 comes out. */
export const phone = z.pipe(
  z.string('Phone number is required').check(z.trim(), z.minLength(1, 'Phone number is required'), z.maxLength(40)),
  z.transform((typed: string, context) => {
    const e164 = toE164(typed);
    if (e164 === undefined) {
      context.issues.push({ code: 'custom', message: 'Please enter a valid New Zealand phone number', input: typed });
      return z.NEVER;
    }
    return e164;
  }),
);
