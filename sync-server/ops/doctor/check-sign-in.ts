import * as z from 'zod';
import type { Config } from '../../lib/config.ts';
import { warning, good, lookUp, missing, type Finding } from './finding.ts';

const about = 'Sign-in';
const keySet = z.object({ keys: z.array(z.object({ alg: z.string().optional() })) });
const settings = z.object({ external: z.object({ email: z.boolean() }), disable_signup: z.boolean() });

/** Does the project publish keys to check tokens with, and let people sign up by email? */
export async function checkSignIn({ supabase }: Pick<Config, 'supabase'>, ask: typeof fetch): Promise<Finding[]> {
  if (supabase === undefined)
    return [warning(about, 'SUPABASE_URL is not set: this server signs people in by itself.')];
  const { url, anonKey, jwtSecret } = supabase;
  const keys = await lookUp(
    about,
    'The key set',
    async () => keySet.parse(await json(ask, `${url}/auth/v1/.well-known/jwks.json`, anonKey)),
    (found) => {
      if (found.keys.length > 0) return [good(about, 'The project publishes its keys.')];
      if (jwtSecret !== undefined) return [good(about, 'Tokens are checked with SUPABASE_JWT_SECRET.')];
      return [
        missing(
          about,
          'The project publishes no keys: change its JWT signing keys to asymmetric ones, or set SUPABASE_JWT_SECRET.',
        ),
      ];
    },
  );
  const ways = await lookUp(
    about,
    'The settings (is SUPABASE_ANON_KEY right?)',
    async () => settings.parse(await json(ask, `${url}/auth/v1/settings`, anonKey)),
    (found) => {
      if (!found.external.email) return [missing(about, 'Signing in by email is turned off in the project.')];
      if (found.disable_signup) return [missing(about, 'Signing up is turned off in the project.')];
      return [good(about, 'People can sign up and in by email.')];
    },
  );
  return [...keys, ...ways];
}

async function json(ask: typeof fetch, url: string, apikey: string): Promise<unknown> {
  const answer = await ask(url, { headers: { apikey }, signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}
