import * as z from 'zod';
import { usualTrialDays } from '../../shared/lib/price.ts';
import { readProxies } from './client-address.ts';

/** What stops the start. One line, names the variable, never repeats a value: it may be a secret. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const wholeNumber = (from: number, to: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine((value) => value >= from && value <= to, `must be a whole number from ${from} to ${to}`)
    .default(fallback);

const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');

const url = (schemes: string[], example: string) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol),
      `must be an address like ${example}`,
    );

/** An address that others are appended to. */
const origin = (example: string) =>
  url(['http:', 'https:'], example)
    .refine(
      (value) => URL.canParse(value) && new URL(value).href.replace(/\/$/, '') === new URL(value).origin,
      `must be an address without a path, like ${example}`,
    )
    .transform((value) => new URL(value).origin);

/**
 * One of Supabase's keys that may do everything: `sb_secret_…`, or the older service_role token. With a public one,
 * storage would list no files, and retention would look done for ever.
 */
function isServiceKey(key: string): boolean {
  if (key.startsWith('sb_secret_')) return true;
  const [, payload] = /^eyJ[\w-]+\.([\w-]+)\.[\w-]+$/.exec(key) ?? [];
  return payload !== undefined && Buffer.from(payload, 'base64url').toString().includes('"service_role"');
}

const environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: wholeNumber(0, 65_535, 8080),
  HOST: z.string().optional(),
  PUBLIC_URL: origin('https://dwang.example.nz').optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((value, context) => {
      const proxies = readProxies(value);
      if (proxies === undefined)
        context.addIssue('must be addresses, networks like 10.0.0.0/8, or the word loopback, separated by commas');
      return proxies ?? z.NEVER;
    }),
  DATA_DIR: z.string().default('./.data'),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/name').optional(),
  DATABASE_READ_URL: url(['postgres:', 'postgresql:'], 'postgres://user:password@replica:5432/name').optional(),
  SAFE_BY: z.enum(['backup', 'standby', 'archive'], 'must be backup, standby or archive').optional(),
  SUPABASE_URL: origin('https://project.supabase.co').optional(),
  SUPABASE_ANON_KEY: z.string().optional(),
  SUPABASE_JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  SUPABASE_SERVICE_ROLE_KEY: z
    .string()
    .refine(isServiceKey, 'must be a secret key (sb_secret_…) or the service_role key')
    .optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'must begin with sk_ or rk_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'must begin with whsec_')
    .optional(),
  STRIPE_PRICE_ID: z
    .string()
    .regex(/^price_/, 'must begin with price_')
    .optional(),
  TRIAL_DAYS: wholeNumber(0, 730, usualTrialDays),
  JOBS_PER_DAY: wholeNumber(1, 1_000_000, 30),
  FEED_HELD_WHOLE_UP_TO: wholeNumber(0, 10_000_000, 50_000),
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtps://user:password@host:465').optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]*$/, 'must be a mail address')
    .optional(),
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^[\w-]{87}$/, 'must be a public key of 87 characters')
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be a private key of 43 characters')
    .optional(),
  PUSH_ORIGINS: z
    .string()
    .default('')
    .transform((value, context) => {
      const origins = value
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '');
      if (!origins.every((one) => URL.canParse(one) && new URL(one).origin === one))
        context.addIssue('must be addresses without a path, separated by commas');
      return origins;
    }),
  NZBN_API_KEY: z.string().optional(),
  // A token of this length needs no limit against guessing over the network.
  ADMIN_TOKEN: z.string().min(24, 'must have at least 24 characters').optional(),
  DEMO: flag.optional(),
  ALLOW_EMBEDDED: flag.default(false),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
});

type Environment = z.output<typeof environment>;

/** Every variable there is; `.env.example` explains each. */
export const settings = Object.keys(environment.shape);

export interface Config {
  production: boolean;
  port: number;
  /** `localhost` is this machine only: the mailbox of a new installation is not for its network neighbours. */
  host: string;
  /** Origin people reach the product at, without a slash at the end; undefined: as each request says. */
  publicUrl: string | undefined;
  /** Addresses and networks of the proxies whose forwarded headers are trusted; empty: none. */
  trustedProxies: readonly string[];
  dataDir: string;
  databaseUrl: string | undefined;
  /** A replica from which segments may be read; undefined: from the primary. */
  databaseReadUrl: string | undefined;
  /** What lets a change outlive the loss of the database; undefined: nothing does. */
  safeBy: Environment['SAFE_BY'];
  /** Hosted auth and storage; undefined: the embedded ones. */
  supabase: { url: string; anonKey: string; jwtSecret: string | undefined; serviceKey: string | undefined } | undefined;
  /** Hosted payments; undefined: the embedded pages. */
  stripe: { secretKey: string; webhookSecret: string; priceId: string } | undefined;
  trialDays: number;
  /** Jobs a person may post in 24 hours. */
  jobsPerDay: number;
  feedHeldWholeUpTo: number;
  /** The SMTP server; undefined: the mailbox. */
  mail: { smtpUrl: string; from: string } | undefined;
  /**
   * The key at the push services; undefined: made on the first start where embedded services are allowed, else no
   * alerts.
   */
  vapid: { publicKey: string; privateKey: string } | undefined;
  /** Push services besides those of the known browsers. */
  pushOrigins: readonly string[];
  nzbnApiKey: string | undefined;
  adminToken: string | undefined;
  /** May embedded services replace hosted ones that are not configured? */
  embeddedAllowed: boolean;
  /** Seed demo accounts and jobs. */
  demo: boolean;
  logLevel: Environment['LOG_LEVEL'];
}

/**
 * Reads the environment, once. An empty variable counts as absent.
 *
 * @throws ConfigError naming every variable that is wrong, in one line.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const read = environment.safeParse(given);
  if (!read.success) {
    const errors = read.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`);
    throw new ConfigError([...new Set(errors)].join('; '));
  }
  const e = read.data;
  if (e.DATABASE_READ_URL !== undefined && e.DATABASE_URL === undefined)
    throw new ConfigError('DATABASE_URL is missing while DATABASE_READ_URL is given');
  if (e.SAFE_BY !== undefined && e.SAFE_BY !== 'backup' && e.DATABASE_URL === undefined)
    throw new ConfigError(`DATABASE_URL is missing while SAFE_BY names a ${e.SAFE_BY}`);
  const production = e.NODE_ENV === 'production';
  const embeddedAllowed = !production || e.ALLOW_EMBEDDED;
  const supabase = together(e, ['SUPABASE_URL', 'SUPABASE_ANON_KEY']);
  const stripe = together(e, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID']);
  const mail = together(e, ['SMTP_URL', 'MAIL_FROM']);
  const vapid = together(e, ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY']);
  for (const name of ['SUPABASE_JWT_SECRET', 'SUPABASE_SERVICE_ROLE_KEY'] as const) {
    if (e[name] !== undefined && !supabase) throw new ConfigError(`SUPABASE_URL is missing while ${name} is given`);
  }
  for (const name of ['DATABASE_URL', 'SUPABASE_URL'] as const) {
    if (!embeddedAllowed && e[name] === undefined)
      throw new ConfigError(`${name} is missing: with NODE_ENV=production it is needed, or ALLOW_EMBEDDED=1`);
  }
  if (production && embeddedAllowed && mail === undefined && e.ADMIN_TOKEN === undefined) {
    throw new ConfigError(
      'SMTP_URL or ADMIN_TOKEN is missing: with NODE_ENV=production the mailbox that stands in for a mail server opens to the admin token alone',
    );
  }
  return {
    production,
    port: e.PORT,
    host: e.HOST ?? (production ? '0.0.0.0' : 'localhost'),
    publicUrl: e.PUBLIC_URL,
    trustedProxies: e.TRUSTED_PROXIES,
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    databaseReadUrl: e.DATABASE_READ_URL,
    safeBy: e.SAFE_BY,
    supabase: supabase && {
      url: supabase.SUPABASE_URL,
      anonKey: supabase.SUPABASE_ANON_KEY,
      jwtSecret: e.SUPABASE_JWT_SECRET,
      serviceKey: e.SUPABASE_SERVICE_ROLE_KEY,
    },
    stripe: stripe && {
      secretKey: stripe.STRIPE_SECRET_KEY,
      webhookSecret: stripe.STRIPE_WEBHOOK_SECRET,
      priceId: stripe.STRIPE_PRICE_ID,
    },
    trialDays: e.TRIAL_DAYS,
    jobsPerDay: e.JOBS_PER_DAY,
    feedHeldWholeUpTo: e.FEED_HELD_WHOLE_UP_TO,
    mail: mail && { smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM },
    vapid: vapid && { publicKey: vapid.VAPID_PUBLIC_KEY, privateKey: vapid.VAPID_PRIVATE_KEY },
    pushOrigins: e.PUSH_ORIGINS,
    nzbnApiKey: e.NZBN_API_KEY,
    adminToken: e.ADMIN_TOKEN,
    embeddedAllowed,
    // The password of the demo accounts is public, so in production they exist only where the operator asks for them.
    demo: (e.DEMO ?? !production) && embeddedAllowed && supabase === undefined,
    logLevel: e.LOG_LEVEL,
  };
}

/** All of these or none. */
function together<Name extends string>(
  given: { readonly [K in Name]?: string | undefined },
  names: Name[],
): Record<Name, string> | undefined {
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) {
    const there = names.filter((name) => !missing.includes(name));
    throw new ConfigError(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing while ${there.join(' and ')} ${there.length > 1 ? 'are' : 'is'} given`,
    );
  }
  return Object.fromEntries(names.map((name) => [name, given[name]])) as Record<Name, string>;
}
