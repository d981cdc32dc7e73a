import { expect, it } from 'vitest';
import { createPayloadCache } from './payload-cache.ts';

function open() {
  let now = Date.UTC(2026, 10, 21);
  let checks = 0;
  let isKeyThere = true;
  const exp = now / 1_000 + 90;
  const read = createPayloadCache(
    (token) => {
      checks += 1;
      return isKeyThere && now < exp * 1_000
        ? Promise.resolve({ sub: token, exp })
        : Promise.reject(new Error('does not count'));
    },
    () => new Date(now),
  );
  return {
    read,
    checks: () => checks,
    pass: (ms: number) => void (now += ms),
    withdraw: () => void (isKeyThere = false),
  };
}

it('checks a token once, and each token for itself', async () => {
  const { read, checks } = open();
  expect([await read('one'), await read('one'), await read('two')]).toMatchObject([
    { sub: 'one' },
    { sub: 'one' },
    { sub: 'two' },
  ]);
  expect(checks()).toBe(2);
});

it('trusts a verified signature for a minute, and never past the token’s expiry', async () => {
  const { read, checks, pass, withdraw } = open();
  await read('one');
  pass(59_999);
  await read('one');
  expect(checks()).toBe(1);
  pass(1);
  await read('one');
  expect(checks()).toBe(2);
  withdraw();
  pass(29_999);
  await read('one');
  pass(1);
  await expect(read('one')).rejects.toThrow('does not count');
});

it('caches no invalid token, and nothing from a clock that was set back', async () => {
  const { read, checks, pass, withdraw } = open();
  await read('one');
  pass(-1);
  await read('one');
  expect(checks()).toBe(2);
  withdraw();
  await expect(read('two')).rejects.toThrow();
  await expect(read('two')).rejects.toThrow();
  expect(checks()).toBe(4);
});
