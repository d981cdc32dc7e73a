import { SignJWT } from 'jose';
import type { SessionRow, UserRow } from '../embedded-tables.ts';
import type { SigningKeys } from './signing-keys.ts';

export const accessTokenSeconds = 3600;
export const audience = 'authenticated';

export interface AccessTokens {
  /** Who signs: the `iss` of every token. */
  issuer(): string;
  make(user: UserRow, session: SessionRow): Promise<{ token: string; expiresAt: number }>;
}

/** Access tokens with the claims of the hosted service, signed with ES256. */
export function createAccessTokens(parts: {
  keys: SigningKeys;
  clock: () => Date;
  publicUrl: () => string;
}): AccessTokens {
  const { keys, clock, publicUrl } = parts;
  const issuer = () => `${publicUrl()}/auth/v1`;
  return {
    issuer,
    async make(user, session) {
      const issuedAt = Math.floor(clock().getTime() / 1000);
      const expiresAt = issuedAt + accessTokenSeconds;
      const token = await new SignJWT({
        email: user.email,
        phone: '',
        app_metadata: { provider: 'email', providers: ['email'] },
        user_metadata: user.user_metadata,
        role: audience,
        aal: 'aal1',
        amr: [{ method: session.method, timestamp: Math.floor(session.created_at.getTime() / 1000) }],
        session_id: session.id,
        is_anonymous: false,
      })
        .setProtectedHeader({ alg: 'ES256', kid: keys.kid, typ: 'JWT' })
        .setIssuer(issuer())
        .setSubject(user.id)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(keys.privateKey);
      return { token, expiresAt };
    },
  };
}
