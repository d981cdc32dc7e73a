import { exchangeAnswerSchema, type ExchangeRequest } from '../../shared/protocol/exchange.ts';
import type { Clock } from '../../app/db/clock.ts';
import { openPersonDb, openPublicDb, personDbName } from '../../app/db/person-db.ts';
import { openDeviceDb } from '../../app/session/device-db.ts';
import { drainOutbox } from '../../app/worker/drain-outbox.ts';
import { siteUrl } from '../network/link.ts';
import { createProcess, type SimProcess } from '../time/loop.ts';
import { chanceOf } from '../world/chance.ts';
import { nameOn, type Device, type Client } from './device.ts';
import { IDBKeyRange } from './fake-indexeddb-internals.ts';
import { authOver, named } from './open-page.ts';
import type { TabWorld } from './open-tab.ts';

/**
 * The service worker is woken by a sync event (C9): the product's own, over this device's ports. `done`: how many steps
 * are left.
 */
export function openWorker(device: Device, world: TabWorld): { proc: SimProcess; done: Promise<number> } {
  device.opened += 1;
  const proc = createProcess(`${device.name} worker ${device.opened}`);
  const random = chanceOf(world.seed, proc.name);
  const clock: Clock = { now: () => device.now(), setTimer: (ms, fire) => device.loop.after(ms, fire, proc) };
  const dexie = { indexedDB: device.disk.faceFor(proc), IDBKeyRange, cache: 'disabled' } as const;
  const openDevice = () => named(device, openDeviceDb(dexie));
  let client: Client | undefined;

  const fetchFor = device.link.fetchFor(proc);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (client === undefined) return fetchFor(input, init);
    world.onSent(client, String(input), init ?? {});
    if (String(input) !== '/api/sync') return fetchFor(input, init);
    const body = { ...(JSON.parse(String(init?.body)) as ExchangeRequest), schema: world.schemaOf(device) };
    if (body.mutations.length > 0) world.onLog('the worker sends what waits');
    const response = await fetchFor(input, { ...init, body: JSON.stringify(body) });
    const answer = exchangeAnswerSchema.safeParse(jsonOf(await response.text()));
    if (response.ok && answer.success) world.onReceived(client, answer.data);
    return response;
  };

  const drain = async () => {
    // A page stores the configuration in this form when it first reads it.
    const deviceDb = openDevice();
    await deviceDb.entries.put({ key: 'config', value: { supabaseUrl: siteUrl, supabaseAnonKey: 'anon' } });
    deviceDb.close();
    return drainOutbox(
      {
        fetch,
        locks: device.locks.faceFor(proc),
        log: (event) => world.onLog(`worker: ${event}`),
        signal: new AbortController().signal,
      },
      {
        clock,
        random,
        openDevice,
        channelFor: (userId) => ({ ...device.channel(proc, nameOn(device, personDbName(userId))), close: () => {} }),
        commitsFor: (userId) => {
          const name = `${nameOn(device, personDbName(userId))} commits`;
          return { ...device.channel(proc, name), close: () => {} };
        },
        openPerson: (userId, commits) => {
          const database = nameOn(device, personDbName(userId));
          client = { proc, device, userId, database };
          world.onOpened(client);
          return openPersonDb(userId, {
            indexedDB: dexie.indexedDB,
            IDBKeyRange,
            name: database,
            commits,
          });
        },
        openPublic: () => named(device, openPublicDb(dexie)),
        openAuth: async ({ storage }) => authOver(fetchFor, storage),
      },
    );
  };
  return { proc, done: drain() };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
