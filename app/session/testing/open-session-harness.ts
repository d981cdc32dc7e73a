import type { Watched } from '../../lib/cell.ts';
import { createAuthClient } from '../auth-client.ts';
import { createAuthStorage } from '../auth-storage.ts';
import { createSession, type Session, type SessionState } from '../create-session.ts';
import { openDeviceDb } from '../device-db.ts';
import { createFakeAuthServer } from './fake-auth-server.ts';

/** The person whom the fake server signs in as `me@example.nz`. */
export const person = { userId: 'a1a1a1a1-0000-4000-8000-000000000001', email: 'a1a1@example.nz' };

export type SessionHarness = Awaited<ReturnType<typeof openSessionHarness>>;

/** A device with as many tabs as a test opens, its clock, and an authentication server. */
export async function openSessionHarness() {
  const db = openDeviceDb();
  await db.open();
  const server = createFakeAuthServer();
  const timers = new Set<() => void>();
  const sessions: Session[] = [];
  /** What a test changes: the device's clock (ms) and signal, and whose storage has been wiped. */
  const state = { now: Date.UTC(2026, 10, 21), isOnline: true, wiped: [] as string[] };
  const clock = {
    now: () => state.now,
    setTimer: (_ms: number, fire: () => void) => {
      timers.add(fire);
      return () => void timers.delete(fire);
    },
  };
  return {
    db,
    server,
    timers,
    state,
    clock,
    /** A tab. */
    open: (changes: Partial<Parameters<typeof createSession>[0]> = {}): Session => {
      const fetch = (async (...args: Parameters<typeof globalThis.fetch>) => {
        if (!state.isOnline) throw new TypeError('Failed to fetch');
        return server.fetch(...args);
      }) as typeof globalThis.fetch;
      const config = { supabaseUrl: 'https://auth.example.nz', supabaseAnonKey: 'anon' };
      const storage = createAuthStorage(db, clock);
      const session = createSession({
        db,
        clock,
        storage,
        openAuth: () => createAuthClient({ config, storage, fetch, isPage: false }),
        wipeStorage: async (userId) => (state.wiped.push(userId), 'gone'),
        homeUrl: 'https://dwang.example.nz',
        log: () => undefined,
        ...changes,
      });
      sessions.push(session);
      return session;
    },
    close: async () => {
      for (const one of sessions) one.stop();
      await db.delete();
    },
  };
}

export function until(
  watched: Watched<SessionState>,
  isWanted: (state: SessionState) => boolean,
): Promise<SessionState> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isWanted(watched.current())) return;
      unsubscribe();
      resolve(watched.current());
    };
    const unsubscribe = watched.subscribe(look);
    look();
  });
}

export const signedIn = (state: SessionState) => state.kind === 'signed-in' && !state.needsSignIn;
