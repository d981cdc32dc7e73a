import { describe, expect, it } from 'vitest';
import { normalAddress } from './normal-address.ts';

describe('a mail address', () => {
  it.each([
    [' Aroha@Example.NZ ', 'aroha@example.nz'],
    ['aro\u200bha@exam\u200dple.nz', 'aroha@example.nz'],
    ['aroha\ufeff@example\u00ad.nz', 'aroha@example.nz'],
    ['\uff41roha\uff20example\u3002nz', 'aroha@example.nz'],
    ['aroha@m\u0101ori.nz', 'aroha@xn--mori-qsa.nz'],
    ['aroha@ma\u0304ori.nz', 'aroha@xn--mori-qsa.nz'],
    ['aroha@XN--MORI-QSA.nz', 'aroha@xn--mori-qsa.nz'],
    ['Pa\u0304@example.nz', 'p\u0101@example.nz'],
  ])('%j is %s', (typed, normal) => {
    expect(normalAddress(typed)).toBe(normal);
    expect(normalAddress(normal)).toBe(normal);
  });

  it('that is none stays what it is, and different people stay different', () => {
    expect(normalAddress('no-at-sign')).toBe('no-at-sign');
    expect(normalAddress('a@exa mple.nz')).toBe('a@exa mple.nz');
    expect(normalAddress('a.b@example.nz')).not.toBe(normalAddress('ab@example.nz'));
    expect(normalAddress('a+b@example.nz')).toBe('a+b@example.nz');
  });
});
