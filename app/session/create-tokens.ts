import type { AuthError } from '@supabase/auth-js';
import { minute } from '../../shared/lib/durations.ts';
import type { Clock } from '../db/clock.ts';
import type { AuthClient } from './auth-client.ts';
import { dropSession, readDevice, type StoredSession } from './auth-storage.ts';
import type { DeviceDb } from './device-db.ts';
import { within } from '../db/within.ts';

/**
 * One person's access token, for the page and for the service worker. A session of another person on this device counts
 * as none (S9).
 */
export interface Tokens {
  /** Whether `accessToken` has one. */
  isReady(): Promise<boolean>;
  /**
   * The token as it is now, renewed if it is about to end; null where this person has no session here. Never waits long
   * for the provider.
   */
  accessToken(): Promise<string | null>;
  /** After a 401. `signed-out`: this person has no session here any more, also where another has one. */
  refresh(): Promise<'refreshed' | 'signed-out' | 'network'>;
}

export interface TokenPorts {
  db: DeviceDb;
  clock: Clock;
  /** Whose token it is: the person whose database the work comes from. */
  userId: string;
  /** Rejects where there is no configuration to be had. */
  openAuth(): Promise<AuthClient>;
  log(event: string, detail: string): void;
}

/** A token that ends sooner than this is renewed first. */
const marginMs = minute;
/** The longest wait for a new token before the old one is tried. */
const renewalTimeoutMs = 8_000;

export function createTokens({ db, clock, userId, openAuth, log }: TokenPorts): Tokens {
  async function own(): Promise<StoredSession | undefined> {
    const { session } = await readDevice(db);
    return session?.user.id === userId ? session : undefined;
  }

  /** The client itself tries for half a minute; no caller waits that long, and what it achieves later is not lost. */
  async function refresh(): Promise<'refreshed' | 'signed-out' | 'network'> {
    return within(clock, renewalTimeoutMs, renew(), 'network');
  }

  async function renew(): Promise<'refreshed' | 'signed-out' | 'network'> {
    const before = await own();
    if (before === undefined) return 'signed-out';
    try {
      const client = await openAuth();
      // Renews what has expired by the clock; only a session that was ended before its time needs the explicit call.
      let { error } = await client.getSession();
      if (error === null && !(await isRenewed(before)))
        ({ error } = await client.refreshSession({ refresh_token: before.refresh_token }));
      if (await isRenewed(before)) return 'refreshed';
      // Another person signed in meanwhile: what the provider said of this session no longer matters.
      if (error === null || (await own()) === undefined) return 'signed-out';
      if (isNoAnswer(error)) return 'network';
      await dropSession(db, before.access_token);
      return 'signed-out';
    } catch (error) {
      log('refresh-failed', String(error));
      return 'network';
    }
  }

  async function isRenewed(before: StoredSession): Promise<boolean> {
    const session = await own();
    return session !== undefined && session.access_token !== before.access_token;
  }

  async function accessToken(): Promise<string | null> {
    const session = await own();
    if (session === undefined) return null;
    const leftMs = session.expires_at * 1_000 - clock.now();
    // More than its whole life left: this device's clock was set back.
    if (leftMs > marginMs && leftMs <= session.expires_in * 1_000) return session.access_token;
    await refresh();
    return (await own())?.access_token ?? null;
  }

  return { refresh, accessToken, isReady: async () => (await accessToken()) !== null };
}

/** No answer, or one that decides nothing about the session (a busy provider, a portal). */
function isNoAnswer(error: AuthError): boolean {
  return (
    error.name === 'AuthRetryableFetchError' ||
    error.name === 'AuthRefreshDiscardedError' ||
    error.name === 'AuthUnknownError'
  );
}
