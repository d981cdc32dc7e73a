import { createHash } from 'node:crypto';
import { openPersonDb, personDbName } from '../../app/db/person-db.ts';
import { createHeldChanges, type Made } from '../../app/held/held-changes.ts';
import { createPhotoEntries } from '../../app/photos/keep.ts';
import { createPhotoUploadQueue } from '../../app/photos/photo-upload-queue.ts';
import { createStorageUpload } from '../../app/photos/upload.ts';
import { createDeviceMark } from '../../app/session/device-mark.ts';
import { cacheAnswer } from '../../app/session/cache-answer.ts';
import { createHttpCollections } from '../../app/collections/http-collections.ts';
import { createCollections } from '../../app/collections/collections-on-device.ts';
import { createHttpTransport } from '../../app/sync/http-transport.ts';
import { createSync, type Sync } from '../../app/sync/create-sync.ts';
import { streamPokes } from '../../app/sync/poke.ts';
import type { SyncEvent, Transport } from '../../app/sync/ports.ts';
import { createId } from '../../shared/lib/id.ts';
import type { ExchangeAnswer } from '../../shared/protocol/exchange.ts';
import type { AuthServer } from '../server/auth-server.ts';
import { siteUrl } from '../network/link.ts';
import { IDBKeyRange } from './fake-indexeddb-internals.ts';
import { nameOn, type Client, type Page, type Tab } from './device.ts';

/** What the tabs of every device need of the world. */
export interface TabWorld {
  seed: number;
  auth: AuthServer;
  /** The row schema this tab's app knows; older ones are phones that have not been updated. */
  schemaOf(of: { isOldApp: boolean }): number;
  onEvent(event: SyncEvent): void;
  /** An engine has sent something. */
  onSent(client: Client, url: string, init: RequestInit): void;
  onLog(event: string): void;
  /** A tab shows a person's rows. */
  onScreen(tab: Tab): void;
  /** A database was opened. */
  onOpened(client: Client): void;
  /** What a tab held is a mutation now, or could not become one. */
  onHeldMade(tab: Tab, made: Made): void;
  /** An answer has come. */
  onReceived(client: Client, answer: ExchangeAnswer): void;
}

/** The app caches a token for so long, for the fifty requests of a download. */
const tokenHeldMs = 2_000;

/** What `crypto.subtle` returns, synchronously. */
export const digest = async (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Opens one person's database in a page, and starts its engine, as the app does. */
export function openTab(page: Page, userId: string, world: TabWorld): Tab {
  const { device, proc, clock, random, session } = page;
  const { disk, link } = device;
  const dexie = { indexedDB: disk.faceFor(proc), IDBKeyRange };
  const database = nameOn(device, personDbName(userId));
  const db = openPersonDb(userId, { ...dexie, name: database, commits: device.channel(proc, `${database} commits`) });
  const publicDb = page.publicDb;
  const fetch: typeof globalThis.fetch = (input, init) => {
    world.onSent(tab, String(input), init ?? {});
    return page.fetch(input, init);
  };
  const tokens = session.tokensFor(userId);
  const token = async () => (await tokens.accessToken()) ?? undefined;

  const named = createHash('sha256').update(database).digest('hex').slice(0, 32);
  const deviceId = async () => named;
  const http = createHttpTransport({
    url: '/api/sync',
    fetch,
    token,
    trace: { requestId: () => 'simulated', deviceId },
  });
  const transport: Transport = (request, signal) => http({ ...request, schema: world.schemaOf(tab) }, signal);
  const collections = createCollections({
    dbs: { publicDb, personDb: db },
    userId,
    clock,
    chance: random.next,
    digest,
    onDenied: async () => {},
    onOtherRegions: () => sync.wakeUp('poke'),
    log: () => {},
    ...createHttpCollections({ fetch, clock, accessToken: cacheAnswer(clock, tokenHeldMs, tokens.accessToken) }),
  });
  const photoUploads = createPhotoUploadQueue({
    db,
    clock,
    random,
    refresh: tokens.refresh,
    log: () => {},
    upload: createStorageUpload({ supabaseUrl: siteUrl, anonKey: 'anon', fetch, accessToken: tokens.accessToken }),
    mutate: (name, args, companions) => tab.sync.mutate(name, args, companions),
  });

  const tab: Tab = {
    proc,
    page,
    device,
    userId,
    db,
    database,
    photoUploads,
    collections,
    isVisible: true,
    isOldApp: device.isOldApp,
    newId: () => createId(device.now(), random),
    makePhotos: (jobId, count) =>
      createPhotoEntries(
        Array.from({ length: count }, () => ({
          bytes: new ArrayBuffer(8 + random.below(40)),
          type: 'image/jpeg',
          name: 'image.jpg',
          isOriginal: false,
        })),
        { jobId, newId: () => createId(device.now(), random), now: device.now() },
      ),
    sync: undefined as unknown as Sync,
    held: createHeldChanges({
      db,
      clock,
      random,
      mutate: (name, args, companions) => tab.sync.mutate(name, args, companions),
      log: (event) => world.onLog(event),
    }),
  };
  tab.held.onMade((made) => world.onHeldMade(tab, made));
  // An app of before takes no changes.
  const listen = streamPokes({
    url: '/api/sync/poke',
    fetch,
    token,
    clock,
    random,
    deviceId: device.isOldApp ? undefined : deviceId,
  });
  const sync = createSync({
    db,
    userId,
    clock,
    random,
    collections,
    transport: async (request, signal) => {
      const result = await transport(request, signal);
      if (result.ok) world.onReceived(tab, result.answer);
      return result;
    },
    session: tokens,
    locks: device.locks.faceFor(proc),
    channel: device.channel(proc, database),
    uploads: photoUploads,
    deviceMark: createDeviceMark(page.deviceDb, userId),
    pokes: (onPoke, signal, onChange) =>
      listen(onPoke, signal, (change) => {
        world.onReceived(tab, change.answer);
        world.onEvent({ kind: 'log', event: 'change-carried', detail: '' });
        onChange(change);
      }),
    isVisible: () => tab.isVisible,
    seemsOnline: () => link.state() !== 'down',
    onEvent: world.onEvent,
  });
  Object.assign(tab, { sync });
  world.onOpened(tab);
  world.onScreen(tab);
  sync.start();
  collections.resume();
  return tab;
}
