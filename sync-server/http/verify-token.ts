import { createLocalJWKSet, createRemoteJWKSet, customFetch, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { FetchImplementation, JWTPayload, JWTVerifyGetKey } from 'jose';
import { isUuid } from '../../shared/lib/uuid.ts';
import type { Deps } from '../ports/deps.ts';
import { createPayloadCache } from './payload-cache.ts';

export type VerifyToken = Deps['verifyToken'];

export interface TokenRules {
  /** The `iss` tokens must carry. */
  issuer: () => string;
  /** Finds the public key of a signature. */
  getKey: JWTVerifyGetKey;
  /** Asymmetric ones only: with HMAC in this list, the published key would itself be a secret to sign with. */
  algorithms: readonly ('ES256' | 'RS256')[];
  /** Secret of HS256 tokens, where the project still signs with one. Without it HS256 is rejected. */
  hmacSecret?: string | undefined;
  /** Is the session of the token still there, and this person's? Left out where that cannot be checked. */
  isSessionLive?: ((sessionId: string, userId: string) => Promise<boolean>) | undefined;
  clock: () => Date;
}

const leewaySeconds = 5;

/**
 * Checks access tokens of the embedded and of the hosted sign-in alike: signature with a pinned algorithm, issuer,
 * audience, expiry, and the session where that can be checked. Undefined for every invalid token.
 *
 * @throws what the key set or the database threw: then nothing is known of the token, and its person stays signed in.
 */
export function createVerifyToken(rules: TokenRules): VerifyToken {
  const secret = rules.hmacSecret === undefined ? undefined : new TextEncoder().encode(rules.hmacSecret);

  async function payloadOf(token: string): Promise<JWTPayload> {
    const common = {
      issuer: rules.issuer(),
      audience: 'authenticated',
      clockTolerance: leewaySeconds,
      currentDate: rules.clock(),
      requiredClaims: ['sub', 'exp'],
    };
    const { alg } = decodeProtectedHeader(token);
    if (alg === 'HS256' && secret !== undefined)
      return (await jwtVerify(token, secret, { ...common, algorithms: ['HS256'] })).payload;
    return (await jwtVerify(token, rules.getKey, { ...common, algorithms: [...rules.algorithms] })).payload;
  }

  const read = createPayloadCache(payloadOf, rules.clock);
  return async (token) => {
    try {
      const { sub = '', role, email, session_id: session } = await read(token);
      if (role !== 'authenticated' || !isUuid(sub)) return undefined;
      const sessionId = typeof session === 'string' ? session : undefined;
      if (rules.isSessionLive && !(sessionId !== undefined && (await rules.isSessionLive(sessionId, sub))))
        return undefined;
      return {
        userId: sub,
        email: typeof email === 'string' ? email : '',
        ...(sessionId === undefined ? {} : { sessionId }),
      };
    } catch (cause) {
      if (isTokenError(cause)) return undefined;
      throw cause;
    }
  };
}

/**
 * `decodeProtectedHeader` throws TypeErrors for what is no token at all; a key set that cannot be had is not the
 * token's error.
 */
function isTokenError(cause: unknown): boolean {
  if (cause instanceof KeySetUnavailable) return false;
  return cause instanceof errors.JOSEError || (cause instanceof TypeError && cause.message.startsWith('Invalid Token'));
}

/** The key set could not be fetched. `code` makes `isTransient` see it: the request is answered 503, not 401. */
class KeySetUnavailable extends Error {
  readonly code = 'ECONNREFUSED';
}

/** Rules for a hosted project: its published keys, and its old secret where one is given. */
export function hostedRules(
  { url, jwtSecret }: { url: string; jwtSecret: string | undefined },
  clock: () => Date,
  fetchKeys?: FetchImplementation,
): TokenRules {
  const issuer = `${url}/auth/v1`;
  const remote = createRemoteJWKSet(
    new URL(`${issuer}/.well-known/jwks.json`),
    fetchKeys === undefined ? {} : { [customFetch]: fetchKeys },
  );
  const getKey: JWTVerifyGetKey = async (header, token) => {
    try {
      return await remote(header, token);
    } catch (cause) {
      if (isAboutTheKey(cause)) throw cause;
      const known = remote.jwks();
      // Keys outlive an outage of their publisher.
      if (known) return createLocalJWKSet(known)(header, token);
      throw new KeySetUnavailable('The key set of the sign-in service cannot be fetched', { cause });
    }
  };
  return { issuer: () => issuer, getKey, algorithms: ['ES256', 'RS256'], hmacSecret: jwtSecret, clock };
}

function isAboutTheKey(cause: unknown): boolean {
  const kinds = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
  return kinds.some((kind) => cause instanceof kind);
}
