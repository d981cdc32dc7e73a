import { keepPushedJobs, regionOfTown } from '../../app/collections/keep-pushed-jobs.ts';
import { findInCollection } from '../../app/collections/find-in-collection.ts';
import { openPersonDb, openPublicDb, personDbName } from '../../app/db/person-db.ts';
import { readDevice } from '../../app/session/auth-storage.ts';
import { openDeviceDb } from '../../app/session/device-db.ts';
import { showAlert } from '../../app/worker/show-alert.ts';
import { createProcess, type SimProcess } from '../time/loop.ts';
import { nameOn, type Device } from './device.ts';
import { IDBKeyRange } from './fake-indexeddb-internals.ts';
import { named } from './open-page.ts';
import type { TabWorld } from './open-tab.ts';

/** What the person sees on the locked screen. */
export interface ShownAlert {
  title: string;
  body: string;
}

/** The browser hands a message to the device's service worker: the product's own, over this device's storage. */
export function deliverPush(
  device: Device,
  world: Pick<TabWorld, 'onLog' | 'onOpened'>,
  text: string,
  onShown: (shown: ShownAlert) => void,
): { proc: SimProcess; done: Promise<void> } {
  device.opened += 1;
  const proc = createProcess(`${device.name} push ${device.opened}`);
  const dexie = { indexedDB: device.disk.faceFor(proc), IDBKeyRange, cache: 'disabled' } as const;
  const done = showAlert(text, {
    registration: {
      showNotification: async (title, options) => onShown({ title, body: options?.body ?? '' }),
    },
    personHere: async () => {
      const db = named(device, openDeviceDb(dexie));
      try {
        return (await readDevice(db)).person?.userId;
      } finally {
        db.close();
      }
    },
    keepJobs: async (userId, data) => {
      const database = nameOn(device, personDbName(userId));
      world.onOpened({ proc, device, userId, database });
      const db = openPersonDb(userId, { indexedDB: dexie.indexedDB, IDBKeyRange, name: database });
      try {
        return await keepPushedJobs(db, data, async (town) => {
          const publicDb = named(device, openPublicDb(dexie));
          try {
            return regionOfTown(await findInCollection(publicDb, 'reference', town));
          } finally {
            publicDb.close();
          }
        });
      } finally {
        db.close();
      }
    },
    log: (event) => world.onLog(`push: ${event}`),
  });
  return { proc, done };
}
