import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { hour } from '../../../shared/lib/durations.ts';
import { isLoopbackHost } from '../../http/loopback-host.ts';
import { notFound, HttpProblem } from '../../http/http-problem.ts';

/** Milliseconds a browser stays signed in to the health page. */
const stays = 8 * hour;
export const adminCookie = 'dwang-admin';

export interface AdminGuard {
  /** Is this the token? In a time that says nothing of how nearly. */
  isToken(given: string): boolean;
  /** What a browser gets for the token: not the token itself, and for some hours. */
  makeCookie(): string;
  /**
   * Lets an operator through, by bearer or, to look only, by cookie. @throws HttpProblem 401, or 404 where there is no
   * way in.
   */
  check(ctx: Context, may: 'look' | 'act'): void;
  /** Whether a browser could sign in here. */
  hasToken: boolean;
}

interface GuardParts {
  /** Every one of these counts: the configured one, and the one in the data directory. */
  tokens: readonly string[];
  /** The first of them was given to people: there is something to sign in with. */
  canSignIn: boolean;
  /**
   * A machine of one's own shows its health and its mailbox to requests from that machine, and to none by another host
   * name or through a proxy.
   */
  isOpenHere: boolean;
  clock: () => Date;
}

/** Equal lengths, whatever was given: the comparison then takes the same time. */
const digest = (text: string) => createHash('sha256').update(text).digest();

export function createAdminGuard({ tokens, canSignIn, isOpenHere, clock }: GuardParts): AdminGuard {
  const known = tokens.map(digest);
  const sign = (key: Buffer, until: string) =>
    createHmac('sha256', key).update(`${adminCookie} ${until}`).digest('base64url');
  // Every one is compared, so that the duration does not reveal which one matched.
  const isToken = (given: string) => known.filter((token) => timingSafeEqual(token, digest(given))).length > 0;

  function isCookie(given: string | undefined): boolean {
    const [until = '', signature = ''] = (given ?? '').split('.');
    if (!/^\d{1,15}$/.test(until) || Number(until) <= clock().getTime()) return false;
    return known.some((key) => timingSafeEqual(digest(sign(key, until)), digest(signature)));
  }

  return {
    hasToken: canSignIn,
    isToken,
    makeCookie() {
      const [key] = known;
      if (!canSignIn || key === undefined) throw notFound();
      const until = String(clock().getTime() + stays);
      return `${until}.${sign(key, until)}`;
    },
    check(ctx, may) {
      const bearer = /^bearer +(\S+)$/i.exec(ctx.get('Authorization').trim())?.[1];
      if (bearer !== undefined && isToken(bearer)) return;
      if (may === 'look' && ((isOpenHere && isLoopbackHost(ctx)) || isCookie(ctx.cookies.get(adminCookie)))) return;
      // Where no token could open it, the page's existence is not revealed.
      if (!canSignIn) throw notFound();
      throw new HttpProblem(
        401,
        { error: 'The admin token is needed', code: 'admin-token-needed' },
        { 'WWW-Authenticate': 'Bearer realm="admin"' },
      );
    },
  };
}
