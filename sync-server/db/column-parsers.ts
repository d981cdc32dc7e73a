import { TypeOverrides } from 'pg';

const oid = {
  int8: 20,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  textArray: 1009,
  uuidArray: 2951,
} as const;

const asText = (text: string): string => text;

/** PostgreSQL writes `2026-11-02 10:20:30.123456+00`; JavaScript keeps milliseconds and drops the rest. */
function asInstant(text: string): Date {
  const instant = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  if (Number.isNaN(instant.getTime())) throw new Error(`not an instant JavaScript can hold: ${text}`);
  return instant;
}

/**
 * How columns come into JavaScript, the same on both drivers: `timestamptz` a Date, `int8`, `numeric`, `date` and
 * `timestamp` their text (a number would lose digits, a Date would invent a time zone). The rest is what both drivers
 * do by themselves: int4 and float8 numbers, bool, json parsed, text, uuid text. `bytea` is a Uint8Array (a Buffer on
 * pg).
 */
export const columnParsers: Record<number, (text: string) => unknown> = {
  [oid.int8]: asText,
  [oid.numeric]: asText,
  [oid.date]: asText,
  [oid.timestamp]: asText,
  [oid.timestamptz]: asInstant,
};

/** Lists of texts and ids, most of them empty or of plain words, letter by letter where they are not. */
const asList =
  (parse: (text: string) => unknown) =>
  (text: string): unknown => {
    if (text === '{}') return [];
    return /^\{[^"\\{}]+\}$/.test(text) && !text.includes('NULL') ? text.slice(1, -1).split(',') : parse(text);
  };

/** The same parsers as node-postgres takes them. */
export function pgTypes(): TypeOverrides {
  const types = new TypeOverrides();
  // The driver's own reads each list letter by letter, which was a fourteenth of an exchange of 500 interests.
  for (const id of [oid.textArray, oid.uuidArray]) {
    types.setTypeParser(id, asList(types.getTypeParser(id, 'text') as unknown as (text: string) => unknown));
  }
  for (const [id, parse] of Object.entries(columnParsers)) types.setTypeParser(Number(id), parse);
  return types;
}
