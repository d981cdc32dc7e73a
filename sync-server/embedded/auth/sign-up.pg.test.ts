import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day, hour } from '../../../shared/lib/durations.ts';
import { follow, openEmbeddedHarness, password } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { embedded } from '../embedded-tables.ts';
import { embeddedRetention } from '../embedded-retention.ts';
import { databases } from '../../testing/test-db.ts';

describe.each(databases)('signing up on %s', (kind) => {
  let harness: EmbeddedHarness;
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
  });
  afterAll(() => harness.close());
  const signUp = (email: string, secret = password) => harness.client().auth.signUp({ email, password: secret });

  it('goes from form to mail to link to session', async () => {
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
    expect(set.data.user?.email_confirmed_at).toBeDefined();
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

  it('answers an address that has an account and one that has none alike, and mails them as often: the first time, at once again, with another password, and each minute', async () => {
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

  it('informs the owner of a taken address by mail, with a link to a new password, and leaves their password alone', async () => {
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

  it('informs only a device that has signed in to it before that an address is taken: its person mistyped a password', async () => {
    const { email } = await harness.person();
    const signedIn = await fetch(`${harness.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      body: JSON.stringify({ email, password }),
    });
    const cookie = signedIn.headers.get('set-cookie') ?? '';
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

  const signIn = async (email: string, secret: string) =>
    (await harness.client().auth.signInWithPassword({ email, password: secret })).error?.code ?? 'in';
  const mailsTo = async (email: string) => (await harness.mailbox.list()).filter(({ to }) => to === email);
  const linksTo = async (email: string) => (await mailsTo(email)).map(({ links }) => links[0] ?? '');
  const [strangers, owners] = ['strangers-password', 'owners-password'];

  /** The link signs in, to where a password is chosen; none that was submitted works. */
  async function expectToChoose(link: string, email: string) {
    const { location, fragment } = await follow(link);
    expect([location.origin + location.pathname, fragment.get('type'), fragment.get('password')]).toEqual([
      `${harness.url}/edit-account`,
      'recovery',
      'none',
    ]);
    expect([await signIn(email, strangers), await signIn(email, owners)]).toEqual([
      'invalid_credentials',
      'invalid_credentials',
    ]);
    const device = harness.client();
    const session = {
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    };
    expect((await device.auth.setSession(session)).data.user).toMatchObject({ email, user_metadata: {} });
    return device;
  }

  it('an attacker signs the address up, its owner within the same minute: the one mail there is activates no password of the attacker’s', async () => {
    const email = 'owner@example.nz';
    await harness.client().auth.signUp({ email, password: strangers, options: { data: { name: 'Stranger' } } });
    expect((await signUp(email, owners)).error).toBeNull();
    const links = await linksTo(email);
    expect(links).toHaveLength(1);
    expect([await signIn(email, strangers), await signIn(email, owners)]).toEqual([
      'invalid_credentials',
      'invalid_credentials',
    ]);
    const device = await expectToChoose(links[0]!, email);
    expect((await device.auth.updateUser({ password: 'chosen-by-owner' })).error).toBeNull();
    expect([await signIn(email, strangers), await signIn(email, 'chosen-by-owner')]).toEqual([
      'invalid_credentials',
      'in',
    ]);
  });

  it.each([
    ['the stranger', 'older'],
    ['the stranger', 'newer'],
    ['the owner', 'older'],
    ['the owner', 'newer'],
  ])(
    '%s signs the address up first, the %s of two links is opened: a password is to be chosen, and the other link works too',
    async (first, which) => {
      const email = `${first} ${which}`.replaceAll(' ', '-').concat('@example.nz');
      await harness
        .client()
        .auth.signUp({
          email,
          password: first === 'the owner' ? owners : strangers,
          options: { data: { by: 'first' } },
        });
      harness.pass(61_000);
      await harness
        .client()
        .auth.signUp({
          email,
          password: first === 'the owner' ? strangers : owners,
          options: { data: { by: 'second' } },
        });
      const [newer = '', older = ''] = await linksTo(email);
      await expectToChoose(which === 'older' ? older : newer, email);
      const device = await expectToChoose(which === 'older' ? newer : older, email);
      expect((await device.auth.updateUser({ password: 'chosen-by-owner' })).error).toBeNull();
      expect([
        await signIn(email, strangers),
        await signIn(email, owners),
        await signIn(email, 'chosen-by-owner'),
      ]).toEqual(['invalid_credentials', 'invalid_credentials', 'in']);
    },
  );

  it('an attacker who signs the address up each minute neither keeps the owner out nor voids one of their links', async () => {
    const email = 'besieged@example.nz';
    for (let minutes = 0; minutes < 12; minutes += 1) {
      expect((await signUp(email, strangers)).error).toBeNull();
      if (minutes === 6 || minutes === 11) expect((await signUp(email, owners)).error).toBeNull();
      harness.pass(61_000);
    }
    const links = await linksTo(email);
    expect(links.length).toBeGreaterThanOrEqual(8);
    harness.pass(22 * hour);
    for (const link of links) {
      await expectToChoose(link, email);
      harness.pass(61_000);
    }
  });

  it('two concurrent sign-ups of an address: of two passwords neither works, the same one twice does', async () => {
    await Promise.all([signUp('moment@example.nz', strangers), signUp('moment@example.nz', owners)]);
    await expectToChoose(await harness.linkFor('moment@example.nz'), 'moment@example.nz');
    await Promise.all([signUp('twice@example.nz', owners), signUp('twice@example.nz', owners)]);
    expect((await follow(await harness.linkFor('twice@example.nz'))).fragment.get('type')).toBe('signup');
    expect(await signIn('twice@example.nz', owners)).toBe('in');
  });

  it('a person who signs up again with the same password keeps it, and each of their links works until they choose another', async () => {
    const email = 'again@example.nz';
    await signUp(email, owners);
    harness.pass(61_000);
    await signUp(email, owners);
    harness.pass(61_000);
    expect((await harness.client().auth.resend({ type: 'signup', email })).error).toBeNull();
    expect(await signIn(email, owners)).toBe('email_not_confirmed');
    const [third = '', second = '', first = ''] = await linksTo(email);
    expect((await follow(first)).fragment.get('type')).toBe('signup');
    expect(await signIn(email, owners)).toBe('in');
    const { location, fragment } = await follow(second);
    expect([location.pathname, fragment.get('type')]).toEqual(['/', 'signup']);
    const device = harness.client();
    await device.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    });
    expect((await device.auth.updateUser({ password: 'chosen-by-owner' })).error).toBeNull();
    expect((await follow(third)).fragment.get('error_code')).toBe('otp_expired');
  });

  it('links of one address that are opened concurrently are all valid, and make one account', async () => {
    const email = 'all-at-once@example.nz';
    for (const secret of [strangers, owners, strangers]) {
      await signUp(email, secret);
      harness.pass(61_000);
    }
    const opened = await Promise.all((await linksTo(email)).map((link) => follow(link)));
    expect(opened.map(({ fragment }) => fragment.get('password'))).toEqual(['none', 'none', 'none']);
    expect(harness.faults).toEqual([]);
  });

  it('mail that was never sent uses up no limit: an attacker asks again and again for resends and recoveries, and the owner’s mails still come', async () => {
    const [fresh, member] = ['starved@example.nz', (await harness.person()).email];
    const ask = harness.client().auth;
    for (let minutes = 0; minutes < 10; minutes += 1) {
      for (const email of [fresh, member]) await ask.resend({ type: 'signup', email });
      await ask.resetPasswordForEmail(fresh);
      harness.pass(61_000);
    }
    await ask.resend({ type: 'signup', email: fresh });
    expect((await signUp(fresh, owners)).error).toBeNull();
    expect((await ask.resetPasswordForEmail(member)).error).toBeNull();
    expect((await mailsTo(fresh)).map(({ subject }) => subject)).toEqual(['Confirm your email for Dwang']);
    expect((await mailsTo(member)).map(({ subject }) => subject)).toEqual(['Reset your Dwang password']);
  });

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
    expect(harness.faults).toEqual([]);
  });

  it('says why a password is weak, and accepts 6 characters and 72 bytes', async () => {
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
      expect(harness.faults).toEqual([]);
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
