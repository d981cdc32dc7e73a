import { describe, expect, it } from 'vitest';
import { isTransient } from './is-transient.ts';

const withCode = (code: string) => Object.assign(new Error('message says nothing'), { code });

describe('isTransient', () => {
  it.each([
    '40001',
    '40P01',
    '55P03',
    '57014',
    '08006',
    '53300',
    '57P01',
    '25006',
    '53100',
    '58030',
    'ECONNREFUSED',
    'ETIMEDOUT',
  ])('takes %s for "try again"', (code) => {
    expect(isTransient(withCode(code))).toBe(true);
  });

  it.each(['23505', '42P01', '22P02', '25001', 'ENOENT', 'P0001'])('takes %s for a permanent error', (code) => {
    expect(isTransient(withCode(code))).toBe(false);
  });

  it('does not read messages', () => {
    expect(isTransient(new Error('deadlock detected, connection terminated, timeout'))).toBe(false);
  });

  it('looks behind wrappers', () => {
    expect(isTransient(new Error('flush failed', { cause: withCode('40001') }))).toBe(true);
    expect(isTransient(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]))).toBe(true);
    expect(isTransient(new Error('flush failed', { cause: withCode('23505') }))).toBe(false);
    expect(isTransient('ECONNREFUSED')).toBe(false);
  });
});
