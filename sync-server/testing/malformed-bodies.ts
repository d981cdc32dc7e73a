import fc from 'fast-check';

/** Texts that have broken something somewhere. */
const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff tradie',
    '\u0007\u001b[31m',
    '\r\nBcc: all@example.nz',
    "'; drop table users; --",
    '$1',
    '%s%n',
    '{{7*7}}',
    '../../../etc/passwd',
    '__proto__',
    'constructor',
    'toString',
    'null',
    'undefined',
    'NaN',
    'true',
    '1e309',
    '-0',
    '0x10',
    '\u202Ereversed',
    'ﷺ',
    '👩‍👩‍👧‍👦',
    'ʻŌtautahi',
    '\ufeffbom',
    '\u2028\u2029',
    'javascript:alert(1)',
    'http://localhost/storage/v1/object/public/job-photos/../x',
    'southland/winton',
    'spouting',
    '["spouting"]',
    '[[[[[[',
    '9429040402543',
    '+64211234567',
    'a@b.nz',
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.integer({ min: 100, max: 70_000 }).map((length) => 'ā'.repeat(length)),
);

const oddNumber = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    1e-7,
    1e-10,
    0.001,
    0.1 + 0.2,
    1e21,
    1e308,
    9_999_999_999.99,
    9_999_999_999.999,
    Number.MAX_SAFE_INTEGER,
    2 ** 53,
    -(2 ** 31),
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

const oddLeaf: fc.Arbitrary<unknown> = fc.oneof(oddText, oddNumber, fc.boolean(), fc.constant(null));
const oddKey = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'length',
    '',
    '0',
    'id',
    'userId',
    'status',
    'toJSON',
    'then',
  ),
  fc.string({ maxLength: 12 }),
);

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddLeaf },
  { weight: 1, arbitrary: fc.array(oddLeaf, { maxLength: 60 }) },
  { weight: 1, arbitrary: fc.dictionary(oddKey, oddLeaf, { maxKeys: 8 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 8 }) },
);

/** A valid body with some fields malformed, left out, or added; also in nested objects. */
function nearly(right: Record<string, unknown>): fc.Arbitrary<unknown> {
  const places = Object.entries(right).flatMap(([key, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? [[key], ...Object.keys(value).map((inner) => [key, inner])]
      : [[key]],
  );
  const change = fc.record({
    place: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...(places.length > 0 ? places : [['extra']])) },
      { weight: 1, arbitrary: oddKey.map((key) => [key]) },
    ),
    value: fc.oneof({ weight: 5, arbitrary: oddValue }, { weight: 1, arbitrary: fc.constant(undefined) }),
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const body = structuredClone(right);
    for (const {
      place: [first, inner],
      value,
    } of changes) {
      const into = inner === undefined ? body : (body[first!] as Record<string, unknown> | null);
      if (into !== null && typeof into === 'object')
        Object.defineProperty(into, inner ?? first!, { value, enumerable: true, configurable: true, writable: true });
    }
    return body;
  });
}

const notJson = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[1,',
    'nul',
    '{"a":1}{"b":2}',
    '"\\ud800"',
    '\ufeff{}',
    '{"title":"one","title":"two"}',
    '{"__proto__":{"isAdmin":true}}',
    '['.repeat(5_000),
    '{"a":'.repeat(5_000),
  ),
  fc.integer({ min: 1, max: 200 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.string({ maxLength: 200 }),
);

/** What a call may be sent, as the text that goes over the wire. */
export function malformedBodies(right: Record<string, unknown>): fc.Arbitrary<string> {
  const json = (value: unknown) => JSON.stringify(value) ?? 'null';
  return fc.oneof(
    { weight: 6, arbitrary: nearly(right).map(json) },
    { weight: 1, arbitrary: oddValue.map(json) },
    { weight: 1, arbitrary: notJson },
    { weight: 1, arbitrary: fc.constant(json(right)) },
  );
}

/** Values in place of an id. A path of dots would be another call. */
export const malformedIds = fc.oneof(
  fc.constantFrom(
    'not-an-id',
    '__proto__',
    'null',
    '0',
    '%00',
    'a/b',
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    "1' or '1'='1",
    'ā'.repeat(1_000),
  ),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .filter((id) => id.isWellFormed() && !/^\.{1,2}$/.test(id)),
);

export const malformedQueries = fc.oneof(
  fc.constantFrom(
    '',
    '?',
    '?type=',
    '?type=my-jobs&type=my-jobs',
    '?type[]=my-jobs',
    '?__proto__=1',
    '?%',
    '?type=%00',
    '?type=%ff',
    '?&&&=',
    `?${'x'.repeat(6_000)}`,
  ),
  fc
    .string({ unit: 'grapheme', maxLength: 40 })
    .filter((text) => text.isWellFormed())
    .map((text) => `?type=${encodeURIComponent(text)}`),
);
