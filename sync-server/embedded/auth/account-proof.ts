import { createHmac } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import type { Context } from 'koa';
import { day, second } from '../../../shared/lib/durations.ts';
import { isUuid } from '../../../shared/lib/uuid.ts';
import type { UserRow } from '../embedded-tables.ts';
import { digest } from './one-time-tokens.ts';

/** The account that a session was given to. */
export interface ProvenAccount {
  id: string;
  email: string;
  createdAt: Date;
}

/** A link's session is there before its person, or another who is signed in there, has said that they come in. */
export type SessionWay = 'asked-for' | 'by-link';

export interface AccountProofs {
  /** Sets the proof of the account beside each session, and as the person of a mailed link comes in. */
  give(ctx: Context, user: UserRow, refreshToken: string, way: SessionWay): Promise<void>;
  /** The account that this refresh token was given to; undefined where the request does not prove it. */
  find(ctx: Context, refreshToken: string): Promise<ProvenAccount | undefined>;
}

/**
 * A link's has a place of its own until its first renewal brings it to the other: who signs in while it is being taken
 * is asked, and may stay.
 */
const cookieNames = { 'asked-for': 'dwang-account', 'by-link': 'dwang-account-link' } as const;
/** Seconds. As long as a device may be away and still restore what a database lost. */
const lifeSeconds = (60 * day) / second;

/**
 * A database that was restored knows neither the sessions nor the accounts that were made after its backup. What is
 * left of them is with their devices: the refresh token, and this encrypted HttpOnly cookie for `/auth/v1` alone, which
 * names the account and the one token that it was given with. Neither proves anything without the other, so the cookie
 * that a log-out leaves behind proves nothing.
 */
export function createAccountProofs(parts: {
  secret: Buffer;
  clock: () => Date;
  publicUrl: () => string;
}): AccountProofs {
  const { secret, clock, publicUrl } = parts;
  const key = createHmac('sha256', secret).update('account proof').digest();

  return {
    async give(ctx, user, refreshToken, way) {
      const proof = await new EncryptJWT({
        email: user.email,
        created: user.created_at.getTime(),
        token: digest(refreshToken),
      })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setSubject(user.id)
        .setExpirationTime(Math.floor(clock().getTime() / 1000) + lifeSeconds)
        .encrypt(key);
      const secure = publicUrl().startsWith('https:') ? '; Secure' : '';
      ctx.append(
        'Set-Cookie',
        `${cookieNames[way]}=${proof}; Path=/auth/v1; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Strict${secure}`,
      );
    },
    async find(ctx, refreshToken) {
      for (const name of Object.values(cookieNames)) {
        const account = await read(ctx.cookies.get(name), refreshToken);
        if (account !== undefined) return account;
      }
      return undefined;
    },
  };

  async function read(proof: string | undefined, refreshToken: string): Promise<ProvenAccount | undefined> {
    try {
      const { payload } = await jwtDecrypt(proof ?? '', key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        currentDate: clock(),
        requiredClaims: ['sub', 'exp'],
      });
      const { sub: id = '', email, created, token } = payload;
      if (!isUuid(id) || typeof email !== 'string' || typeof created !== 'number') return undefined;
      return token === digest(refreshToken) ? { id, email, createdAt: new Date(created) } : undefined;
    } catch (cause) {
      if (cause instanceof errors.JOSEError || cause instanceof TypeError) return undefined;
      throw cause;
    }
  }
}
