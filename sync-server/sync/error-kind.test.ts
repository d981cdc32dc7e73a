import { expect, test } from 'vitest';
import { describeError, errorKindOf, sqlState } from './error-kind.ts';

const sqlError = (code: unknown, message = 'Key (email)=(aroha@example.nz) already exists') =>
  Object.assign(new Error(message), { code });

test.each([
  ['an SQLSTATE', sqlError('22003'), '22003'],
  ['one behind wrappers', new Error('outer', { cause: new Error('inner', { cause: sqlError('40001') }) }), '40001'],
  ['a code that only begins like one', sqlError('22003X'), undefined],
  ['a code that only ends like one', sqlError('X22003'), undefined],
  ['Node’s own code', sqlError('ECONNRESET'), undefined],
  ['a number', sqlError(22_003), undefined],
  ['no error at all', 'a text', undefined],
])('the SQLSTATE of %s', (_what, error, state) => {
  expect(sqlState(error)).toBe(state);
});

test.each([
  ['22003', 'data'],
  ['22P05', 'data'],
  ['23505', 'unknown'],
  ['XX022', 'unknown'],
  ['40001', 'transient'],
])('%s is an error of the kind: %s', (state, kind) => {
  expect(errorKindOf(sqlError(state))).toBe(kind);
});

test('what is no error of the database is unknown', () => {
  expect([errorKindOf(new TypeError('x')), errorKindOf('x'), errorKindOf(undefined)]).toEqual([
    'unknown',
    'unknown',
    'unknown',
  ]);
});

test('an operator reads kind and place, of the cause too, and no word of a person', () => {
  const cause = sqlError('23505');
  cause.stack = 'Error: Key (email)=(aroha@example.nz)\n    at insert (db.ts:1:2)\nDetail: aroha at example.nz';
  const error = new TypeError('aroha@example.nz', { cause });
  error.stack = [
    'TypeError: aroha@example.nz',
    ...[1, 2, 3, 4, 5, 6].map((at) => `    at step${at} (a.ts:${at}:1)`),
  ].join('\n');
  expect(describeError(error)).toBe(
    [
      'TypeError 23505',
      ...[1, 2, 3, 4, 5].map((at) => `at step${at} (a.ts:${at}:1)`),
      'caused by Error 23505',
      'at insert (db.ts:1:2)',
    ].join(' | '),
  );
});

test('an error without a place, a code or a cause is its name; what is no error is its type', () => {
  const bare = new RangeError('x');
  delete bare.stack;
  expect([describeError(bare), describeError('secret'), describeError(undefined)]).toEqual([
    'RangeError',
    'string',
    'undefined',
  ]);
});
