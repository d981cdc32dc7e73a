import { Agent, request } from 'node:http';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day, minute } from '../../../shared/lib/durations.ts';
import { openEmbeddedHarness, password } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { createLog } from '../../lib/log.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { createEmbeddedAuth } from './embedded-auth.ts';

describe.each(usualDatabase)('sessions on %s', (kind) => {
  let harness: EmbeddedHarness;
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
  });
  afterAll(() => harness.close());

  const refresh = (token: string) => harness.client().auth.refreshSession({ refresh_token: token });
  const getUser = (token: string) => harness.client().auth.getUser(token);
  async function refreshToken() {
    const { client } = await harness.person();
    return (await client.auth.getSession()).data.session?.refresh_token ?? '';
  }

  it('answers a wrong password and an unknown address alike', async () => {
    const { email } = await harness.person();
    const wrong = await harness.client().auth.signInWithPassword({ email, password: 'wrong-password' });
    const unknown = await harness.client().auth.signInWithPassword({ email: 'nobody@example.nz', password });
    expect(wrong.error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    });
    expect(unknown.error).toEqual(wrong.error);
  });

  it('keeps the session through a refresh [§3]', async () => {
    const { client, id, token } = await harness.person();
    harness.pass(1000);
    const { data, error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.user.id).toBe(id);
    expect(data.session?.expires_in).toBe(3600);
    // The product's field names, copied by hand.
    for (const field of ['access_token', 'refresh_token', 'expires_in', 'expires_at', 'token_type', 'user'])
      expect(data.session).toHaveProperty(field);
    expect(decodeJwt(data.session?.access_token ?? '')['session_id']).toBe(decodeJwt(token)['session_id']);
  });

  it('answers ten concurrent refreshes with the same next token', async () => {
    const token = await refreshToken();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(token)));
    expect(answers.map(({ error }) => error)).toEqual(Array.from({ length: 10 }, () => null));
    expect(new Set(answers.map(({ data }) => data.session?.refresh_token)).size).toBe(1);
  });

  it('answers a client that lost the answer with the current token again, however late', async () => {
    const first = await refreshToken();
    const second = (await refresh(first)).data.session?.refresh_token;
    harness.pass(3_600_000);
    expect((await refresh(first)).data.session?.refresh_token).toBe(second);
  });

  it('takes a token two steps old within ten seconds, and after that as stolen: the session is over', async () => {
    const first = await refreshToken();
    const second = (await refresh(first)).data.session?.refresh_token ?? '';
    const third = (await refresh(second)).data.session;
    expect((await refresh(first)).data.session?.refresh_token).toBe(third?.refresh_token);
    harness.pass(10_001);
    expect((await refresh(first)).error).toMatchObject({ status: 400, code: 'refresh_token_already_used' });
    expect((await refresh(third?.refresh_token ?? '')).error).toMatchObject({
      status: 400,
      code: 'refresh_token_not_found',
    });
    expect((await getUser(third?.access_token ?? '')).error?.name).toBe('AuthSessionMissingError');
  });

  it('rejects a made-up refresh token', async () => {
    const real = await refreshToken();
    const flipped = (real.startsWith('A') ? 'B' : 'A') + real.slice(1);
    const resigned = real.slice(0, -1) + (real.endsWith('A') ? 'B' : 'A');
    for (const token of ['x', 'a'.repeat(48), flipped, resigned, `${real}A`, 'ā'.repeat(48)]) {
      expect((await refresh(token)).error).toMatchObject({ status: 400, code: 'refresh_token_not_found' });
    }
    expect((await refresh(real)).error).toBeNull();
    expect(harness.errors).toEqual([]);
  });

  it('signs out this session, the others, or all', async () => {
    const { client: phone, email, token: phoneToken } = await harness.person();
    const [laptop, tablet] = [harness.client(), harness.client()];
    for (const device of [laptop, tablet]) await device.auth.signInWithPassword({ email, password });
    const tokenOf = async (device: typeof phone) => (await device.auth.getSession()).data.session?.access_token ?? '';
    const [laptopToken, tabletToken] = [await tokenOf(laptop), await tokenOf(tablet)];
    const alive = async () =>
      Promise.all([phoneToken, laptopToken, tabletToken].map(async (token) => (await getUser(token)).error === null));

    await laptop.auth.signOut({ scope: 'local' });
    expect(await alive()).toEqual([true, false, true]);
    await phone.auth.signOut({ scope: 'others' });
    expect(await alive()).toEqual([true, false, false]);
    await phone.auth.signOut();
    expect(await alive()).toEqual([false, false, false]);
    const odd = await fetch(`${harness.url}/auth/v1/logout?scope=galaxy`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${(await harness.person()).token}` },
    });
    expect(odd.status).toBe(400);
  });

  const tokenIn = async (device: Awaited<ReturnType<typeof harness.person>>['client']) =>
    (await device.auth.getSession()).data.session!;
  const sessionsCall = async (token: string, path = '', method = 'GET') => {
    const response = await fetch(`${harness.url}/auth/v1/sessions${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
    });
    return {
      status: response.status,
      body: response.status === 204 ? undefined : ((await response.json()) as Record<string, unknown>[]),
    };
  };

  it('changes the password of a session without a recent sign-in only with the old one', async () => {
    const { client, email } = await harness.person();
    harness.pass(15 * minute);
    await client.auth.refreshSession();
    const change = (more: object) => client.auth.updateUser({ password: 'brand-new-password', ...more });
    expect((await change({})).error).toMatchObject({ status: 400, code: 'reauthentication_needed' });
    expect((await change({ current_password: 'wrong-password' })).error).toMatchObject({
      status: 400,
      code: 'current_password_mismatch',
    });
    expect((await change({ nonce: '000000' })).error).toMatchObject({
      status: 422,
      code: 'reauthentication_not_valid',
    });
    expect((await harness.client().auth.signInWithPassword({ email, password })).error).toBeNull();
    expect((await change({ current_password: password })).error).toBeNull();
    expect(
      (await harness.client().auth.signInWithPassword({ email, password: 'brand-new-password' })).error,
    ).toBeNull();
  });

  it('takes a mailed code in place of the old password, once', async () => {
    const { client, email } = await harness.person();
    harness.pass(15 * minute);
    await client.auth.refreshSession();
    expect((await client.auth.reauthenticate()).error).toBeNull();
    const [mail] = await harness.mailbox.list();
    expect(mail).toMatchObject({ to: email, subject: 'Your Dwang code', links: [] });
    const nonce = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
    expect((await client.auth.updateUser({ password: 'brand-new-password', nonce })).error).toBeNull();
    expect((await client.auth.updateUser({ password: 'yet-another-password', nonce })).error?.code).toBe(
      'reauthentication_not_valid',
    );
  });

  it('does not let a found phone guess the old password for ever', async () => {
    const { client } = await harness.person();
    harness.pass(15 * minute);
    await client.auth.refreshSession();
    const codes = [];
    for (let at = 0; at < 11; at += 1)
      codes.push(
        (await client.auth.updateUser({ password: 'brand-new-password', current_password: `wrong-password-${at}` }))
          .error?.code,
      );
    expect(codes).toEqual([...Array<string>(10).fill('current_password_mismatch'), 'over_request_rate_limit']);
  });

  it('ends where it is not used for sixty days, and a year after the sign-in however much it is used', async () => {
    const { client: idle } = await harness.person();
    const kept = await tokenIn(idle);
    harness.pass(60 * day);
    expect((await refresh(kept.refresh_token)).error).toMatchObject({ status: 400, code: 'session_expired' });
    expect((await refresh(kept.refresh_token)).error).toMatchObject({ status: 400, code: 'refresh_token_not_found' });

    const { client: busy } = await harness.person();
    for (let month = 0; month < 12; month += 1) {
      harness.pass(30 * day);
      expect((await busy.auth.refreshSession()).error).toBeNull();
    }
    const last = await tokenIn(busy);
    harness.pass(5 * day);
    expect((await refresh(last.refresh_token)).error).toMatchObject({ status: 400, code: 'session_expired' });
  });

  it('shows a person their devices, and signs out one, theirs alone', async () => {
    const { email, token } = await harness.person();
    const phone =
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
    harness.pass(3_600_000 / 2);
    const signedIn = await fetch(`${harness.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'User-Agent': phone },
      body: JSON.stringify({ email, password }),
    });
    const { access_token: onPhone } = (await signedIn.json()) as { access_token: string };
    const { status, body = [] } = await sessionsCall(token);
    expect(status).toBe(200);
    expect(body.map(({ device, is_current: isCurrent }) => [device, isCurrent])).toEqual([
      ['', true],
      ['Chrome on Android', false],
    ]);
    expect(JSON.stringify(body)).not.toMatch(/Mozilla|Pixel|secret|refresh/);
    const [, other] = body;
    expect(Object.keys(other!).sort()).toEqual(['created_at', 'device', 'id', 'is_current', 'last_used_at']);

    const { token: stranger } = await harness.person();
    for (const id of [String(other!['id']), 'x', crypto.randomUUID()])
      expect((await sessionsCall(stranger, `/${id}`, 'DELETE')).status).toBe(404);
    expect((await getUser(onPhone)).error).toBeNull();
    expect((await sessionsCall(token, `/${String(other!['id'])}`, 'DELETE')).status).toBe(204);
    expect((await getUser(onPhone)).error?.name).toBe('AuthSessionMissingError');
    expect((await sessionsCall(token)).body).toHaveLength(1);
    expect((await sessionsCall(token, `/${String(other!['id'])}`, 'DELETE')).status).toBe(404);
  });

  it('merges metadata, and lets no client write the server’s own fields', async () => {
    const { client, email } = await harness.person();
    await client.auth.updateUser({ data: { a: 1, b: 2 } });
    const { data } = await client.auth.updateUser({ data: { b: null, c: 3 } });
    expect(data.user?.user_metadata).toEqual({ a: 1, c: 3 });
    expect((await client.auth.updateUser({ email: 'other@example.nz' })).error).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    expect((await client.auth.updateUser({ email, data: {} })).error).toBeNull();
    const session = (await client.auth.getSession()).data.session;
    const response = await fetch(`${harness.url}/auth/v1/user`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${session?.access_token}` },
      body: '{"app_metadata":{"role":"admin"}}',
    });
    expect(await response.json()).toMatchObject({ code: 403, error_code: 'not_admin' });
  });

  it('keeps every session over a restart', async () => {
    const { client } = await harness.person();
    const log = createLog('silent');
    const restarted = await createEmbeddedAuth({
      database: harness.database,
      mailer: harness.mailbox,
      clock: harness.now,
      log,
      publicUrl: () => harness.url,
    });
    expect(restarted.jwks).toEqual(harness.auth.jwks);
    expect(restarted.anonKey).toBe(harness.auth.anonKey);
    expect((await client.auth.refreshSession()).error).toBeNull();
  });

  it("answers what it cannot read in the client's own words", async () => {
    const post = async (path: string, body: string) => {
      const response = await fetch(`${harness.url}/auth/v1${path}`, { method: 'POST', body });
      return [response.status, ((await response.json()) as { error_code: string }).error_code];
    };
    expect(await post('/token?grant_type=password', '{')).toEqual([400, 'bad_json']);
    expect(await post('/token?grant_type=password', '[]')).toEqual([400, 'bad_json']);
    expect(await post('/token?grant_type=password', `${'['.repeat(20_000)}`)).toEqual([400, 'bad_json']);
    expect(await post('/token?grant_type=password', '{}')).toEqual([400, 'validation_failed']);
    expect(await post('/token?grant_type=id_token', '{}')).toEqual([400, 'invalid_credentials']);
    expect(await post('/signup', 'x'.repeat(32 * 1024 + 1))).toEqual([413, 'request_entity_too_large']);
    expect(harness.errors).toEqual([]);
  });

  it('answers the next request on a connection whose last one was too large', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (body: string) =>
      new Promise<{ status: number | undefined; port: number | undefined }>((resolve, reject) => {
        const sent = request(`${harness.url}/auth/v1/signup`, { method: 'POST', agent }, (answer) => {
          const port = answer.socket.localPort;
          answer.resume().on('end', () => resolve({ status: answer.statusCode, port }));
        });
        sent.on('error', reject).end(body);
      });
    const first = await ask('x'.repeat(300_000));
    const second = await ask('{');
    expect([first.status, second.status]).toEqual([413, 400]);
    expect(second.port).toBe(first.port);
    agent.destroy();
  });
});
