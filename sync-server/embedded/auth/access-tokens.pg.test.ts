import { decodeJwt, exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import type { CryptoKey } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day } from '../../../shared/lib/durations.ts';
import { openEmbeddedHarness } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { embedded } from '../embedded-tables.ts';

describe.each(usualDatabase)('access tokens on %s', (kind) => {
  let harness: EmbeddedHarness;
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
  });
  afterAll(() => harness.close());
  const getUser = (token: string) => harness.client().auth.getUser(token);

  it('an access token ends with its session, though it is not yet past its own time', async () => {
    const { id, token } = await harness.person();
    const sessions = embedded(harness.database.sql).updateTable('sessions').where('user_id', '=', id);
    await sessions.set({ created_at: new Date(harness.now().getTime() - 365 * day) }).execute();
    expect((await getUser(token)).error?.name).toBe('AuthSessionMissingError');
    expect(await harness.auth.verifyToken(token)).toBeUndefined();
  });

  it('belongs to its person: a token that names another person’s session is invalid', async () => {
    const [{ token }, { token: stolen }] = [await harness.person(), await harness.person()];
    const { sub } = decodeJwt(token);
    const session = String(decodeJwt(stolen)['session_id']);
    await embedded(harness.database.sql)
      .updateTable('sessions')
      .set({ user_id: sub! })
      .where('id', '=', session)
      .execute();
    harness.pass(5001);
    expect((await getUser(stolen)).error?.name).toBe('AuthSessionMissingError');
    expect(await harness.auth.verifyToken(stolen)).toBeUndefined();
    expect(await harness.auth.verifyToken(token)).toMatchObject({ userId: sub });
  });

  it('rejects every forged access token', async () => {
    const { token, id } = await harness.person();
    const claims = decodeJwt(token);
    const [key] = harness.auth.jwks.keys;
    const pem = await exportSPKI((await importJWK(key!, 'ES256', { extractable: true })) as CryptoKey);
    const [header, body, signature] = token.split('.');
    const other = Buffer.from(JSON.stringify({ ...claims, sub: '00000000-0000-4000-8000-000000000000' })).toString(
      'base64url',
    );
    const hs256 = (secret: string) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: key!.kid! }).sign(new TextEncoder().encode(secret));
    const forged = [
      `${header}.${other}.${signature}`,
      `${header}.${body}.${signature?.split('').reverse().join('')}`,
      new UnsecuredJWT(claims).encode(),
      await hs256(pem),
      await hs256(JSON.stringify(key)),
      await hs256(harness.auth.anonKey),
      'not.a.token',
      harness.auth.anonKey,
    ];
    for (const bad of forged) {
      const response = await fetch(`${harness.url}/auth/v1/user`, {
        headers: { Authorization: `Bearer ${bad}`, 'X-Supabase-Api-Version': '2024-01-01' },
      });
      expect([response.status, await response.json()]).toEqual([403, { code: 'bad_jwt', message: expect.any(String) }]);
      expect(response.headers.get('x-supabase-api-version')).toBe('2024-01-01');
    }
    const none = await fetch(`${harness.url}/auth/v1/user`);
    expect([none.status, await none.json()]).toMatchObject([401, { code: 401, error_code: 'no_authorization' }]);
    expect((await getUser(token)).data.user?.id).toBe(id);
    harness.pass(3_600_001);
    expect((await getUser(token)).error).toMatchObject({ status: 403, code: 'bad_jwt' });
  });

  it('stops counting within seconds of signing out, also where only the token is checked', async () => {
    const { client, id, email, token } = await harness.person();
    expect(await harness.auth.verifyToken(token)).toEqual({
      userId: id,
      email,
      sessionId: decodeJwt(token)['session_id'],
    });
    await client.auth.signOut();
    expect(await harness.auth.verifyToken(token)).toBeUndefined();

    const { id: other, token: elsewhere } = await harness.person();
    expect(await harness.auth.verifyToken(elsewhere)).toMatchObject({ userId: other });
    await harness.database.sql.deleteFrom('embedded.sessions').where('user_id', '=', other).execute();
    harness.pass(5001);
    expect(await harness.auth.verifyToken(elsewhere)).toBeUndefined();
  });

  it('lets clients check tokens with the published key alone', async () => {
    const { client, id } = await harness.person();
    const { data } = await client.auth.getClaims();
    expect(data?.claims.sub).toBe(id);
    expect(data?.header).toMatchObject({ alg: 'ES256', kid: harness.auth.jwks.keys[0]?.kid });
    const response = await fetch(`${harness.url}/auth/v1/.well-known/jwks.json`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=600');
    const published = (await response.json()) as { keys: object[] };
    expect(published.keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'crv', 'key_ops', 'kid', 'kty', 'use', 'x', 'y'],
    ]);
  });
});
