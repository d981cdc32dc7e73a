import { AuthClient } from '@supabase/auth-js';
import type { Dexie } from 'dexie';
import { wipeStorage } from '../../app/db/wipe-storage.ts';
import type { Locks } from '../../app/db/open-mark.ts';
import type { Clock } from '../../app/db/clock.ts';
import { openPersonDb, openPublicDb, personDbName } from '../../app/db/person-db.ts';
import { createAuthStorage, storageKey, type AuthStorage } from '../../app/session/auth-storage.ts';
import { createSession, type SessionState } from '../../app/session/create-session.ts';
import { openDeviceDb } from '../../app/session/device-db.ts';
import { fetchWithTimeout } from '../../app/session/fetch-with-timeout.ts';
import { fetchForSession } from '../../app/session/fetch-for-session.ts';
import { createHttpCollections } from '../../app/collections/http-collections.ts';
import { createCollections, type CollectionsOnDevice } from '../../app/collections/collections-on-device.ts';
import { createProcess } from '../time/loop.ts';
import { chanceOf } from '../world/chance.ts';
import { nameOn, type Device, type Page, type Tab } from './device.ts';
import { IDBKeyRange } from './fake-indexeddb-internals.ts';
import { siteUrl } from '../network/link.ts';
import { digest, openTab, type TabWorld } from './open-tab.ts';

/**
 * A database that a sleeping tab has open is deleted under it; what a real browser does there is tested in
 * e2e/another-person.
 */
const aloneInSimulation: Locks = {
  request: async (...[, , work]: unknown[]) => (work as () => Promise<unknown>)(),
} as Locks;

/** Makes the client as app/session/auth-client.ts does; only the module is not fetched first. */
export function authOver(fetch: typeof globalThis.fetch, storage: AuthStorage): InstanceType<typeof AuthClient> {
  return new AuthClient({
    url: `${siteUrl}/auth/v1`,
    headers: { apikey: 'anon', Authorization: 'Bearer anon' },
    storageKey,
    storage,
    fetch: fetchForSession(fetchWithTimeout(fetch)),
    persistSession: true,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    flowType: 'implicit',
  });
}

/** Dexie's cache and its live queries use a database's name: a write on one device must not notify another. */
export function named<Db extends Dexie>(device: Device, db: Db): Db {
  return Object.assign(db, { name: nameOn(device, db.name) });
}

/** Opens a tab, signed in or not. */
export function openPage(device: Device, world: TabWorld): Page {
  device.opened += 1;
  const proc = createProcess(`${device.name} tab ${device.opened}`);
  const random = chanceOf(world.seed, proc.name);
  const { loop, disk, link } = device;
  const clock: Clock = { now: () => device.now(), setTimer: (ms, fire) => loop.after(ms, fire, proc) };
  const dexie = { indexedDB: disk.faceFor(proc), IDBKeyRange, cache: 'disabled' } as const;
  const fetch = link.fetchFor(proc);
  const deviceDb = named(device, openDeviceDb(dexie));
  const publicDb = named(device, openPublicDb(dexie));
  const storage = createAuthStorage(deviceDb, clock);
  let client: InstanceType<typeof AuthClient> | undefined;
  const openAuth = async () => (client ??= authOver(fetch, storage));

  /** For visitors who are signed out, as compose/public-collections.ts does it. */
  let visiting: CollectionsOnDevice | undefined;
  function visit(): void {
    visiting ??= createCollections({
      dbs: { publicDb },
      clock,
      chance: random.next,
      digest,
      onDenied: async () => {},
      log: () => {},
      ...createHttpCollections({ fetch, clock, accessToken: async () => null }),
    });
    for (const collection of ['reference', 'directory'] as const)
      visiting.refreshPublic(collection).catch(() => world.onLog('a visitor met a fault'));
  }

  async function close(tab: Tab | undefined): Promise<void> {
    if (tab === undefined) return;
    page.tab = undefined;
    tab.collections.stop();
    tab.photoUploads.stop();
    tab.held.stop();
    await tab.sync.stop();
    await tab.photoUploads.settled();
    tab.db.close();
  }

  const session = createSession({
    db: deviceDb,
    clock,
    storage,
    openAuth,
    wipeStorage: async (userId, isWanted) => {
      if (page.tab?.userId === userId) await close(page.tab);
      const database = nameOn(device, personDbName(userId));
      // The log-out may be of a person who is not in this page: an unfinished one is finished wherever the app opens
      // next.
      world.onOpened({ proc, device, userId, database });
      const db = openPersonDb(userId, { ...dexie, name: database });
      return wipeStorage({ db, clock, locks: aloneInSimulation, keepsCache: () => true, isWanted });
    },
    homeUrl: siteUrl,
    log: (event) => world.onLog(event),
  });

  let turn = Promise.resolve();
  let wasInNeed = false;
  async function settle(state: SessionState): Promise<void> {
    if (state.kind === 'starting' || state.kind === 'unreadable') return;
    if (state.kind === 'signed-out' || state.person.userId !== page.tab?.userId) await close(page.tab);
    if (state.kind === 'signed-in') {
      visiting?.stop();
      visiting = undefined;
    } else if (proc.state !== 'dead') visit();
    if (state.kind === 'signed-in' && page.tab === undefined && proc.state !== 'dead')
      page.tab = openTab(page, state.person.userId, world);
    const isInNeed = state.kind === 'signed-in' && state.needsSignIn;
    if (wasInNeed && !isInNeed) page.tab?.sync.wakeUp('signed-in');
    wasInNeed = isInNeed;
  }
  const follow = () => {
    turn = turn
      .then(() => settle(session.state.current()))
      .catch((error: unknown) => world.onLog(`unforeseen: ${String(error)}`));
  };

  const page: Page = {
    proc,
    device,
    clock,
    random,
    fetch,
    deviceDb,
    publicDb,
    session,
    tab: undefined,
    visit: () => session.state.current().kind === 'signed-out' && visit(),
    signIn: async (userId) => void (await session.signIn(world.auth.emailOf(userId), userId)),
    openLink: async (mailed) => {
      const client = await openAuth();
      const { error } = await storage.signingIn(() => client.setSession(mailed));
      if (error !== null) throw error;
    },
    forget: () => {
      stopFollowing();
      session.stop();
      page.tab?.held.stop();
    },
  };
  const stopFollowing = session.state.subscribe(follow);
  follow();
  return page;
}
