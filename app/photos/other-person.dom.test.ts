import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeJob, makeTestId, makeUser } from '../../shared/testing/make.ts';
import { systemClock } from '../db/clock.ts';
import { openPersonDb, type PersonDb } from '../db/person-db.ts';
import { createAuthClient } from '../session/auth-client.ts';
import { createAuthStorage, storageKey } from '../session/auth-storage.ts';
import { createTokens } from '../session/create-tokens.ts';
import { openDeviceDb, type DeviceDb } from '../session/device-db.ts';
import { findWaitingLogo, keepLogo } from './keep-logo.ts';
import { createLogoUploadQueue } from './logo-upload-queue.ts';
import { createPhotoEntries } from './keep.ts';
import { createPhotoUploadQueue } from './photo-upload-queue.ts';
import { createPutLogo } from './put-logo.ts';
import { createStorageUpload } from './upload.ts';

/*
 * Pictures of one person in a browser where another is signed in by now (S9). Queues, upload, tokens and session are
 * the product's.
 */

const [aroha, ben] = [makeUser(), makeUser()];
const config = { supabaseUrl: 'https://files.example.nz', supabaseAnonKey: 'anon' };

let deviceDb: DeviceDb;
let db: PersonDb;
let asked: string[];
beforeEach(async () => {
  deviceDb = openDeviceDb();
  db = openPersonDb(aroha.id);
  await db.open();
  asked = [];
});
afterEach(async () => {
  await db.delete();
  await deviceDb.delete();
});

test('[S9] a photo and a logo wait for their own person: nothing is sent under another’s token, nothing is called failed', async () => {
  const job = makeJob({ userId: aroha.id });
  await db.jobs.put(job);
  const picked = { bytes: new ArrayBuffer(8), type: 'image/jpeg', name: 'image.jpg', isOriginal: false };
  await db.photos.bulkPut(createPhotoEntries([picked], { jobId: job.id, newId: makeTestId, now: systemClock.now() }));
  await keepLogo(
    db,
    { tradieId: makeTestId(), base: '', path: `${aroha.id}/1-logo.png`, bytes: new ArrayBuffer(8), type: 'image/png' },
    '',
  );
  const storage = createAuthStorage(deviceDb, systemClock);
  const session = {
    access_token: 'token of ben',
    refresh_token: 'r',
    expires_in: 3_600,
    expires_at: 0,
    user: { id: ben.id, email: ben.email },
  };
  await storage.signingIn(() => storage.setItem(storageKey, JSON.stringify(session)));

  const fetch = (async (url: string) => (asked.push(url), Response.error())) as unknown as typeof globalThis.fetch;
  const tokens = createTokens({
    db: deviceDb,
    clock: systemClock,
    userId: aroha.id,
    openAuth: () => createAuthClient({ config, storage, fetch, isPage: false }),
    log: () => undefined,
  });
  const upload = createStorageUpload({
    supabaseUrl: config.supabaseUrl,
    anonKey: 'anon',
    fetch,
    accessToken: tokens.accessToken,
  });
  const common = {
    db,
    clock: systemClock,
    random: { next: () => 0.5 },
    log: () => undefined,
    mutate: () => Promise.reject(new Error('nothing to say')),
  };
  const photoUploads = createPhotoUploadQueue({ ...common, upload, refresh: tokens.refresh });
  const logoUploads = createLogoUploadQueue({
    ...common,
    putLogo: createPutLogo({ upload, refresh: tokens.refresh }),
    wakeUp: () => undefined,
    userId: aroha.id,
  });
  for (const one of [photoUploads, logoUploads]) {
    one.wake();
    await one.settled();
    one.stop();
  }
  expect(asked).toEqual([]);
  expect((await db.photos.toArray()).map(({ state, error }) => [state, error])).toEqual([['waiting', null]]);
  expect((await findWaitingLogo(db))?.state).toBe('waiting');
});
