import { describe, expect, it } from 'vitest';
import { hideSecrets, maxFieldLength } from './hide-secrets.ts';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  for (const line of lines) JSON.parse(line);
  return lines.join('');
}

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

describe('the log', () => {
  it.each([
    ['an e-mail address', 'Key (email)=(mere.tane+x@dwang.example.nz) already exists', 'mere.tane'],
    ['a bearer token', 'authorization: Bearer abc.def-123', 'abc.def'],
    ['a bare JWT', `bad token ${jwt}`, jwt],
    ['a token with something before it', `bad.token-${jwt}`, 'eyJzdWIiOiIxIn0'],
    ['an address as it stands in a path', 'GET /x/mere.tane%40dwang.example.nz', 'mere.tane'],
    ['a token in a link', 'GET /auth/v1/verify?type=signup&token=5f1c9', '5f1c9'],
    ['a mobile number', 'call 021 123 4567 now', '4567'],
    ['an international number', 'call +64 21 123 4567 now', '4567'],
    ['a stored number', '"+64211234567"', '1234567'],
    ['a password in an address', 'postgres://dwang:hunter2@db.internal:5432/dwang', 'hunter2'],
    ['a key to everybody’s files', 'refused with sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz', 'Uodkm0Hg'],
    ['a checkout, which its holder may pay', 'cs_test_a1B2c3 is open', 'a1B2c3'],
    ['a payment key', 'sk_test_51Habc', '51Habc'],
  ])('hides %s', (_, text, secret) => {
    expect(hideSecrets(text)).not.toContain(secret);
    expect(hideSecrets(text)).toContain('[hidden]');
    const failure = new Error(text, { cause: new Error(text) });
    expect(logged((log) => log.error({ err: failure, note: text, deep: { er: [text] } }, text))).not.toContain(secret);
    expect(logged((log) => log.error(failure))).not.toContain(secret);
    expect(logged((log) => log.child({ note: text }).info('x'))).not.toContain(secret);
  });

  it('hides fields by their name', () => {
    const line = logged((log) =>
      log.info({ email: 'kiri', user: { phone: 'five', password: 'p4ss' }, a: { b: { token: 't0k' } } }, 'x'),
    );
    for (const secret of ['kiri', 'five', 'p4ss', 't0k']) expect(line).not.toContain(secret);
  });

  it('keeps what an operator needs', () => {
    const text =
      '{"at":"2026-11-21T00:21:12.345Z","requestId":"0193a5b1-0212-7021-8021-021234567890","path":"/api/jobs/018f","status":503,"ms":1763725951535,"nzbn":"9429040402543"} at node_modules/@koa/router/dist/index.mjs:12';
    expect(hideSecrets(text)).toBe(text);
  });

  it('shortens long texts from clients before it searches them, and leaves no half of a secret', () => {
    const email = 'hinemoa.tuhoe@example.nz';
    const long = `${'kia ora '.repeat(maxFieldLength / 8 - 1)}${email} and more`;
    for (const line of [
      logged((log) => log.info({ path: `/${'eyJ-'.repeat(4_000)}`, note: long, deep: { er: [long] } }, long)),
      logged((log) => log.error(new Error(long))),
    ]) {
      expect(line).toContain('characters]');
      expect(line).not.toMatch(/hinemoa|eyJ-/);
      expect(line.split('\n')).toHaveLength(2);
    }
    const all = JSON.parse(logged((log) => log.info({ path: 'x'.repeat(20_000), other: 7 }, 'request'))) as object;
    expect(all).toMatchObject({ path: ' [20000 characters]', other: 7, msg: 'request' });
  });
});
