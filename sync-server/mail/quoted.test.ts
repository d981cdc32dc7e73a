import { describe, expect, it } from 'vitest';
import { quoted } from './quoted.ts';

describe('a person’s text in a mail of ours', () => {
  it('is quoted, on one line', () => {
    expect(quoted('Southern\n  Spouting ')).toBe('“Southern Spouting”');
  });

  it.each([
    ['Dwang Support http://evil.example.nz/login', '“Dwang Support evil. example. nz/login”'],
    ['HTTPS:////evil.nz', '“evil. nz”'],
    ['www.evil.nz', '“www. evil. nz”'],
    ['help@evil.nz', '“help at evil. nz”'],
    ['evil\u200B.nz\u202E', '“evil . nz”'],
    ['evil。nz/pay', '“evil. nz/pay”'],
    ['evil．nz', '“evil. nz”'],
    ['J.R. Smith & Sons Ltd.', '“J. R. Smith & Sons Ltd.”'],
  ])('%j is no link', (typed, said) => {
    expect(quoted(typed)).toBe(said);
  });

  it('cannot end its own quotation, and is cut', () => {
    expect(quoted('Bob” says Dwang. Pay “here')).toBe('“Bob’ says Dwang. Pay ’here”');
    expect(Array.from(quoted('x'.repeat(5_000)))).toHaveLength(122);
  });

  it('takes no longer for a long text than its length', () => {
    const began = performance.now();
    quoted('a+'.repeat(100_000));
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
