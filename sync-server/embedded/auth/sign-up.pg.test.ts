import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, openEmbeddedHouse, password } from '../../testing/embedded-house.ts';
import type { EmbeddedHouse } from '../../testing/embedded-house.ts';
import { databases } from '../../testing/test-db.ts';

describe.each(databases)('signing up on %s', (kind) => {
  let house: EmbeddedHouse;
  beforeAll(async () => {
    house = await openEmbeddedHouse(kind);
  });
  afterAll(() => house.close());
  const signUp = (email: string, secret = password) => house.client().auth.signUp({ email, password: secret });

  it('goes from form to mail to link to session', async () => {
    const device = house.client();
    const options = { emailRedirectTo: `${house.url}/dashboard?from=mail`, data: { theme: 'dark' } };
    const { data, error } = await device.auth.signUp({ email: ' Aroha@Example.NZ ', password, options });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({ email: 'aroha@example.nz', role: 'authenticated', user_metadata: { theme: 'dark' } });
    expect(data.user?.identities).toHaveLength(1);
    expect(JSON.stringify(data.user)).not.toMatch(/hash|scrypt/);

    const early = await device.auth.signInWithPassword({ email: 'aroha@example.nz', password });
    expect(early.error).toMatchObject({ status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' });

    const { status, location, fragment } = await follow(await house.linkFor('aroha@example.nz'));
    expect(status).toBe(303);
    expect(location.href.split('#')[0]).toBe(options.emailRedirectTo);
    expect(fragment.get('type')).toBe('signup');
    const session = { access_token: fragment.get('access_token') ?? '', refresh_token: fragment.get('refresh_token') ?? '' };
    const set = await device.auth.setSession(session);
    expect(set.error).toBeNull();
    expect(set.data.user?.email_confirmed_at).toBeDefined();
    expect((await device.auth.getClaims()).data?.claims).toMatchObject({ sub: data.user?.id, role: 'authenticated', aud: 'authenticated', aal: 'aal1' });
    const later = await house.client().auth.signInWithPassword({ email: 'AROHA@example.nz', password });
    expect(later.data.user?.id).toBe(data.user?.id);
  });

  it('says nothing about the confirmed owner of an address, writes no mail and leaves the password alone', async () => {
    const { email, id } = await house.person();
    const mails = (await house.mailbox.list()).length;
    const { data, error } = await signUp(email, 'another-password');
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({ email, identities: [], role: '' });
    expect(data.user?.id).not.toBe(id);
    expect((await signUp(email, 'another-password')).data.user?.id).not.toBe(data.user?.id);
    expect(await house.mailbox.list()).toHaveLength(mails);
    expect((await house.client().auth.signInWithPassword({ email, password: 'another-password' })).error?.code).toBe('invalid_credentials');
    expect((await house.client().auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  it('mails an unconfirmed address again after a minute, and voids the link before', async () => {
    const email = 'twice@example.nz';
    const first = await signUp(email);
    const oldLink = await house.linkFor(email);
    const tooSoon = await signUp(email);
    expect(tooSoon.error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
    expect(tooSoon.error?.message).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/);
    house.pass(61_000);
    const again = await signUp(email, 'changed-password');
    expect(again.data.user?.id).toBe(first.data.user?.id);
    expect((await follow(oldLink)).fragment.get('error_code')).toBe('otp_expired');
    expect((await follow(await house.linkFor(email))).fragment.get('access_token')).not.toBeNull();
    expect((await house.client().auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  it('makes one user of two sign-ups at once', async () => {
    const both = await Promise.all([signUp('race@example.nz'), signUp('race@example.nz')]);
    expect(both.map(({ error }) => error?.code ?? 'ok').sort()).toEqual(['ok', 'over_email_send_rate_limit']);
    expect(house.faults).toEqual([]);
  });

  it.each([
    ['short@example.nz', '12345', 422, 'weak_password'],
    ['long@example.nz', 'ā'.repeat(37), 400, 'validation_failed'],
    ['none@example.nz', '', 400, 'validation_failed'],
    ['no-at-sign', password, 400, 'validation_failed'],
    ['two@at@example.nz', password, 400, 'validation_failed'],
    ['new\nline@example.nz', password, 400, 'validation_failed'],
    ['nul\0@example.nz', password, 400, 'bad_json'],
    [`${'a'.repeat(250)}@example.nz`, password, 400, 'validation_failed'],
  ])('refuses %j with %j', async (email, secret, status, code) => {
    const { data, error } = await signUp(email, secret);
    expect(error).toMatchObject({ status, code });
    expect(data.user).toBeNull();
    expect(house.faults).toEqual([]);
  });

  it('tells why a password is weak, and takes 6 characters and 72 bytes', async () => {
    expect((await signUp('weak@example.nz', '12345')).error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] });
    expect((await signUp('six@example.nz', '123456')).error).toBeNull();
    expect((await signUp('seventy-two@example.nz', 'ā'.repeat(36))).error).toBeNull();
  });

  it.each([{ data: { note: 'x\0' } }, { data: { 'k\ud800': 1 } }, { data: { big: 'x'.repeat(5000) } }, { data: [1] }])('refuses metadata that cannot be kept: %j', async (extra) => {
    const body = JSON.stringify({ email: 'meta@example.nz', password, ...extra });
    const response = await fetch(`${house.url}/auth/v1/signup`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(house.faults).toEqual([]);
  });

  it('never leads anywhere but home', async () => {
    for (const [at, target] of ['https://evil.example/', `${house.url}.evil.example/`, `http://user@${new URL(house.url).host}/`, 'javascript:alert(1)', '//evil.example'].entries()) {
      const email = `away-${at}@example.nz`;
      await house.client().auth.signUp({ email, password, options: { emailRedirectTo: target } });
      const link = new URL(await house.linkFor(email));
      expect(link.searchParams.get('redirect_to')).toBe(`${house.url}/`);
      link.searchParams.set('redirect_to', target);
      expect((await follow(link.href)).location.href.split('#')[0]).toBe(`${house.url}/`);
    }
  });
});
