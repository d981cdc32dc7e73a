import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day } from '../../../shared/lib/durations.ts';
import { follow, openEmbeddedHarness, password } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';

describe.each(usualDatabase)('mailed links and codes on %s', (kind) => {
  let harness: EmbeddedHarness;
  let count = 0;
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
  });
  afterAll(() => harness.close());
  const expired = 'otp_expired';

  async function signedUp() {
    const email = `link-${(count += 1)}@example.nz`;
    const { error } = await harness.client().auth.signUp({ email, password });
    if (error) throw error;
    return { email, link: await harness.linkFor(email) };
  }

  async function codeFor(email: string) {
    const mail = (await harness.mailbox.list()).find(({ to }) => to === email);
    return /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
  }

  it('works once', async () => {
    const { link } = await signedUp();
    expect((await follow(link)).fragment.get('access_token')).not.toBeNull();
    const again = await follow(link);
    expect(again.status).toBe(303);
    expect(again.location.hash).toBe(
      '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
    );
  });

  it('is not for another purpose, not for ever, and not to be guessed', async () => {
    const { link } = await signedUp();
    expect((await follow(link.replace('type=signup', 'type=recovery'))).fragment.get('error_code')).toBe(expired);
    expect((await follow(link.replace('type=signup', 'type=magiclink'))).fragment.get('error_code')).toBe(expired);
    expect((await follow(`${harness.url}/auth/v1/verify`)).fragment.get('error_code')).toBe(expired);
    harness.pass(day + 1000);
    expect((await follow(link)).fragment.get('error_code')).toBe(expired);
  });

  it('is not spent by those who only look: HEAD and prefetch', async () => {
    const { link } = await signedUp();
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(204);
    expect((await follow(link, { 'Sec-Purpose': 'prefetch' })).status).toBe(204);
    expect((await follow(link)).fragment.get('access_token')).not.toBeNull();
  });

  it('outlives a mail scanner that opened it first, but not its own use', async () => {
    const { link } = await signedUp();
    const from = (address: string) => follow(link, { 'X-Forwarded-For': address });
    const scanned = (await from('203.0.113.1')).fragment;
    expect(scanned.get('access_token')).not.toBeNull();
    expect((await from('203.0.113.1')).fragment.get('error_code')).toBe(expired);
    const opened = (await from('198.51.100.7')).fragment;
    expect(opened.get('access_token')).not.toBeNull();
    expect((await harness.client().auth.getUser(scanned.get('access_token') ?? '')).error?.name).toBe(
      'AuthSessionMissingError',
    );
    expect((await harness.client().auth.getUser(opened.get('access_token') ?? '')).error).toBeNull();
    expect((await from('192.0.2.9')).fragment.get('error_code')).toBe(expired);
    expect((await harness.client().auth.getUser(opened.get('access_token') ?? '')).error).toBeNull();
  });

  it('resets a password without the old one, and ends the other sessions [§1]', async () => {
    const { email } = await harness.person();
    const redirectTo = `${harness.url}/edit-account`;
    expect(await harness.client().auth.resetPasswordForEmail(email, { redirectTo })).toMatchObject({
      data: {},
      error: null,
    });
    const { location, fragment } = await follow(await harness.linkFor(email));
    // No page asks for one: a mail that names a code would send the person looking for it.
    expect(await codeFor(email)).toBe('');
    expect(location.pathname).toBe('/edit-account');
    expect(fragment.get('type')).toBe('recovery');
    const device = harness.client();
    await device.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    });
    const other = harness.client();
    const kept = (await other.auth.signInWithPassword({ email, password })).data.session;

    expect((await device.auth.updateUser({ password })).error).toMatchObject({ status: 422, code: 'same_password' });
    expect((await device.auth.updateUser({ password: 'tiny' })).error).toMatchObject({ name: 'AuthWeakPasswordError' });
    expect((await device.auth.updateUser({ password: 'brand-new-password' })).error).toBeNull();
    expect((await device.auth.getUser()).error).toBeNull();
    expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await other.auth.refreshSession({ refresh_token: kept?.refresh_token ?? '' })).error?.code).toBe(
      'refresh_token_not_found',
    );
    expect((await harness.client().auth.signInWithPassword({ email, password })).error?.code).toBe(
      'invalid_credentials',
    );
    expect(
      (await harness.client().auth.signInWithPassword({ email, password: 'brand-new-password' })).error,
    ).toBeNull();
  });

  it('answers recovery and resend alike for the known, the confirmed and the unknown', async () => {
    const { email: unconfirmed } = await signedUp();
    const { email: confirmed } = await harness.person('confirmed@example.nz');
    harness.pass(61_000);
    for (const email of [unconfirmed, confirmed, 'nobody@example.nz']) {
      const auth = harness.client().auth;
      const mails = (await harness.mailbox.list()).length;
      expect(await auth.resetPasswordForEmail(email)).toEqual({ data: {}, error: null });
      expect((await auth.resetPasswordForEmail(email)).error).toMatchObject({
        status: 429,
        code: 'over_email_send_rate_limit',
      });
      expect(await harness.mailbox.list()).toHaveLength(mails + (email === confirmed ? 1 : 0));
      expect((await auth.resend({ type: 'signup', email })).error).toBeNull();
      expect((await auth.resend({ type: 'signup', email })).error).toMatchObject({
        status: 429,
        code: 'over_email_send_rate_limit',
      });
      expect(await harness.mailbox.list()).toHaveLength(
        mails + { [unconfirmed]: 1, [confirmed]: 1, 'nobody@example.nz': 0 }[email]!,
      );
    }
  });

  it('takes the code in place of the link, five tries, and after those the link alone', async () => {
    const { email } = await signedUp();
    const code = await codeFor(email);
    const wrong = code === '000000' ? '000001' : '000000';
    const device = harness.client();
    expect((await device.auth.verifyOtp({ type: 'signup', email, token: wrong })).error).toMatchObject({
      status: 403,
      code: expired,
    });
    const { data, error } = await device.auth.verifyOtp({ type: 'email', email, token: code });
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    expect((await device.auth.verifyOtp({ type: 'signup', email, token: code })).error?.code).toBe(expired);

    const { email: guessed, link } = await signedUp();
    const right = await codeFor(guessed);
    for (let tries = 0; tries < 5; tries += 1)
      await device.auth.verifyOtp({ type: 'signup', email: guessed, token: right === '000000' ? '000001' : '000000' });
    expect((await device.auth.verifyOtp({ type: 'signup', email: guessed, token: right })).error?.code).toBe(
      'over_request_rate_limit',
    );
    expect((await follow(link)).fragment.get('access_token')).not.toBeNull();
  });

  it('takes the token of the link as token_hash, once', async () => {
    const { link } = await signedUp();
    const hash = { type: 'signup', token_hash: new URL(link).searchParams.get('token') ?? '' } as const;
    expect((await harness.client().auth.verifyOtp(hash)).data.session?.token_type).toBe('bearer');
    expect((await harness.client().auth.verifyOtp(hash)).error?.code).toBe(expired);
  });
});
