import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { isTransient } from '../db/is-transient.ts';
import { createVerifyToken, hostedRules } from './verify-token.ts';

const url = 'https://project.example';
const userId = '018f3a5e-0000-7000-8000-000000000001';
const sessionId = '018f3a5e-0000-7000-8000-000000000002';
const now = new Date('2026-11-20T00:00:00Z');
const seconds = now.getTime() / 1000;
const good = {
  iss: `${url}/auth/v1`,
  aud: 'authenticated',
  role: 'authenticated',
  sub: userId,
  email: 'a@example.nz',
  session_id: sessionId,
  exp: seconds + 60,
  iat: seconds,
};
const secret = 'a-secret-of-the-project-that-is-long-enough';
const claims = { userId, email: 'a@example.nz', sessionId };

describe('tokens of a hosted project', () => {
  let pair: Awaited<ReturnType<typeof generateKeyPair>>;
  let keySet: string;
  let isAway = false;
  let fetched = 0;
  beforeAll(async () => {
    pair = await generateKeyPair('ES256', { extractable: true });
    keySet = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }] });
  });

  function world(jwtSecret?: string, at = () => now) {
    isAway = false;
    fetched = 0;
    const fetchKeys = async (address: string) => {
      fetched += 1;
      if (isAway) throw new TypeError('fetch failed');
      expect(address).toBe(`${url}/auth/v1/.well-known/jwks.json`);
      return new Response(keySet);
    };
    return createVerifyToken(hostedRules({ url, jwtSecret }, at, fetchKeys));
  }
  const sign = (payload: JWTPayload, kid = 'one') =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid }).sign(pair.privateKey);
  const hmac = (payload: JWTPayload, key: string) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key));

  it('count when the published key signed them', async () => {
    const verify = world();
    expect(await verify(await sign(good))).toEqual(claims);
    expect(await verify(await sign(good))).toEqual(claims);
    expect(fetched).toBe(1);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example/auth/v1' }],
    ['another audience', { aud: 'anon' }],
    ['no audience', { aud: undefined }],
    ['the anonymous role', { role: 'anon' }],
    ['the service role', { role: 'service_role' }],
    ['no subject', { sub: undefined }],
    ['a subject that is no id', { sub: "' or 1=1" }],
    ['no expiry', { exp: undefined }],
    ['an expiry past the leeway', { exp: seconds - 6 }],
  ])('do not count with %s', async (_, change) => {
    expect(await world()(await sign({ ...good, ...change } as JWTPayload))).toBeUndefined();
  });

  it('are valid a little longer, for clocks that differ', async () => {
    expect(await world()(await sign({ ...good, exp: seconds - 4 }))).toEqual(claims);
  });

  it('are invalid unsigned, with a foreign signature, with an unknown key, or where they are no tokens', async () => {
    const verify = world();
    const stranger = await generateKeyPair('ES256');
    const [header, , signature] = (await sign(good)).split('.');
    const forged = [
      new UnsecuredJWT(good).encode(),
      await new SignJWT(good).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(stranger.privateKey),
      await sign(good, 'two'),
      `${header}.${Buffer.from(JSON.stringify({ ...good, sub: sessionId })).toString('base64url')}.${signature}`,
      '',
      'x',
      'a.b.c',
      `${'A'.repeat(20)}.${'ā'.repeat(5)}.${'!'.repeat(5)}`,
    ];
    for (const token of forged) expect(await verify(token)).toBeUndefined();
  });

  it('are never taken from HMAC with the public key, nor from HMAC at all unless the project has a secret', async () => {
    const pem = await exportSPKI(pair.publicKey);
    for (const verify of [world(), world(secret)]) {
      expect(await verify(await hmac(good, pem))).toBeUndefined();
      expect(await verify(await hmac(good, keySet))).toBeUndefined();
    }
    expect(await world()(await hmac(good, secret))).toBeUndefined();
    expect(await world(secret)(await hmac(good, secret))).toEqual(claims);
    expect(await world(secret)(await sign(good))).toEqual(claims);
  });

  it('are neither right nor wrong while the keys cannot be had', async () => {
    const verify = world();
    isAway = true;
    const failure: unknown = await verify(await sign(good)).catch((cause: unknown) => cause);
    expect(isTransient(failure)).toBe(true);
    isAway = false;
    expect(await verify(await sign(good))).toEqual(claims);
  });
});

describe('tokens whose session can be checked', () => {
  it('count as long as the session is there', async () => {
    const pair = await generateKeyPair('ES256');
    const live = new Set([sessionId]);
    const verify = createVerifyToken({
      issuer: () => good.iss,
      getKey: async () => pair.publicKey,
      algorithms: ['ES256'],
      isSessionLive: async (id) => live.has(id),
      clock: () => now,
    });
    const sign = (payload: JWTPayload) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'ES256' }).sign(pair.privateKey);
    expect(await verify(await sign(good))).toEqual(claims);
    expect(await verify(await sign({ ...good, session_id: undefined }))).toBeUndefined();
    live.clear();
    expect(await verify(await sign(good))).toBeUndefined();
  });
});
