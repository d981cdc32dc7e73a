import type * as z from 'zod/mini';
import type { tradieData } from '../../../shared/api/billing.ts';
import { businessNameProblem } from '../../../shared/lib/business-name.ts';
import { hasNzbnCheckDigit, nzbnPattern } from '../../../shared/lib/nzbn.ts';
import { toE164 } from '../../../shared/lib/phone.ts';

/** The form's values, as typed; also what the draft keeps. */
export interface OnboardingForm {
  readonly nzbn: string;
  /** A placeholder check only. */
  readonly isNzbnVerified: boolean;
  readonly businessName: string;
  readonly businessAddress: string;
  readonly categoryIds: readonly string[];
  readonly contactPhone: string;
  readonly description: string;
  readonly place: { readonly region: string; readonly locationId: string };
  readonly hasAgreed: boolean;
}

export const emptyOnboarding: OnboardingForm = {
  nzbn: '',
  isNzbnVerified: false,
  businessName: '',
  businessAddress: '',
  categoryIds: [],
  contactPhone: '',
  description: '',
  place: { region: '', locationId: '' },
  hasAgreed: false,
};

/** What is longer is cut off when it is sent. */
export const maxLengths = { businessName: 200, businessAddress: 300, description: 400 } as const;

export type OnboardingField = Exclude<keyof OnboardingForm, 'isNzbnVerified'>;
export type OnboardingProblems = Partial<Record<OnboardingField, string>>;

export function phoneProblem(typed: string): string | undefined {
  if (typed.trim() === '') return 'Phone number is required';
  return toE164(typed) === undefined ? 'Please enter a valid New Zealand phone number' : undefined;
}

/** All thirteen digits are there and cannot be right: a hint at the field, no error. */
export function looksInvalid(nzbn: string): boolean {
  return nzbn.length === 13 && !hasNzbnCheckDigit(nzbn);
}

/** The problems, in the order of the fields. `standingName`: of the business that a returning person has. */
export function problemsOf(form: OnboardingForm, standingName?: string): OnboardingProblems {
  const problems: OnboardingProblems = {};
  const need = (field: OnboardingField, isThere: boolean, message: string) => {
    if (!isThere) problems[field] = message;
  };
  need('nzbn', form.nzbn !== '', 'NZBN is required');
  if (form.nzbn !== '') need('nzbn', nzbnPattern.test(form.nzbn), 'An NZBN is 94 followed by 11 digits');
  need('businessName', form.businessName.trim() !== '', 'Business name is required');
  const name = businessNameProblem(form.businessName, standingName);
  if (name !== undefined) problems.businessName = name;
  need('businessAddress', form.businessAddress.trim() !== '', 'Business address is required');
  need('categoryIds', form.categoryIds.length > 0, 'Choose at least one trade category');
  const phone = phoneProblem(form.contactPhone);
  if (phone !== undefined) problems.contactPhone = phone;
  need('description', form.description.trim() !== '', 'Company description is required');
  need('place', form.place.locationId !== '', 'Select your nearest town');
  return problems;
}

/**
 * The first `most` UTF-16 units; a character that would be cut in two is left out, because no database keeps half of
 * one.
 */
function cut(text: string, maxLength: number): string {
  return text
    .trim()
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '');
}

/** The onboarding payload; `categoryIds` travels as JSON text. */
export function payloadOf(form: OnboardingForm, logo: string): z.input<typeof tradieData> {
  return {
    nzbn: form.nzbn,
    businessName: cut(form.businessName, maxLengths.businessName),
    businessAddress: cut(form.businessAddress, maxLengths.businessAddress),
    contactPhone: toE164(form.contactPhone) ?? null,
    description: cut(form.description, maxLengths.description),
    logo,
    categoryIds: JSON.stringify(form.categoryIds),
    locationId: form.place.locationId === '' ? null : form.place.locationId,
  };
}

const rejectable = ['nzbn', 'businessName', 'businessAddress', 'categoryIds', 'contactPhone', 'description'] as const;

/**
 * The problems of this form's fields in a rejected payload (`details.fields` of the one error shape, by `tradieData.`
 * and name).
 */
export function problemsAmong(fields: unknown): OnboardingProblems {
  if (typeof fields !== 'object' || fields === null) return {};
  const said = new Map<string, unknown>(Object.entries(fields));
  return Object.fromEntries(
    rejectable.flatMap((field) => {
      const message = said.get(`tradieData.${field}`);
      return typeof message === 'string' ? [[field, message]] : [];
    }),
  );
}
