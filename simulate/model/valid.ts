/* What may be written in a field: the product's rules, written down a second time. */

export type Fields = Readonly<Record<string, unknown>>;
/** A field as it is stored (trimmed, in its one form), or `undefined` where it is invalid. */
type Field = (given: unknown) => unknown;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/**
 * Control characters except tab and line ends, and lone surrogates: they cannot be typed, and no database stores them.
 */
const unkept = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isId = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);

function line(shortest: number, longest: number): Field {
  return (given) => {
    if (typeof given !== 'string') return undefined;
    const kept = given.trim();
    return kept.length < shortest || kept.length > longest || unkept.test(kept) ? undefined : kept;
  };
}

const orNull =
  (field: Field): Field =>
  (given) =>
    given === null ? null : field(given);
const oneOf =
  (...values: readonly unknown[]): Field =>
  (given) =>
    values.includes(given) ? given : undefined;

/** Dollars, two decimals at most. */
const budget: Field = (given) =>
  typeof given === 'number' && given >= 0 && given <= 9_999_999_999.99 && Number(given.toFixed(2)) === given
    ? given
    : undefined;

/** A New Zealand number as it is dialled, in its international form. */
const phone: Field = (given) => {
  const digits = typeof given === 'string' ? given.replace(/[\s()-]/g, '').replace(/^(\+64|0)/, '') : '';
  return /^[2-9]\d{7,9}$/.test(digits) ? `+64${digits}` : undefined;
};

export const note = line(0, 1_000);
/** Bucket and path, or an address that ends with them. */
export const photo = line(1, 600);

export const jobFields: Readonly<Record<string, Field>> = {
  title: line(1, 120),
  description: line(1, 5_000),
  locationId: line(1, 80),
  budgetMax: orNull(budget),
  urgency: oneOf('slow', 'soon', 'urgent'),
  categoryId: line(1, 60),
};

export const profileFields: Readonly<Record<string, Field>> = {
  businessName: line(1, 200),
  businessAddress: line(1, 300),
  contactPersonFirstName: line(0, 80),
  contactPersonLastName: line(0, 80),
  contactPhone: phone,
  description: line(0, 400),
  logo: line(0, 600),
  categoryIds: (given) =>
    Array.isArray(given) && given.every((one) => line(1, 60)(one) !== undefined) ? given : undefined,
  locationId: orNull(line(1, 80)),
};

const listOf =
  (field: Field, maxLength: number): Field =>
  (given) =>
    Array.isArray(given) && given.length <= maxLength && given.every((one) => field(one) !== undefined)
      ? given.map(field)
      : undefined;
const whole =
  (min: number, max: number): Field =>
  (given) =>
    typeof given === 'number' && Number.isSafeInteger(given) && given >= min && given <= max ? given : undefined;

export const searchFields: Readonly<Record<string, Field>> = {
  name: line(1, 60),
  categoryIds: listOf(line(1, 60), 60),
  region: orNull(line(1, 80)),
  locationId: orNull(line(1, 80)),
  withinKm: orNull(whole(1, 2_000)),
  maxBudget: orNull(whole(0, 1_000_000_000)),
  urgencies: listOf(oneOf('slow', 'soon', 'urgent'), 3),
  words: line(0, 120),
};

export const markTitle = line(1, 120);
export const preparedNote = line(1, 1_000);
/** ISO, in UTC. */
export const instant: Field = (given) =>
  typeof given === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(given) &&
  !Number.isNaN(Date.parse(given))
    ? new Date(given).toISOString()
    : undefined;

/** The given fields, as they are stored; `undefined` where one is invalid, or a required one is missing. */
export function read(
  fields: Readonly<Record<string, Field>>,
  given: unknown,
  required: readonly string[] = [],
): Fields | undefined {
  if (!isFields(given)) return undefined;
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (given[name] === undefined) {
      if (required.includes(name)) return undefined;
      continue;
    }
    kept[name] = field(given[name]);
    if (kept[name] === undefined) return undefined;
  }
  return kept;
}
