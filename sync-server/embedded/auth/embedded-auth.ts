import Router from '@koa/router';
import { createLocalJWKSet } from 'jose';
import type { JWK, JWTVerifyGetKey } from 'jose';
import type { Database } from '../../db/database.ts';
import { createVerifyToken } from '../../http/verify-token.ts';
import type { VerifyToken } from '../../http/verify-token.ts';
import type { Log } from '../../lib/log.ts';
import { embedded } from '../embedded-tables.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { createAccountProofs } from './account-proof.ts';
import { createAccessTokens } from './access-token.ts';
import { answerProblems } from './answer-problems.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthProblem } from './auth-problem.ts';
import { checkEmail } from './check-credentials.ts';
import { readUser, reauthenticate, signOut, updateUser } from './current-user.ts';
import { endSession, listSessions } from './device-sessions.ts';
import { createKnownDevices } from './known-devices.ts';
import { checkNewPassword } from './password-rules.ts';
import { createPasswords } from './passwords.ts';
import type { PasswordOptions } from './passwords.ts';
import { createRateLimits } from './rate-limits.ts';
import type { RateLimits, RateRules } from './rate-limits.ts';
import { recover, resend } from './recover.ts';
import { requireSession } from './require-session.ts';
import { createSessions } from './sessions.ts';
import { refreshSession, signInWithPassword } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { loadSigningKeys } from './signing-keys.ts';
import { addUser, findUserByEmail } from './users.ts';
import { verifyLink, verifyOtp } from './verify.ts';

export interface EmbeddedAuthOptions {
  database: Database;
  mailer: Mailer;
  clock: () => Date;
  log: Log;
  /** Origin people reach the product at. A function, because a port may only be known after listening. */
  publicUrl: () => string;
  rateRules?: Partial<RateRules>;
  passwordOptions?: PasswordOptions;
  mailAnswerFloorMs?: number;
}

export interface EmbeddedAuth {
  /** The routes under /auth/v1. They read the raw body: mount them before any body parser. */
  router: Router;
  /** The public key that supabase-js asks for. Grants nothing. */
  anonKey: string;
  /** For `Deps`: also checks the session, so that a token is invalid seconds after signing out. */
  verifyToken: VerifyToken;
  jwks: { keys: JWK[] };
  limits: RateLimits;
  /** For seeding: a user who can sign in at once. An address that is there already keeps its id and password. */
  createConfirmedUser(user: { email: string; password: string; id?: string }): Promise<{ id: string }>;
}

/** GoTrue's routes as far as supabase-js and this product use them, over our own database. */
export async function createEmbeddedAuth(options: EmbeddedAuthOptions): Promise<EmbeddedAuth> {
  const { database, clock, log, mailer } = options;
  const publicUrl = () => options.publicUrl().replace(/\/+$/, '');
  const keys = await loadSigningKeys({ database, clock });
  const getKey = createLocalJWKSet(keys.jwks);
  const sessions = createSessions({ database, clock });
  const passwords = createPasswords(options.passwordOptions);
  const limits = createRateLimits({ database, clock, rules: options.rateRules });
  const accessTokens = createAccessTokens({ keys, clock, publicUrl });
  const knownDevices = createKnownDevices({ secret: keys.derivedSecret, clock, publicUrl });
  const accountProofs = createAccountProofs({ secret: keys.derivedSecret, clock, publicUrl });
  const mailAnswerFloorMs = options.mailAnswerFloorMs ?? 150;
  const parts: AuthParts = {
    database,
    mailer,
    clock,
    log,
    publicUrl,
    knownDevices,
    passwords,
    derivedSecret: keys.derivedSecret,
    limits,
    accessTokens,
    accountProofs,
    sessions,
    mailAnswerFloorMs,
  };

  async function createConfirmedUser({ email, password, id }: { email: string; password: string; id?: string }) {
    const address = checkEmail(email);
    await checkNewPassword(password, address);
    const tables = embedded(database.sql);
    const found = await findUserByEmail(tables, email);
    if (found) return { id: found.id };
    const passwordHash = await passwords.hash(password, 'seeding');
    const added = await addUser(tables, { id, email: address, passwordHash, metadata: {}, now: clock() });
    const user = added ?? (await findUserByEmail(tables, address));
    if (!user) throw new Error('The id of a new user is taken by another one');
    return { id: user.id };
  }

  return {
    router: authRoutes(parts, getKey, keys.jwks),
    anonKey: `sb_publishable_${keys.kid.slice(0, 31)}`,
    verifyToken: createVerifyToken({
      issuer: accessTokens.issuer,
      getKey,
      algorithms: ['ES256'],
      isSessionLive: sessions.isLive,
      clock,
    }),
    jwks: keys.jwks,
    limits,
    createConfirmedUser,
  };
}

function authRoutes(parts: AuthParts, getKey: JWTVerifyGetKey, jwks: { keys: JWK[] }): Router {
  const router = new Router({ prefix: '/auth/v1' });
  router.use(answerProblems(parts));

  router.get('/health', (ctx) => {
    ctx.body = { name: 'GoTrue', version: 'embedded', description: 'GoTrue-compatible sign-in of this server' };
  });
  router.get('/settings', (ctx) => {
    ctx.body = {
      external: { email: true, phone: false },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
    };
  });
  router.get('/.well-known/jwks.json', (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=600');
    ctx.body = jwks;
  });

  router.post('/signup', (ctx) => signUp(parts, ctx));
  router.post('/token', async (ctx) => {
    const grant = ctx.query['grant_type'];
    if (grant === 'password') return signInWithPassword(parts, ctx);
    if (grant === 'refresh_token') return refreshSession(parts, ctx);
    throw new AuthProblem(400, 'invalid_credentials', 'unsupported_grant_type');
  });
  router.post('/recover', (ctx) => recover(parts, ctx));
  router.post('/resend', (ctx) => resend(parts, ctx));
  router.get('/verify', (ctx) => verifyLink(parts, ctx));
  router.post('/verify', (ctx) => verifyOtp(parts, ctx));

  router.get('/user', async (ctx) => readUser(parts, ctx, await requireSession(parts, getKey, ctx)));
  router.put('/user', async (ctx) => updateUser(parts, ctx, await requireSession(parts, getKey, ctx)));
  router.get('/reauthenticate', async (ctx) => reauthenticate(parts, ctx, await requireSession(parts, getKey, ctx)));
  router.get('/sessions', async (ctx) => listSessions(parts, ctx, await requireSession(parts, getKey, ctx)));
  router.delete('/sessions/:id', async (ctx) => endSession(parts, ctx, await requireSession(parts, getKey, ctx)));
  router.post('/logout', async (ctx) => signOut(parts, ctx, await requireSession(parts, getKey, ctx)));
  return router;
}
