import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, settings } from './config.ts';

const rejection = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

const hosted = {
  DATABASE_URL: 'postgres://db/dwang',
  SUPABASE_URL: 'https://p.supabase.co/',
  SUPABASE_ANON_KEY: 'anon',
};

/** A project's older kind of key. */
const keyOf = (role: string) =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify({ iss: 'supabase', role })).toString('base64url')}.c2lnbmF0dXJl`;

describe('readConfig', () => {
  it('needs no variable on a new machine', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 8080,
      host: 'localhost',
      publicUrl: undefined,
      dataDir: './.data',
      databaseUrl: undefined,
      supabase: undefined,
      stripe: undefined,
      mail: undefined,
      trialDays: 14,
      demo: true,
      embeddedAllowed: true,
      logLevel: 'info',
    });
  });

  describe('.env.example', () => {
    const text = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8');

    it('has every setting with its default', () => {
      const example = parseEnv(text.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
      expect(Object.keys(example).sort()).toEqual([...settings].sort());
      expect(readConfig(example as Record<string, string>)).toEqual(readConfig({}));
    });

    it('changes nothing where it is handed over as it is: in a container HOST, DATA_DIR and NODE_ENV have other defaults', () => {
      expect(parseEnv(text)).toEqual({});
    });
  });

  it('trusts no proxy unless configured, and then only the configured ones', () => {
    expect(readConfig({}).trustedProxies).toEqual([]);
    expect(readConfig({ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' }).trustedProxies).toEqual([
      '127.0.0.0/8',
      '::1',
      '10.0.0.0/8',
    ]);
  });

  it('takes an empty variable for an absent one', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', SUPABASE_URL: '' })).toEqual(readConfig({}));
  });

  it('reads the hosted counterparts', () => {
    expect(
      readConfig({
        ...hosted,
        SMTP_URL: 'smtp://mail',
        MAIL_FROM: 'Dwang <hi@dwang.nz>',
        STRIPE_SECRET_KEY: 'sk_test_1',
        STRIPE_WEBHOOK_SECRET: 'whsec_1',
        STRIPE_PRICE_ID: 'price_1',
        PUBLIC_URL: 'https://dwang.nz/',
      }),
    ).toMatchObject({
      databaseUrl: 'postgres://db/dwang',
      supabase: { url: 'https://p.supabase.co', anonKey: 'anon' },
      stripe: { secretKey: 'sk_test_1', webhookSecret: 'whsec_1', priceId: 'price_1' },
      mail: { smtpUrl: 'smtp://mail', from: 'Dwang <hi@dwang.nz>' },
      publicUrl: 'https://dwang.nz',
      demo: false,
    });
  });

  it.each(['sb_secret_1', keyOf('service_role')])('takes %s as the key to all files', (key) => {
    expect(readConfig({ ...hosted, SUPABASE_SERVICE_ROLE_KEY: key }).supabase?.serviceKey).toBe(key);
    expect(readConfig(hosted).supabase?.serviceKey).toBeUndefined();
  });

  it.each<[Record<string, string>, string]>([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT must be a whole number from 0 to 65535'],
    [{ TRIAL_DAYS: '1.5' }, 'TRIAL_DAYS must be a whole number from 0 to 730'],
    [{ PUBLIC_URL: 'dwang.nz' }, 'PUBLIC_URL must be an address like'],
    [{ PUBLIC_URL: 'https://dwang.nz/app' }, 'PUBLIC_URL must be an address without a path'],
    [
      { TRUSTED_PROXIES: 'loopback, proxy.internal' },
      'TRUSTED_PROXIES must be addresses, networks like 10.0.0.0/8, or the word loopback',
    ],
    [{ DATABASE_URL: 'mysql://db/x' }, 'DATABASE_URL must be an address like postgres://'],
    [{ DEMO: 'yes' }, 'DEMO must be 0 or 1'],
    [{ ADMIN_TOKEN: 'guess-me' }, 'ADMIN_TOKEN must have at least 24 characters'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be fatal'],
    [{ SUPABASE_URL: 'https://p.supabase.co' }, 'SUPABASE_ANON_KEY is missing while SUPABASE_URL is given'],
    [{ SUPABASE_ANON_KEY: 'anon' }, 'SUPABASE_URL is missing while SUPABASE_ANON_KEY is given'],
    [{ SUPABASE_JWT_SECRET: 'x'.repeat(32) }, 'SUPABASE_URL is missing while SUPABASE_JWT_SECRET is given'],
    [{ SUPABASE_SERVICE_ROLE_KEY: 'sb_secret_1' }, 'SUPABASE_URL is missing while SUPABASE_SERVICE_ROLE_KEY is given'],
    [{ ...hosted, SUPABASE_SERVICE_ROLE_KEY: 'sb_publishable_1' }, 'SUPABASE_SERVICE_ROLE_KEY must be a secret key'],
    [{ ...hosted, SUPABASE_SERVICE_ROLE_KEY: keyOf('anon') }, 'SUPABASE_SERVICE_ROLE_KEY must be a secret key'],
    [
      { STRIPE_SECRET_KEY: 'sk_test_1' },
      'STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_ID are missing while STRIPE_SECRET_KEY is given',
    ],
    [{ SMTP_URL: 'smtp://mail' }, 'MAIL_FROM is missing while SMTP_URL is given'],
    [
      { NODE_ENV: 'production', ALLOW_EMBEDDED: '1' },
      'SMTP_URL or ADMIN_TOKEN is missing: with NODE_ENV=production the mailbox',
    ],
    [{ NODE_ENV: 'production' }, 'DATABASE_URL is missing: with NODE_ENV=production'],
    [
      { NODE_ENV: 'production', DATABASE_URL: hosted.DATABASE_URL },
      'SUPABASE_URL is missing: with NODE_ENV=production',
    ],
  ])('rejects %j', (env, message) => {
    expect(rejection(env)).toContain(message);
    expect(rejection(env)).not.toContain('\n');
  });

  it('names all that is wrong at once, and repeats no value', () => {
    const message = rejection({
      PORT: 'secret-1',
      DATABASE_URL: 'secret-2',
      STRIPE_SECRET_KEY: 'secret-3',
      SUPABASE_SERVICE_ROLE_KEY: 'secret-4',
    });
    expect(message).toMatch(/PORT .*; DATABASE_URL .*; STRIPE_SECRET_KEY /);
    expect(message).not.toMatch(/secret-\d/);
  });

  it('lets production embed only where that is said', () => {
    const trial = { NODE_ENV: 'production', ALLOW_EMBEDDED: '1', ADMIN_TOKEN: 'a'.repeat(24) };
    expect(readConfig(trial)).toMatchObject({ production: true, embeddedAllowed: true, demo: false });
    expect(readConfig({ ...trial, DEMO: '1' }).demo).toBe(true);
    expect(readConfig({ NODE_ENV: 'production', ...hosted })).toMatchObject({
      production: true,
      embeddedAllowed: false,
      demo: false,
    });
    expect(readConfig({ DEMO: '0' }).demo).toBe(false);
  });
});
