import { createHash } from 'node:crypto';
import { openPersonDb, openPublicDb, personDbName } from '../../app/db/person-db.ts';
import { makePhotoEntries } from '../../app/photos/keep.ts';
import { createPhotoLane } from '../../app/photos/photo-lane.ts';
import { createHttpShelves } from '../../app/shelves/http-shelves.ts';
import { createShelves } from '../../app/shelves/shelves-on-device.ts';
import { createHttpTransport } from '../../app/sync/http-transport.ts';
import { createSync, type Sync } from '../../app/sync/create-sync.ts';
import { streamPokes } from '../../app/sync/poke.ts';
import type { SyncEvent, Transport } from '../../app/sync/ports.ts';
import { makeId } from '../../shared/lib/id.ts';
import type { Tokens } from '../server/tokens.ts';
import { newLife } from '../time/loop.ts';
import { chanceOf } from '../world/chance.ts';
import { IDBKeyRange } from './insides.ts';
import { networkError } from '../network/link.ts';
import type { Device, Tab } from './device.ts';

/** What the tabs of every device need of the world. */
export interface TabWorld {
  seed: number;
  tokens: Tokens;
  /** Photo storage: path to bytes. An upload is an upsert. */
  bucket: Map<string, number>;
  /** The row schema this tab's app knows; older ones are phones that have not been updated. */
  schemaOf(tab: Tab): number;
  onEvent(tab: Tab, event: SyncEvent): void;
  /** Stands between the engine and its transport, for whoever keeps the books. */
  watch(tab: Tab, transport: Transport): Transport;
}

const digest = async (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export function openTab(device: Device, userId: string, world: TabWorld): Tab {
  device.opened += 1;
  const life = newLife(`${device.name} tab ${device.opened}`);
  const random = chanceOf(world.seed, life.name);
  const { loop, disk, link } = device;
  const clock = {
    now: () => device.now(),
    setTimer: (ms: number, fire: () => void) => loop.after(ms, fire, life),
  };
  const dexie = { indexedDB: disk.faceFor(life), IDBKeyRange };
  const database = `${device.name}-${personDbName(userId)}`;
  const db = openPersonDb(userId, { ...dexie, name: database });
  // One browser has one public database; its name is not given in, so each device has a disk of its own.
  const publicDb = openPublicDb(dexie);
  const fetch = link.fetchFor(life);
  let token = world.tokens.fresh(userId);
  const bearer = async () => token;

  async function refresh(): Promise<'refreshed' | 'signed-out' | 'network'> {
    try {
      const fresh = await link.carry(life, () => world.tokens.fresh(userId));
      if (fresh === undefined) return 'signed-out';
      token = fresh;
      return 'refreshed';
    } catch {
      return 'network';
    }
  }

  const http = createHttpTransport({ url: '/api/sync', fetch, token: bearer });
  const transport: Transport = (request, signal) => http({ ...request, schema: world.schemaOf(tab) }, signal);
  const shelves = createShelves({
    homes: { publicDb, personDb: db },
    userId,
    clock,
    chance: random.next,
    digest,
    onDenied: async () => {},
    log: () => {},
    ...createHttpShelves({ fetch, clock, accessToken: async () => token ?? null }),
  });
  const lane = createPhotoLane({
    db, clock, random,
    refresh,
    log: () => {},
    upload: async ({ path, bytes }) => {
      try {
        return await link.carry(life, () => {
          if (world.tokens.userOf(token) === undefined) return { kind: 'unauthorized' as const };
          world.bucket.set(path, bytes.byteLength);
          return { kind: 'up' as const };
        });
      } catch (error) {
        if (error instanceof TypeError && error.message === networkError().message) return { kind: 'unreachable' };
        throw error;
      }
    },
    mutate: (name, args, along) => tab.sync.mutate(name, args, along),
  });

  const tab: Tab = {
    life, device, userId, db, database, lane, shelves,
    epoch: undefined,
    isVisible: true,
    isOldApp: device.isOldApp,
    newId: () => makeId(device.now(), random),
    makePhotos: (jobId, count) =>
      makePhotoEntries(
        Array.from({ length: count }, () => ({ bytes: new ArrayBuffer(8 + random.below(40)), type: 'image/jpeg', name: 'image.jpg', isOriginal: false })),
        { jobId, newId: () => makeId(device.now(), random), now: device.now() },
      ),
    sync: undefined as unknown as Sync,
  };
  const sync = createSync({
    db, userId, clock, random, shelves,
    transport: world.watch(tab, transport),
    session: { refresh },
    locks: device.locks.faceFor(life),
    channel: device.channel(life, database),
    lane,
    deviceMark: {
      read: async () => device.marks.has(userId),
      write: async () => void device.marks.add(userId),
    },
    pokes: streamPokes({ url: '/api/sync/poke', fetch, token: bearer, clock, random }),
    isVisible: () => tab.isVisible,
    seemsOnline: () => link.state() !== 'down',
    onEvent: (event) => world.onEvent(tab, event),
  });
  Object.assign(tab, { sync });
  sync.start();
  shelves.resume();
  return tab;
}
