import { SignJWT } from 'jose';

/**
 * A project's secret and address, for servers that are configured as hosted ones and for tokens they take. Nothing
 * listens there.
 */
const secret = 'a-secret-for-stress-and-benchmarks-only';
const url = 'http://127.0.0.1:1';

/** The environment of a server that trusts `tokenFor`. */
export const hostedEnvironment = { SUPABASE_URL: url, SUPABASE_ANON_KEY: 'anon', SUPABASE_JWT_SECRET: secret };

/** An access token as the hosted sign-in hands it out, good for some hours. */
export function tokenFor(userId: string): Promise<string> {
  return new SignJWT({ role: 'authenticated', email: 'somebody@example.nz' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(`${url}/auth/v1`)
    .setAudience('authenticated')
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime('12h')
    .sign(new TextEncoder().encode(secret));
}
