import { browserChannel, browserCommits, browserRandom } from '../compose/browser-ports.ts';
import { createPersonEngine, type PersonEngine } from '../compose/create-person-engine.ts';
import { readKept } from '../session/config.ts';
import { systemClock, type Clock } from '../db/clock.ts';
import type { CommitChannel } from '../db/private-rows.ts';
import { openPersonDb, openPublicDb, type PersonDb, type CollectionDb } from '../db/person-db.ts';
import { carryOutHeld } from '../held/held-changes.ts';
import { findWaitingLogo } from '../photos/keep-logo.ts';
import { createAuthClient } from '../session/auth-client.ts';
import { createAuthStorage, readDevice } from '../session/auth-storage.ts';
import { createTokens } from '../session/create-tokens.ts';
import { openDeviceDb, type DeviceDb } from '../session/device-db.ts';
import { forgetVersions, marksOf } from '../collections/forget-versions.ts';
import type { CollectionDbs } from '../collections/collection-dbs.ts';
import type { LocksPort, CollectionsPort } from '../sync/ports.ts';

export interface DrainPorts {
  fetch: typeof fetch;
  locks: LocksPort;
  log(event: string, detail: string): void;
  /** Ends it: what waits goes on waiting. */
  signal: AbortSignal;
}

/** The platform's APIs. */
export interface Platform {
  clock: Clock;
  random: typeof browserRandom;
  channelFor(userId: string): ReturnType<typeof browserChannel>;
  openDevice(): DeviceDb;
  commitsFor(userId: string): ReturnType<typeof browserCommits>;
  openPerson(userId: string, commits: CommitChannel): PersonDb;
  openPublic(): CollectionDb;
  openAuth: typeof createAuthClient;
}

const browser: Platform = {
  clock: systemClock,
  random: browserRandom,
  channelFor: browserChannel,
  openDevice: () => openDeviceDb(),
  commitsFor: browserCommits,
  openPerson: (userId, commits) => openPersonDb(userId, { commits }),
  openPublic: () => openPublicDb(),
  openAuth: createAuthClient,
};

/**
 * Collections are for screens, and none is open. A mutation about a collection's row carries that row in its outbox
 * entry.
 */
function unreadCollections(dbs: CollectionDbs): CollectionsPort {
  return {
    asked: async () => ({ versions: {}, timelines: {}, marks: await marksOf(dbs) }),
    apply: async () => undefined,
    // A reset is sent once, to the first who asks: the next page must ask for other columns as well.
    forgetVersions: ({ marks }) => forgetVersions(dbs, marks),
    hasMoreToAsk: async () => false,
    find: async () => undefined,
  };
}

/** A browser gives a sync event a few minutes; the photos of a job need most of them on a slow network. */
const exchangeMs = 30_000;
const maxRounds = 4;

/**
 * Sends what this device's person has waiting, with the app closed: the same engine under the same lock, with the
 * session from IndexedDB (C9). Resolves with the number of steps that still wait; rejects where the device could not be
 * read.
 */
export async function drainOutbox(
  { fetch, locks, log, signal }: DrainPorts,
  platform: Platform = browser,
): Promise<number> {
  const { clock, random } = platform;
  const deviceDb = platform.openDevice();
  try {
    const { person, session } = await readDevice(deviceDb);
    const config = await readKept({ db: deviceDb, log });
    // Nothing to send, or it needs its person: no use in being woken for it again.
    if (person === undefined || session === undefined || config === undefined) return 0;
    const { userId } = person;
    const storage = createAuthStorage(deviceDb, clock);
    const tokens = createTokens({
      db: deviceDb,
      clock,
      userId,
      openAuth: () => platform.openAuth({ config, storage, fetch, isPage: false }),
      log,
    });
    const commits = platform.commitsFor(userId);
    const db = platform.openPerson(userId, commits);
    const publicDb = platform.openPublic();
    const channel = platform.channelFor(userId);
    const engine = createPersonEngine({
      db,
      userId,
      clock,
      random,
      config,
      tokens,
      fetch,
      log,
      locks,
      channel,
      collections: unreadCollections({ publicDb, personDb: db }),
      // Woken because there is work and signal: a tab that is asleep must release the lock.
      isVisible: () => true,
      seemsOnline: () => true,
    });
    const stopUploads = () => {
      engine.photoUploads.stop();
      engine.logoUploads.stop();
    };
    signal.addEventListener('abort', stopUploads);
    try {
      const left = await sendAll(db, engine, signal);
      if (signal.aborted) return left;
      // What is held keeps nothing else waiting.
      return (await carryOutHeld({ db, clock, mutate: engine.sync.mutate })) ? await sendAll(db, engine, signal) : left;
    } finally {
      signal.removeEventListener('abort', stopUploads);
      await engine.stop();
      channel.close();
      db.close();
      commits.close();
      publicDb.close();
    }
  } finally {
    deviceDb.close();
  }
}

/** Mutations, then photos, then the mutations that attach the photos. */
async function sendAll(
  db: PersonDb,
  { sync, photoUploads, logoUploads }: PersonEngine,
  signal: AbortSignal,
): Promise<number> {
  let waiting = await countWaiting(db);
  for (let round = 0; round < maxRounds && waiting > 0 && !signal.aborted; round += 1) {
    await sync.drain(exchangeMs, signal);
    await photoUploads.settled();
    await logoUploads.settled();
    const left = await countWaiting(db);
    if (left >= waiting) return left;
    waiting = left;
  }
  return waiting;
}

/** Steps, not items: a picture's bytes, then the mutation that attaches them. */
async function countWaiting(db: PersonDb): Promise<number> {
  const [mutations, photos, logo] = [
    await db.outbox.count(),
    await db.photos.where('state').anyOf('waiting', 'uploading').count(),
    await findWaitingLogo(db),
  ];
  return mutations + 2 * (photos + (logo?.state === 'waiting' ? 1 : 0));
}
