import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noIpLimits, openEmbeddedHarness, password } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { createRateLimits } from './rate-limits.ts';

describe.each(usualDatabase)('rate limits on %s', (kind) => {
  let harness: EmbeddedHarness;
  beforeAll(async () => {
    const tight = {
      signUpByIp: { burst: 2, everyMs: 60_000 },
      signInByEmailAndIp: { burst: 3, everyMs: 10_000 },
      signInByDevice: { burst: 3, everyMs: 10_000 },
      signInByEmail: { burst: 14, everyMs: 60_000 },
      codeByAll: { burst: 10, everyMs: 30_000 },
    };
    harness = await openEmbeddedHarness(kind, { ...noIpLimits, ...tight });
  });
  afterAll(() => harness.close());

  it('allow a burst, then one at a time, and say how long to wait', async () => {
    let now = Date.parse('2026-11-20T00:00:00Z');
    const limits = createRateLimits({
      database: harness.database,
      clock: () => new Date(now),
      rules: { signInByIp: { burst: 3, everyMs: 1000 } },
    });
    const take = () => limits.take('signInByIp', '192.0.2.1');
    expect([await take(), await take(), await take()]).toEqual([0, 0, 0]);
    expect(await take()).toBe(1000);
    now += 400;
    expect(await take()).toBe(600);
    now += 600;
    expect([await take(), await take()]).toEqual([0, 1000]);
    expect(await limits.take('signInByIp', '192.0.2.2')).toBe(0);
    await limits.forgive('signInByIp', '192.0.2.1');
    expect(await take()).toBe(0);
    now += 86_400_000;
    expect([await take(), await take(), await take(), await take()]).toEqual([0, 0, 0, 1000]);
  });

  it('count exactly under concurrent requests', async () => {
    const limits = createRateLimits({
      database: harness.database,
      clock: harness.now,
      rules: { uploadByUser: { burst: 5, everyMs: 3_600_000 } },
    });
    const answers = await Promise.all(Array.from({ length: 30 }, () => limits.take('uploadByUser', 'crowd')));
    expect(answers.filter((wait) => wait === 0)).toHaveLength(5);
  });

  const guess = (email: string, secret: string, address: string, cookie = '') =>
    fetch(`${harness.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': address, cookie },
      body: JSON.stringify({ email, password: secret }),
    });

  it('stop guessing at one account from one place, and let it try again later', async () => {
    const { email } = await harness.person();
    for (let at = 0; at < 3; at += 1) expect((await guess(email, 'wrong-password', '192.0.2.1')).status).toBe(400);
    const refused = await guess(email, password, '192.0.2.1');
    expect([refused.status, await refused.json()]).toMatchObject([429, { error_code: 'over_request_rate_limit' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    harness.pass(10_001);
    expect((await guess(email, password, '192.0.2.1')).status).toBe(200);
    for (let at = 0; at < 3; at += 1) expect((await guess(email, 'wrong-password', '192.0.2.1')).status).toBe(400);
  });

  it('a client that keeps failing locks out only its own address block', async () => {
    const { email } = await harness.person();
    for (let at = 0; at < 12; at += 1) await guess(email, 'wrong-password', '2001:db8:1:2::' + at);
    expect((await guess(email, password, '2001:db8:1:2::99')).status).toBe(429);
    expect((await guess(email, password, '198.51.100.7')).status).toBe(200);
  });

  it('a device that has signed in before gets in while clients everywhere guess at the account', async () => {
    const { email } = await harness.person();
    const first = await guess(email, password, '198.51.100.8');
    const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0]!;
    const strangers = [];
    for (let at = 0; at < 16; at += 1) strangers.push((await guess(email, 'wrong-password', `203.0.113.${at}`)).status);
    expect(strangers.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect((await guess(email, password, '198.51.100.9')).status).toBe(429);
    expect((await guess(email, password, '198.51.100.9', cookie)).status).toBe(200);
    const { email: other } = await harness.person();
    for (let at = 0; at < 16; at += 1) await guess(other, 'wrong-password', `203.0.113.${at}`);
    expect((await guess(other, password, '198.51.100.9', cookie)).status).toBe(429);
    for (let at = 0; at < 3; at += 1)
      expect((await guess(email, 'wrong-password', '198.51.100.9', cookie)).status).toBe(400);
    expect((await guess(email, password, '198.51.100.9', cookie)).status).toBe(429);
  });

  it('sixty right sign-ins in a row lock no client out', async () => {
    const { email } = await harness.person();
    for (let at = 0; at < 60; at += 1) expect((await guess(email, password, `198.51.100.${at}`)).status).toBe(200);
  });

  it('bound guesses at codes over all accounts together', async () => {
    const code = (email: string, at: number) =>
      fetch(`${harness.url}/auth/v1/verify`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': `203.0.113.${at}` },
        body: JSON.stringify({ type: 'recovery', email, token: '123456' }),
      }).then(({ status }) => status);
    const statuses = [];
    for (let at = 0; at < 12; at += 1) statuses.push(await code(`victim-${at}@example.nz`, at));
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429, 429]);
    harness.pass(30_001);
    expect(await code('victim-20@example.nz', 20)).toBe(403);
  });

  it('stop one address from signing up the town', async () => {
    const signUp = (at: number) => harness.client().auth.signUp({ email: `many-${at}@example.nz`, password });
    expect([(await signUp(1)).error, (await signUp(2)).error]).toEqual([null, null]);
    expect((await signUp(3)).error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
  });

  it('count a client address before its body is looked at, at every call that takes one', async () => {
    const two = { burst: 2, everyMs: 3_600_000 };
    const names = ['signInByIp', 'signUpByIp', 'recoverByIp', 'verifyByIp', 'refreshByIp', 'updateByIp'] as const;
    const strict = await openEmbeddedHarness(kind, Object.fromEntries(names.map((name) => [name, two])));
    const { token } = await strict.person();
    const calls = [
      'POST signup',
      'POST token?grant_type=password',
      'POST token?grant_type=refresh_token',
      'POST recover',
      'POST resend',
      'POST verify',
      'PUT user',
    ];
    for (const [at, call] of calls.entries()) {
      const [method = '', path = ''] = call.split(' ');
      const headers = { 'X-Forwarded-For': `192.0.2.${at + 1}`, Authorization: `Bearer ${token}` };
      const send = async () =>
        (await fetch(`${strict.url}/auth/v1/${path}`, { method, headers, body: '{"half' })).status;
      expect([call, await send(), await send(), await send()]).toEqual([call, 400, 400, 429]);
    }
    await strict.close();
  });

  it('keep no address in clear', async () => {
    const { rows } = await harness.database.sql
      .selectFrom('embedded.rate_limits')
      .selectAll()
      .execute()
      .then((all) => ({ rows: JSON.stringify(all) }));
    expect(rows).toContain('signUpByIp:');
    expect(rows).not.toMatch(/@|127\.0\.0\.1|192\.0\.2/);
  });
});
