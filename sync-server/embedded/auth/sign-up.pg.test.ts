import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day } from '../../../shared/lib/durations.ts';
import { follow, noIpLimits, openEmbeddedHarness, password } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { embedded } from '../embedded-tables.ts';
import { embeddedRetention } from '../embedded-retention.ts';
import { usualDatabase } from '../../testing/test-db.ts';

describe.each(usualDatabase)('signing up on %s', (kind) => {
  let harness: EmbeddedHarness;
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind, { ...noIpLimits, takenByIp: { burst: 2, everyMs: 30 * day } });
    // From here on this address is told of no account: what holds then is what most of these tests are about.
    const { email } = await harness.person();
    for (let times = 0; times < 2; times += 1) await raw({ email, password: 'mistyped-it' });
  });
  afterAll(() => harness.close());
  const signUp = (email: string, secret = password) => harness.client().auth.signUp({ email, password: secret });

  it('goes from form to mail to link to session [§1]', async () => {
    const device = harness.client();
    const options = { emailRedirectTo: `${harness.url}/dashboard?from=mail`, data: { theme: 'dark' } };
    const { data, error } = await device.auth.signUp({ email: ' Aroha@Example.NZ ', password, options });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({
      email: 'aroha@example.nz',
      role: 'authenticated',
      user_metadata: { theme: 'dark' },
    });
    expect(data.user?.identities).toHaveLength(1);
    expect(JSON.stringify(data.user)).not.toMatch(/hash|scrypt/);

    const early = await device.auth.signInWithPassword({ email: 'aroha@example.nz', password });
    expect(early.error).toMatchObject({ status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' });

    const { status, location, fragment } = await follow(await harness.linkFor('aroha@example.nz'));
    expect(status).toBe(303);
    expect(location.href.split('#')[0]).toBe(options.emailRedirectTo);
    expect(fragment.get('type')).toBe('signup');
    const session = {
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    };
    const set = await device.auth.setSession(session);
    expect(set.error).toBeNull();
    expect(set.data.user?.email_confirmed_at).toEqual(expect.any(String));
    const id = set.data.user?.id;
    expect((await device.auth.getClaims()).data?.claims).toMatchObject({
      sub: id,
      role: 'authenticated',
      aud: 'authenticated',
      aal: 'aal1',
    });
    const later = await harness.client().auth.signInWithPassword({ email: 'AROHA@example.nz', password });
    expect(later.data.user?.id).toBe(id);
    expect(later.data.user?.user_metadata).toEqual({ theme: 'dark' });
  });

  const raw = async (body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${harness.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'X-Supabase-Api-Version': '2024-01-01', ...headers },
      body: JSON.stringify(body),
    });
    const plain = (text: string) =>
      text
        .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'instant')
        .replaceAll(/after \d+ seconds/g, 'after n seconds');
    const names = [...response.headers.keys()].filter((name) => !['date', 'content-length'].includes(name));
    return {
      status: response.status,
      names,
      retry: response.headers.has('retry-after'),
      body: plain(await response.text()),
    };
  };

  it('informs a person who mistyped their password on a new device that the address has an account, as the hosted service does, without a mail, and before it calls the password weak', async () => {
    const { email } = await harness.person();
    const mails = (await harness.mailbox.list()).length;
    const fromElsewhere = { 'X-Forwarded-For': '198.51.100.7' };
    for (const mistyped of ['mistyped-it', 'password123'])
      expect(await raw({ email, password: mistyped }, fromElsewhere)).toMatchObject({
        status: 200,
        body: expect.stringContaining('"identities":[]'),
      });
    expect(await harness.mailbox.list()).toHaveLength(mails);
    expect(await raw({ email: 'new-there@example.nz', password: 'password123' }, fromElsewhere)).toMatchObject({
      status: 422,
    });
  });

  it('informs no client that asks for one address after the other which of them have an account', async () => {
    const asking = { 'X-Forwarded-For': '198.51.100.9' };
    const isTold = async () => {
      const { email } = await harness.person();
      return (await raw({ email, password: 'mistyped-it' }, asking)).body.includes('"identities":[]');
    };
    expect([await isTold(), await isTold(), await isTold(), await isTold()]).toEqual([true, true, false, false]);
  });

  it('answers an address that has an account and one that has none alike once a client was told of too many, and mails them as often: the first time, at once again, with another password, and each minute', async () => {
    await harness.person('known-one@example.nz');
    const count = async (to: string) => (await harness.mailbox.list()).filter((mail) => mail.to === to).length;
    for (const [at, wait] of [0, 0, 0, ...Array<number>(10).fill(61_000), 0].entries()) {
      harness.pass(wait);
      const secret = at === 1 ? 'another-password' : `another-password-${at}`;
      const [known, fresh] = [
        await raw({ email: 'known-one@example.nz', password: secret }),
        await raw({ email: 'fresh-one@example.nz', password: secret }),
      ];
      expect(fresh.status).toBe(200);
      expect({ ...known, body: known.body.replaceAll('known', 'fresh') }).toEqual(fresh);
      expect(await count('known-one@example.nz')).toBe(await count('fresh-one@example.nz'));
    }
    expect(await count('fresh-one@example.nz')).toBe(9);
  });

  it('informs the owner of a taken address by mail where it does not tell the client, with a link to a new password, and leaves their password alone', async () => {
    const { email } = await harness.person();
    await signUp(email, 'another-password');
    const [mail] = await harness.mailbox.list();
    expect(mail).toMatchObject({ to: email, subject: 'You already have a Dwang account' });
    expect((await harness.client().auth.signInWithPassword({ email, password: 'another-password' })).error?.code).toBe(
      'invalid_credentials',
    );
    expect((await harness.client().auth.signInWithPassword({ email, password })).error).toBeNull();
    const { location, fragment } = await follow(await harness.linkFor(email));
    expect([location.pathname, fragment.get('type')]).toEqual(['/edit-account', 'recovery']);
  });

  it('informs a device that has signed in to it before that an address is taken however often it asks: its person mistyped a password', async () => {
    const { email } = await harness.person();
    const signedIn = await fetch(`${harness.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      body: JSON.stringify({ email, password }),
    });
    const cookie = signedIn.headers.getSetCookie()[0] ?? '';
    expect(cookie).toMatch(/^dwang-known-[\w-]+=[\w.-]+; Path=\/auth\/v1; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    const mails = (await harness.mailbox.list()).length;
    const known = { cookie: cookie.split(';')[0]! };
    for (let times = 0; times < 3; times += 1)
      expect(await raw({ email, password: 'mistyped-it' }, known)).toMatchObject({
        status: 200,
        body: expect.stringContaining('"identities":[]'),
      });
    expect(await harness.mailbox.list()).toHaveLength(mails);
    expect((await raw({ email: 'not-here@example.nz', password: 'mistyped-it' }, known)).body).not.toContain(
      '"identities":[]',
    );
    const forged = { cookie: known.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) };
    expect((await raw({ email, password: 'mistyped-it' }, forged)).body).not.toContain('"identities":[]');
  });
  const mailsTo = async (email: string) => (await harness.mailbox.list()).filter(({ to }) => to === email);

  it('the mail says when it was asked for, and that it can be ignored', async () => {
    await signUp('reader@example.nz');
    const [mail] = await mailsTo('reader@example.nz');
    const when = harness
      .now()
      .toLocaleString('en-NZ', { timeZone: 'Pacific/Auckland', weekday: 'long', day: 'numeric', month: 'long' });
    for (const text of [mail?.text, mail?.html]) {
      expect(text).toContain(`Asked for on ${when}`);
      expect(text).toContain('you can ignore this email');
    }
  });

  it('what was never confirmed is gone after a day: no account, no password, no metadata', async () => {
    const email = 'never@example.nz';
    await signUp(email);
    const link = await harness.linkFor(email);
    harness.pass(day + 1000);
    expect((await follow(link)).fragment.get('error_code')).toBe('otp_expired');
    expect((await harness.client().auth.signInWithPassword({ email, password })).error?.code).toBe(
      'invalid_credentials',
    );
    expect(
      await embedded(harness.database.sql).selectFrom('users').select('id').where('email', '=', email).execute(),
    ).toEqual([]);
    const job = embeddedRetention(harness.storage.files).find(({ name }) => name === 'sign-ups')!;
    if (!('forget' in job)) throw new Error('forgets by rows');
    expect(await job.count(harness.database.sql, harness.now())).toBeGreaterThan(0);
    await job.forget(harness.database.sql, harness.now());
    expect(await job.count(harness.database.sql, harness.now())).toBe(0);
    expect(
      await embedded(harness.database.sql).selectFrom('sign_ups').select('email').where('email', '=', email).execute(),
    ).toEqual([]);
  });

  it('a token with the largest metadata that can be had still fits into a request', async () => {
    const { client } = await harness.person();
    const data = { note: 'ā'.repeat(506) };
    expect(Buffer.byteLength(JSON.stringify(data))).toBe(1023);
    expect((await client.auth.updateUser({ data })).error).toBeNull();
    expect((await client.auth.updateUser({ data: { more: 'x' } })).error?.code).toBe('validation_failed');
    const { data: renewed } = await client.auth.refreshSession();
    expect(Buffer.byteLength(renewed.session?.access_token ?? '')).toBeLessThan(4096);
    expect((await client.auth.getUser()).error).toBeNull();
  });

  it.each([
    ['zero-width', 'hine\u200bmoa@example.nz', 'hinemoa@example.nz'],
    ['an international domain', 'hine@māori.nz', 'hine@xn--mori-qsa.nz'],
    ['full width and case', 'ＨＩＮＥ@EXAMPLE.co.nz', 'hine@example.co.nz'],
  ])('takes an address in %s for the one it looks like: sign-up, sign-in and recovery', async (_, typed, normal) => {
    const { id } = await harness.person(normal);
    expect((await harness.client().auth.signInWithPassword({ email: typed, password })).data.user?.id).toBe(id);
    await harness.client().auth.resetPasswordForEmail(typed);
    expect((await harness.mailbox.list())[0]).toMatchObject({ to: normal, subject: 'Reset your Dwang password' });
    await signUp(typed, 'another-password');
    expect((await harness.mailbox.list())[0]).toMatchObject({
      to: normal,
      subject: 'You already have a Dwang account',
    });
    expect((await harness.auth.createConfirmedUser({ email: typed, password })).id).toBe(id);
  });

  it('an account of an earlier version, kept as its address was typed then, is still found by it', async () => {
    const { id } = await harness.auth.createConfirmedUser({ email: 'earlier@example.nz', password });
    await embedded(harness.database.sql)
      .updateTable('users')
      .set({ email: 'earlier@māori.nz' })
      .where('id', '=', id)
      .execute();
    expect(
      (await harness.client().auth.signInWithPassword({ email: 'Earlier@Māori.nz', password })).data.user?.id,
    ).toBe(id);
  });

  it.each([
    ['short@example.nz', '12345', 422, 'weak_password'],
    ['long@example.nz', 'ā'.repeat(37), 400, 'validation_failed'],
    ['none@example.nz', '', 400, 'validation_failed'],
    ['no-at-sign', password, 400, 'validation_failed'],
    ['two@at@example.nz', password, 400, 'validation_failed'],
    ['new\nline@example.nz', password, 400, 'validation_failed'],
    ['nul\0@example.nz', password, 400, 'bad_json'],
    ['common@example.nz', 'password123', 422, 'weak_password'],
    ['cased@example.nz', 'PassWord1', 422, 'weak_password'],
    ['blank@example.nz', '        ', 422, 'weak_password'],
    ['unseen@example.nz', '\u200b\u200b\u200b\u3000\u3000\u00a0', 422, 'weak_password'],
    ['same@example.nz', 'zzzzzzzzz', 422, 'weak_password'],
    ['run@example.nz', '23456789', 422, 'weak_password'],
    ['whakatane.club@example.nz', 'Whakatane.Club7', 422, 'weak_password'],
    ['product@example.nz', 'dwang2026', 422, 'weak_password'],
    [`${'a'.repeat(250)}@example.nz`, password, 400, 'validation_failed'],
  ])('rejects %j with %j', async (email, secret, status, code) => {
    const { data, error } = await signUp(email, secret);
    expect(error).toMatchObject({ status, code });
    expect(data.user).toBeNull();
    expect(harness.errors).toEqual([]);
  });

  it('says why a password is weak, and accepts 6 characters and 72 bytes [§5]', async () => {
    expect((await signUp('weak@example.nz', '12345')).error).toMatchObject({
      name: 'AuthWeakPasswordError',
      reasons: ['length'],
    });
    expect((await signUp('common-one@example.nz', '123456')).error).toMatchObject({
      name: 'AuthWeakPasswordError',
      reasons: ['pwned'],
    });
    expect((await signUp('six@example.nz', 'kq7-zf')).error).toBeNull();
    expect((await signUp('spaced@example.nz', 'a b  c')).error).toBeNull();
    expect((await signUp('seventy-two@example.nz', 'āēīōūŪ'.repeat(6))).error).toBeNull();
  });

  it.each([{ data: { note: 'x\0' } }, { data: { 'k\ud800': 1 } }, { data: { big: 'x'.repeat(1024) } }, { data: [1] }])(
    'rejects metadata that cannot be stored: %j',
    async (extra) => {
      const body = JSON.stringify({ email: 'meta@example.nz', password, ...extra });
      const response = await fetch(`${harness.url}/auth/v1/signup`, { method: 'POST', body });
      expect(response.status).toBe(400);
      expect(harness.errors).toEqual([]);
    },
  );

  it('never redirects to another origin', async () => {
    for (const [at, target] of [
      'https://evil.example/',
      `${harness.url}.evil.example/`,
      `http://user@${new URL(harness.url).host}/`,
      'javascript:alert(1)',
      '//evil.example',
    ].entries()) {
      const email = `away-${at}@example.nz`;
      await harness.client().auth.signUp({ email, password, options: { emailRedirectTo: target } });
      const link = new URL(await harness.linkFor(email));
      expect(link.searchParams.get('redirect_to')).toBe(`${harness.url}/`);
      link.searchParams.set('redirect_to', target);
      expect((await follow(link.href)).location.href.split('#')[0]).toBe(`${harness.url}/`);
    }
  });
});
