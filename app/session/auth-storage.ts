import { withConnection } from '../db/connection.ts';
import type { Clock } from '../db/clock.ts';
import type { DeviceDb, Person } from './device-db.ts';
import { forgetScreens } from './kept-screens.ts';

/** Fixed, so that another host name does not sign every person out. */
export const storageKey = 'dwang-auth';
const sessionEntry = `auth:${storageKey}` as const;

/** The part of the provider's session that is used here. */
export interface StoredSession {
  access_token: string;
  refresh_token: string;
  /** Seconds. */
  expires_in: number;
  /** Unix seconds by this device's clock, see below. */
  expires_at: number;
  user: { id: string; email?: string };
}

export interface AuthStorage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
  /**
   * While `work` runs, a sign-in is under way: only then may a session of another person take this device over, if it
   * `mayReplace` them.
   */
  signingIn<T>(work: () => Promise<T>, mayReplace?: (userId: string) => boolean): Promise<T>;
  /** While `work` runs, the client finds this person's session or none. */
  actingFor<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

/** What an entry holds, or undefined where it is not a session: one saved by other code or another release. */
export function readSession(text: unknown): StoredSession | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value = JSON.parse(text) as Partial<StoredSession> | null;
    const isWhole =
      typeof value?.access_token === 'string' &&
      typeof value.refresh_token === 'string' &&
      typeof value.user?.id === 'string';
    return isWhole ? (value as StoredSession) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where the authentication client keeps its session. A session that is saved names the person of this device in the
 * same transaction; one that is removed leaves the person, because the provider's answer must not wipe a person's
 * storage (C10).
 *
 * A renewal that comes back after another person signed in here, or after its person logged out, is not kept (S9). And
 * the client removes nothing: it would remove whichever session is here by then; `createTokens` drops the one that
 * ended.
 *
 * A new token's end is computed from its length of life by this device's own clock: with the server's instant a phone
 * whose clock is a day ahead would renew its token at every request.
 */
export function createAuthStorage(db: DeviceDb, clock: Clock): AuthStorage {
  const signIns = new Set<(userId: string) => boolean>();
  let actsFor: string | undefined;
  return {
    signingIn: async (work, mayReplace = () => true) => {
      const own = (userId: string) => mayReplace(userId);
      signIns.add(own);
      try {
        return await work();
      } finally {
        signIns.delete(own);
      }
    },
    actingFor: async (userId, work) => {
      actsFor = userId;
      try {
        return await work();
      } finally {
        actsFor = undefined;
      }
    },
    getItem: async (key) => {
      const value = (await withConnection(db, () => db.entries.get(`auth:${key}`)))?.value;
      if (typeof value !== 'string') return null;
      return actsFor === undefined || key !== storageKey || readSession(value)?.user.id === actsFor ? value : null;
    },
    setItem: (key, value) =>
      withConnection(db, () =>
        db.transaction('rw', 'entries', async () => {
          const session = key === storageKey ? readSession(value) : undefined;
          if (session === undefined) return void (await db.entries.put({ key: `auth:${key}`, value }));
          const [here, kept] = await db.entries.bulkGet(['person', sessionEntry]);
          const { userId: before, email } = (here?.value as Person | undefined) ?? {};
          const mayComeIn = [...signIns].some((mayReplace) => before === undefined || mayReplace(before));
          if (before !== session.user.id && !mayComeIn) return;
          if (before !== session.user.id) await forgetScreens(db);
          const last = readSession(kept?.value);
          const isSame = last?.access_token === session.access_token;
          const endsAt = isSame ? last.expires_at : Math.floor(clock.now() / 1_000) + session.expires_in;
          await db.entries.put({ key: sessionEntry, value: JSON.stringify({ ...session, expires_at: endsAt }) });
          const person: Person = { userId: session.user.id, email: session.user.email ?? '' };
          await db.entries.put({ key: 'person', value: person });
          if (before && email && before !== person.userId && email === person.email)
            await db.entries.put({
              key: `former:${person.userId}`,
              value: [before, ...(await readFormer(db, before))].filter((id) => id !== person.userId),
            });
          // Their database is wanted again, also by a tab that sleeps in the middle of wiping it.
          await db.entries.bulkDelete([`emptied:${person.userId}`, `leaving:${person.userId}`]);
        }),
      ),
    removeItem: async (key) => {
      if (key !== storageKey) await withConnection(db, () => db.entries.delete(`auth:${key}`));
    },
  };
}

/**
 * Ids under which this person was here before. What they left under one is on this device alone, and goes with them.
 */
async function readFormer(db: DeviceDb, userId: string): Promise<string[]> {
  return ((await db.entries.get(`former:${userId}`))?.value as string[] | undefined) ?? [];
}

/** Who this device belongs to, and their session with the provider, while it lasts. */
export interface Device {
  person: Person | undefined;
  session: StoredSession | undefined;
}

/** The person of this device and their session, in one read. */
export async function readDevice(db: DeviceDb): Promise<Device> {
  const [person, session] = await withConnection(db, () => db.entries.bulkGet(['person', sessionEntry]));
  return { person: person?.value as Person | undefined, session: readSession(session?.value) };
}

/** The provider has ended this session; the person stays. A newer one, from another tab, is left alone. */
export async function dropSession(db: DeviceDb, accessToken: string): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', 'entries', async () => {
      const session = readSession((await db.entries.get(sessionEntry))?.value);
      if (session?.access_token === accessToken) await db.entries.delete(sessionEntry);
    }),
  );
}

/**
 * The person leaves: their session, their name and the install marker of their database go; `leaving` says whose
 * storage is still to be wiped, that of their former accounts too. Gives the session they had. Where another person has
 * signed in here meanwhile, nothing of theirs is touched.
 */
export async function forgetPerson(db: DeviceDb, userId: string): Promise<StoredSession | undefined> {
  return withConnection(db, () =>
    db.transaction('rw', 'entries', async () => {
      const { person, session } = await readDevice(db);
      for (const id of [userId, ...(await readFormer(db, userId))]) {
        await db.entries.bulkDelete([`mark:${id}`, `former:${id}`]);
        await db.entries.put({ key: `leaving:${id}`, value: id });
      }
      if (person !== undefined && person.userId !== userId) return undefined;
      await forgetScreens(db);
      await db.entries.where('key').startsWith('auth:').delete();
      await db.entries.delete('person');
      return session?.user.id === userId ? session : undefined;
    }),
  );
}
