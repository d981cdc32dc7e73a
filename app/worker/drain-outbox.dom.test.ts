import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob, makeTestId, makeUser } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { systemClock } from '../db/clock.ts';
import { openPersonDb, openPublicDb, type PersonDb } from '../db/person-db.ts';
import { createPhotoEntries } from '../photos/keep.ts';
import { createHeldChanges, heldIn } from '../held/held-changes.ts';
import { createAuthStorage, storageKey } from '../session/auth-storage.ts';
import { openDeviceDb, type DeviceDb } from '../session/device-db.ts';
import { mutate } from '../sync/mutate.ts';
import { fakeLocks } from '../testing/fake-locks.ts';
import { fakeNetwork, type FakeNetwork } from '../testing/fake-network.ts';
import { createDeviceServer, type DeviceServer } from '../../sync-server/testing/device-server.ts';
import { createDeferred } from '../testing/deferred.ts';
import { drainOutbox } from './drain-outbox.ts';
import { createUnderWay } from './under-way.ts';

const config = { supabaseUrl: 'https://files.example.nz', supabaseAnonKey: 'anon' };
const random = seededRandom(11);

let deviceDb: DeviceDb;
let db: PersonDb;
let server: DeviceServer;
let network: FakeNetwork;
let stored: string[];
const person = makeUser();
const jobId = makeTestId();

beforeEach(async () => {
  server = createDeviceServer(systemClock);
  server.write((rows) => rows.users.set(person.id, person));
  network = fakeNetwork(server);
  stored = [];
  deviceDb = openDeviceDb();
  db = openPersonDb(person.id);
  await db.open();
  await deviceDb.entries.put({ key: 'config', value: config });
});
afterEach(async () => {
  await db.delete();
  await deviceDb.delete();
});

async function signIn({ id, email } = person): Promise<void> {
  const session = {
    access_token: network.freshToken(id),
    refresh_token: 'r',
    expires_in: 3_600,
    expires_at: 0,
    user: { id, email },
  };
  const storage = createAuthStorage(deviceDb, systemClock);
  await storage.signingIn(() => storage.setItem(storageKey, JSON.stringify(session)));
}

/** The app was closed with a job and two photos waiting. */
async function leaveAJob(): Promise<void> {
  const ports = { db, userId: person.id, clock: systemClock, random, collections: { find: async () => undefined } };
  const picked = { bytes: new ArrayBuffer(8), type: 'image/jpeg', name: 'image.jpg', isOriginal: false };
  const photos = createPhotoEntries([picked, picked], { jobId, newId: makeTestId, now: systemClock.now() });
  const post = {
    id: jobId,
    title: 'Deck',
    description: 'Kwila',
    locationId: 'southland/winton',
    urgency: 'soon',
    categoryId: 'builder',
  } as const;
  await mutate(ports, 'job.post', post, { photos });
}

const fetchOf: typeof fetch = async (input, init) => {
  const url = String(input);
  if (!url.includes('/storage/v1/object/job-photos/')) return network.fetchFor('worker')(input, init);
  if (network.mode('worker') === 'offline') throw new TypeError('Failed to fetch');
  stored.push(url.split('/job-photos/')[1]!);
  return Response.json({ Key: url, Id: 'x' });
};
const drain = ({ fetch = fetchOf, signal = new AbortController().signal } = {}) =>
  drainOutbox({ fetch, locks: fakeLocks(), log: () => undefined, signal });
/** Answers nothing until it is aborted. */
const silence: typeof fetch = async (_, init) =>
  new Promise((_resolve, reject) => {
    const fail = () => reject(new DOMException('Aborted', 'AbortError'));
    if (init?.signal?.aborted === true) fail();
    init?.signal?.addEventListener('abort', fail);
  });

test('[C9] with the app closed, a job and its photos are sent, each exactly once', async () => {
  await signIn();
  await leaveAJob();
  expect(await drain()).toBe(0);
  const job = must(server.rows.jobs.get(jobId), 'the job on the server');
  expect(job.images.toSorted()).toEqual(stored.map((path) => `job-photos/${path}`).toSorted());
  expect(stored).toHaveLength(2);
  expect(server.decisions.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'job.post applied',
    'photo.attach applied',
    'photo.attach applied',
  ]);
  expect(await db.outbox.count()).toBe(0);
});

test('a reset that the worker applies, as of a raised schema, makes the next page ask for every list anew', async () => {
  const publicDb = openPublicDb();
  const manifest = { version: '7', timeline: 'timeline-1', segments: [] };
  const state = { version: '7', timeline: 'timeline-1', manifest, coming: null, denied: false, updatedAt: null };
  await db.shelfStates.put({ shelf: 'feed', ...state });
  await publicDb.shelfStates.bulkPut([
    { shelf: 'directory', ...state },
    { shelf: 'reference', ...state },
  ]);
  await db.meta.bulkPut([
    { key: 'canary', value: '2026-01-02T00:00:00.000Z' },
    { key: 'cookie', value: JSON.stringify({ version: 0, whole: 0, lineage: 1, view: 1, schema: 0 }) },
  ]);
  await signIn();
  await leaveAJob();
  expect(await drain()).toBe(0);
  const states = [...(await db.shelfStates.toArray()), ...(await publicDb.shelfStates.toArray())];
  expect(states.map(({ shelf: collection, version, manifest: shown }) => [collection, version, shown])).toEqual([
    ['feed', null, manifest],
    ['directory', null, manifest],
    ['reference', null, manifest],
  ]);
  await publicDb.delete();
});

test('woken in vain, it reports how much still waits, so that the browser wakes it again', async () => {
  await signIn();
  await leaveAJob();
  network.setMode('worker', 'offline');
  expect(await drain()).toBe(1 + 2 * 2);
  network.setMode('worker', 'online');
  expect(await drain()).toBe(0);
  expect(server.rows.jobs.size).toBe(1);
});

test.each([
  ['an exchange', '/api/sync', 5],
  ['a photo', '/storage/v1/object/job-photos/', 4],
])('%s that gets no answer keeps no new version waiting, and what waits goes on waiting', async (_, path, waits) => {
  await signIn();
  await leaveAJob();
  const underWay = createUnderWay(async (input, init) => {
    if (!String(input).includes(path)) return fetchOf(input, init);
    asked.resolve(undefined);
    return silence(input, init);
  });
  const asked = createDeferred<undefined>();
  const left = drain({ fetch: underWay.fetch, signal: underWay.signal() });
  await asked.promise;
  underWay.end();
  expect(await left).toBe(waits);
  expect(await drain()).toBe(0);
  expect([server.rows.jobs.size, stored.length]).toEqual([1, 2]);
});

test('with the session ended by the provider, it sends nothing and loses nothing', async () => {
  await deviceDb.entries.put({ key: 'person', value: { userId: person.id, email: person.email } });
  await leaveAJob();
  expect(await drain()).toBe(0);
  expect(server.decisions).toEqual([]);
  expect([await db.outbox.count(), await db.photos.count()]).toEqual([1, 2]);
});

test('[S9] woken while another person is signed in, it leaves what waits, and its photos, to the person whose it is', async () => {
  await signIn();
  await leaveAJob();
  const other = makeUser();
  server.write((rows) => rows.users.set(other.id, other));
  await signIn(other);
  expect(await drain()).toBe(0);
  expect([
    server.decisions,
    stored,
    await db.outbox.count(),
    await db.photos.where('state').equals('waiting').count(),
  ]).toEqual([[], [], 1, 2]);
  await openPersonDb(other.id).delete();

  // No app of today writes this: the device of one person, the session of the other.
  await deviceDb.entries.put({ key: 'person', value: { userId: person.id, email: person.email } });
  expect(await drain()).toBe(1 + 2 * 2);
  expect([server.decisions, stored, await db.outbox.count()]).toEqual([[], [], 1]);

  await signIn();
  expect(await drain()).toBe(0);
  expect([new Set(server.decisions.map(({ userId }) => userId)), stored.length]).toEqual([new Set([person.id]), 2]);
});

test('a job that was being closed when the app was closed is closed by the worker, after the time to undo it', async () => {
  await signIn();
  const job = makeJob({ userId: person.id });
  server.write((rows) => rows.jobs.set(job.id, job));
  await db.jobs.add(job);
  const held = createHeldChanges({
    db,
    clock: systemClock,
    random,
    mutate: async () => Promise.reject(new Error('the app is closed')),
    log: () => undefined,
    ms: 300,
  });
  await held.hold('job.close', { id: job.id }, job.title);
  held.stop();
  const begun = Date.now();
  expect(await drain()).toBe(0);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(250);
  expect([server.rows.jobs.get(job.id)?.status, await heldIn(db)]).toEqual(['closed', []]);
});
