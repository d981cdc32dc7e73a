import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SessionRow } from '../embedded-tables.ts';

/** The content of a refresh token once its signature is verified. */
export interface RefreshClaim {
  sessionId: string;
  /** How many refreshes came before this token. */
  count: number;
}

const idBytes = 16;
const bodyBytes = idBytes + 4;
const macBytes = 16;

const mac = (body: Buffer, secret: string) =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update(body).digest().subarray(0, macBytes);

/**
 * A refresh token is the session's id and the refresh count with a MAC: the current one can be computed again for a
 * client that lost the answer, without storing a token.
 */
export function createRefreshToken({ sessionId, count }: RefreshClaim, secret: string): string {
  const body = Buffer.alloc(bodyBytes);
  body.write(sessionId.replaceAll('-', ''), 'hex');
  body.writeUInt32BE(count, idBytes);
  return Buffer.concat([body, mac(body, secret)]).toString('base64url');
}

/** The one that the session is at. */
export const refreshTokenOf = ({ id, refresh_count: count, refresh_secret: secret }: SessionRow) =>
  createRefreshToken({ sessionId: id, count }, secret);

/** Undefined where it has not the form of one; it proves nothing before `isAuthentic`. */
export function readRefreshToken(token: string): RefreshClaim | undefined {
  if (!/^[\w-]{48}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const sessionId = bytes.toString('hex', 0, idBytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { sessionId, count: bytes.readUInt32BE(idBytes) };
}

export function isAuthentic(token: string, secret: string): boolean {
  const bytes = Buffer.from(token, 'base64url');
  return timingSafeEqual(bytes.subarray(bodyBytes), mac(bytes.subarray(0, bodyBytes), secret));
}
