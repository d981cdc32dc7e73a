import { describe, expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

const cheap = { logN: 4, r: 8, p: 1 };

describe('passwords', () => {
  it('are kept as salted scrypt hashes with their cost', async () => {
    const passwords = createPasswords();
    const [one, two] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
    expect(one).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(two);
    expect(await passwords.verify('secret', one)).toBe(true);
    expect(await passwords.verify('secreT', one)).toBe(false);
  });

  it('still fit after the cost was raised', async () => {
    const old = await createPasswords({ cost: cheap }).hash('secret');
    expect(await createPasswords({ cost: { ...cheap, logN: 5 } }).verify('secret', old)).toBe(true);
  });

  it('never fit an account that is not there', async () => {
    expect(await createPasswords({ cost: cheap }).verify('', null)).toBe(false);
  });

  it('cost as much for an account that is not there: it takes its place in the line', async () => {
    const passwords = createPasswords({ cost: cheap, parallel: 1, waiting: 0 });
    const nobody = passwords.verify('secret', null);
    await expect(passwords.hash('other')).rejects.toMatchObject({ status: 429 });
    expect(await nobody).toBe(false);
  });

  it('wait in line, and are turned away where the line is full', async () => {
    const passwords = createPasswords({ cost: cheap, parallel: 1, waiting: 2 });
    const answers = await Promise.allSettled(['a', 'b', 'c', 'd'].map((secret) => passwords.hash(secret)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(answers[3]).toMatchObject({ reason: { status: 429, code: 'over_request_rate_limit' } });
    expect(await passwords.hash('later')).toMatch(/^scrypt/);
  });
});
