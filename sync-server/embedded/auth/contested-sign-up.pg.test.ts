import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hour } from '../../../shared/lib/durations.ts';
import { follow, openEmbeddedHarness, password } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';

describe.each(usualDatabase)('an address that several people sign up, on %s', (kind) => {
  let harness: EmbeddedHarness;
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
  });
  afterAll(() => harness.close());
  const signUp = (email: string, secret = password) => harness.client().auth.signUp({ email, password: secret });

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

  it('its code does not sign in: without the link the person would not be asked to choose a password', async () => {
    const email = 'typed@example.nz';
    await signUp(email, strangers);
    const [mail] = await mailsTo(email);
    const token = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
    await signUp(email, owners);
    const typed = await harness.client().auth.verifyOtp({ type: 'signup', email, token });
    expect(typed.error?.code).toBe('otp_expired');
    await expectToChoose((await linksTo(email))[0] ?? '', email);
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
      await harness.client().auth.signUp({
        email,
        password: first === 'the owner' ? owners : strangers,
        options: { data: { by: 'first' } },
      });
      harness.pass(61_000);
      await harness.client().auth.signUp({
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
      const passwords = minutes === 6 || minutes === 11 ? [strangers, owners] : [strangers];
      for (const one of passwords) expect((await signUp(email, one)).error).toBeNull();
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
    expect(harness.errors).toEqual([]);
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
});
