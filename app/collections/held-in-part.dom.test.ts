import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import type { Job } from '../../shared/tables/index.ts';
import { makeJob, makeReference, makeSearch, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { createDeviceServer, type DeviceServer } from '../../sync-server/testing/device-server.ts';
import { openCollectionMemory, type CollectionMemory } from './collection-memory.ts';
import type { CollectionsOnDevice } from './collections-on-device.ts';
import { bytesOf, openCollections, userId } from './testing/open-collections.ts';
import { keepPushedJobs } from './keep-pushed-jobs.ts';
import { wantRegions } from './wanted-regions.ts';

/* The server's own exchange and collections, in memory, of which a feed of more than three jobs is held in part. */

const regions = ['Southland', 'Otago', 'Waikato', 'Northland'];
const townOf = (region: string) => `${region.toLowerCase()}/town`;

let ms: number;
/** Between two exchanges: as it is at first, long enough that what changed is built. */
let step: number;
let server: DeviceServer;
let device: Awaited<ReturnType<typeof openCollections>>;
let collections: CollectionsOnDevice;
let memory: CollectionMemory<'feed'>;
let hasSignal: boolean;
const onOtherRegions = vi.fn();

beforeEach(async () => {
  onOtherRegions.mockReset();
  ms = Date.UTC(2026, 10, 21);
  step = 600_000;
  hasSignal = true;
  server = createDeviceServer({ now: () => ms }, 3);
  device = await openCollections();
  listTowns();
  const tradie = makeTradie({ userId, locationId: townOf('Southland') });
  const user = makeUser({ id: userId, tradieId: tradie.id, subscriptionStatus: 'active' });
  server.write((rows) => {
    rows.users.set(user.id, user);
    rows.tradies.set(tradie.id, tradie);
  });
  await device.personDb.users.put(user);
  await device.personDb.tradies.put(tradie);
  collections = open();
  memory = openCollectionMemory({ db: device.personDb, collection: 'feed', pause: async () => undefined });
});
afterEach(async () => {
  memory.close();
  await device.close();
});

const open = () =>
  device.open({
    onOtherRegions,
    fetchSegment: async (_collection, hash) => {
      if (!hasSignal) throw new Error('no signal');
      return bytesOf(must(server.collections.segment(hash), hash));
    },
  });

/** The list of towns; Southland's is in this region. */
const listTowns = (southlands = 'Southland') =>
  server.collections.setReference(
    regions.map((name) =>
      makeReference({ id: townOf(name), kind: 'location', name, region: name === 'Southland' ? southlands : name }),
    ),
  );

/** Jobs in these regions. */
function post(...where: string[]): Job[] {
  const jobs = where.map((region) => makeJob({ locationId: townOf(region), status: 'active' }));
  server.write((rows) => jobs.forEach((job) => rows.jobs.set(job.id, job)));
  return jobs;
}
const change = (job: Job, changes: Partial<Job>) =>
  server.write((rows) => rows.jobs.set(job.id, { ...job, ...changes }));

async function exchange(on = collections): Promise<Awaited<ReturnType<CollectionsOnDevice['asked']>>> {
  ms += step;
  const asked = await on.asked();
  await answerTo(asked, on);
  return asked;
}
async function answerTo(asked: Awaited<ReturnType<CollectionsOnDevice['asked']>>, on = collections): Promise<void> {
  const answer = await server.exchange(userId, {
    protocol: protocolVersion,
    schema: schemaVersion,
    cookie: null,
    shelves: asked.versions,
    timelines: asked.timelines,
    ...(asked.regions && { regions: asked.regions }),
    mutations: [],
    awaiting: [],
  });
  if (answer.kind === 'reset') throw new Error(answer.reason);
  await on.apply(answer.shelves, asked, device.fence);
}
async function catchUp(on = collections): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    const asked = await exchange(on);
    await on.settled();
    if (!(await on.hasMoreToAsk(asked))) return;
  }
  throw new Error('never up to date');
}
const titlesIn = (held: readonly string[]) =>
  (server.collections.rowsOf('feed') as unknown as Job[])
    .filter(({ locationId }) =>
      held.some((region) => (region === '' ? locationId === null : townOf(region) === locationId)),
    )
    .map(({ id, title, locationId }) => `${id} ${title} ${locationId ?? ''}`)
    .toSorted();
const shown = () =>
  memory
    .current()
    .rows.map(({ id, title, locationId }) => `${id} ${title} ${locationId ?? ''}`)
    .toSorted();
const isShown = (held: readonly string[]) => vi.waitFor(() => expect(shown()).toEqual(titlesIn(held)), 5_000);

describe('[P9] of a feed that is too large to be held whole', () => {
  test('a phone holds the person’s own regions, and says so with the number of the others', async () => {
    post('Southland', 'Southland', 'Otago', 'Waikato', 'Waikato');
    await catchUp();
    await isShown(['Southland']);
    expect(memory.current()).toMatchObject({ status: 'part', held: { regions: ['Southland', ''], elsewhere: 3 } });
    expect(await collections.asked()).toMatchObject({ regions: ['Southland', ''] });
  });

  test('and holds all where it is small', async () => {
    post('Southland', 'Otago');
    await catchUp();
    await isShown(regions);
    expect(memory.current()).toMatchObject({ status: 'ready', held: undefined });
    expect(await collections.asked()).toMatchObject({ regions: [] });
    // It grows: with the next change what is not in the regions leaves the phone.
    post('Southland', 'Otago', 'Waikato');
    await catchUp();
    await isShown(regions);
    ms += 600_000;
    post('Waikato');
    await catchUp();
    await isShown(['Southland']);
  });

  test('a job that moves in comes, one that moves out leaves, and one that closes elsewhere is not there', async () => {
    const [one, other] = post('Southland', 'Otago', 'Waikato', 'Waikato') as [Job, Job, Job, Job];
    await catchUp();
    change(one, { locationId: townOf('Otago') });
    change(other, { locationId: townOf('Southland') });
    await catchUp();
    await isShown(['Southland']);
    expect(memory.find(other.id)).toBeDefined();
    change({ ...other, locationId: townOf('Southland') }, { status: 'closed' });
    await catchUp();
    await isShown(['Southland']);
  });

  test('a region that is asked for comes beside the others, which stay until it is whole', async () => {
    post('Southland', 'Otago', 'Otago', 'Waikato');
    await catchUp();
    await isShown(['Southland']);
    hasSignal = false;
    await wantRegions(device.personDb, ['Otago']);
    expect((await exchange()).versions.feed).toBeNull();
    await collections.settled();
    expect(memory.current().held).toMatchObject({ regions: ['Southland', ''] });
    await vi.waitFor(() => expect(memory.current().held?.coming).toMatchObject({ regions: ['Otago'], here: 0 }));
    await isShown(['Southland']);
    // What changes meanwhile is asked for as far as is here, and what is answered so is not taken for the rest.
    post('Southland', 'Otago');
    expect(await collections.asked()).toMatchObject({ regions: ['Southland', ''] });
    const late = await collections.asked();
    hasSignal = true;
    collections.resume();
    await collections.settled();
    expect(onOtherRegions).toHaveBeenCalledOnce();
    const state = must(await device.personDb.shelfStates.get('feed'), 'a state');
    expect(state.version).toBe(state.manifest?.version);
    const timeline = must(state.timeline, 'a timeline');
    await collections.apply({ feed: { puts: [], removes: [], version: '999', timeline } }, late, device.fence);
    expect(device.events).toContain('shelf-foreign');
    await catchUp();
    await isShown(['Southland', 'Otago']);
  });

  test('what changed in a region since its snapshot comes with it, also where the phone was further already', async () => {
    post('Southland', 'Otago', 'Otago', 'Waikato');
    await catchUp();
    // A snapshot of just now: the next changes are not built into one.
    post('Waikato');
    await exchange();
    step = 1_000;
    const [, added] = post('Southland', 'Otago');
    await catchUp();
    await isShown(['Southland']);
    await wantRegions(device.personDb, ['Otago']);
    await catchUp();
    await catchUp();
    expect(onOtherRegions).toHaveBeenCalled();
    await isShown(['Southland', 'Otago']);
    expect(memory.find(must(added, 'a job').id)).toBeDefined();
  });

  test('a region that others were asked for after leaves, and a saved search brings its own', async () => {
    post('Southland', 'Otago', 'Waikato', 'Northland');
    await catchUp();
    for (const region of ['Waikato', 'Otago', 'Northland', 'Hawke’s Bay']) await wantRegions(device.personDb, [region]);
    await catchUp();
    await isShown(['Southland', 'Otago', 'Northland']);
    const search = makeSearch({ userId, region: 'Waikato' });
    server.write((rows) => rows.searches.set(search.id, search));
    await device.personDb.searches.put(search);
    await catchUp();
    await isShown(regions);
    expect(memory.current().held?.regions.slice(0, 2)).toEqual(['Southland', 'Waikato']);
  });

  test('a saved search that the server could not take yet brings its region once it has', async () => {
    post('Southland', 'Otago', 'Waikato', 'Waikato');
    await catchUp();
    const search = makeSearch({ userId, region: 'Waikato' });
    await device.personDb.searches.put(search);
    await device.personDb.shadow.put({ table: 'searches', id: search.id, row: null });
    await exchange();
    await collections.settled();
    await isShown(['Southland']);
    server.write((rows) => rows.searches.set(search.id, search));
    await device.personDb.shadow.clear();
    await catchUp();
    await isShown(['Southland', 'Waikato']);
    expect(memory.current().held?.regions).toEqual(['Southland', 'Waikato', '']);
  });

  test('a town that turns out to be in another region brings that region with the next exchange, and asks once', async () => {
    post('Southland', 'Southland', 'Otago', 'Waikato', 'Waikato');
    await catchUp();
    await isShown(['Southland']);
    listTowns('Otago');
    await exchange();
    expect((await exchange()).versions.feed).toBeNull();
    await catchUp();
    await isShown(['Southland', 'Otago']);
    expect(memory.current().held?.regions).toEqual(['Otago', '']);
    expect((await exchange()).versions.feed).not.toBeNull();
    // And back again, between two snapshots.
    step = 1_000;
    listTowns();
    for (let turn = 0; turn < 3; turn += 1) await catchUp();
    await isShown(['Southland']);
  });

  test('a job that came with an alert is kept where its region is here', async () => {
    const [near, far] = post('Southland', 'Otago', 'Waikato', 'Waikato') as [Job, Job, Job, Job];
    await catchUp();
    const state = must(await device.personDb.shelfStates.get('feed'), 'a state');
    const message = {
      feed: { version: '999', timeline: must(state.timeline, 'a timeline') },
      jobs: [near, far].map((job) => ({ ...job, id: makeJob().id })),
    };
    const readRegion = async (town: string) => regions.find((region) => townOf(region) === town);
    expect(await keepPushedJobs(device.personDb, message as never, readRegion)).toBe(1);
  });

  test('a job that came with an alert is not kept where the towns are not here: it would stay after it has closed', async () => {
    const [near, far] = post('Southland', 'Waikato', 'Waikato', 'Waikato') as [Job, Job, Job, Job];
    await catchUp();
    const state = must(await device.personDb.shelfStates.get('feed'), 'a state');
    const message = { feed: { version: '999', timeline: must(state.timeline, 'a timeline') }, jobs: [near, far] };
    expect(await keepPushedJobs(device.personDb, message as never, async () => undefined)).toBe(0);
    await isShown(['Southland']);
  });

  test('I4: after any mixture of moves, closings, choices and lost signals it has what its regions have', async () => {
    const random = seededRandom(31);
    post(...Array.from({ length: 30 }, () => random.pick(regions)));
    for (let round = 0; round < 60; round += 1) {
      const jobs = [...server.rows.jobs.values()];
      const job = random.pick(jobs);
      const at = random.below(6);
      if (at === 0) post(random.pick(regions));
      if (at === 1) change(job, { status: 'closed' });
      if (at === 2) change(job, { locationId: random.pick([...regions.map(townOf), null]) });
      if (at === 3) change(job, { title: `Words ${round}` });
      if (at === 4) await wantRegions(device.personDb, [random.pick(regions)]);
      hasSignal = random.below(4) > 0;
      step = random.pick([1_000, 1_000, 600_000]);
      if (random.below(2) === 0) await exchange();
      if (random.below(2) === 0) await collections.settled();
      if (random.below(12) === 0) collections = open();
    }
    hasSignal = true;
    await catchUp();
    collections.resume();
    await collections.settled();
    await catchUp();
    await isShown(must(memory.current().held, 'a part').regions);
    expect(memory.current().held?.regions).toContain('Southland');
  });
});

test('what was posted in a region after its snapshot is asked for next, also where an answer about the old regions was under way', async () => {
  post('Southland', 'Southland', 'Otago', 'Otago');
  await catchUp();
  await wantRegions(device.personDb, ['Otago']);
  step = 1_000;
  hasSignal = false;
  await exchange();
  await collections.settled();
  const aboutTheOld = await collections.asked();
  hasSignal = true;
  collections.resume();
  await collections.settled();
  post('Otago');
  await answerTo(aboutTheOld);
  const next = await exchange();
  expect(next.versions.feed).toEqual(expect.any(String));
  expect(next.regions).toEqual(expect.arrayContaining(['Southland', 'Otago']));
  await isShown(['Southland', 'Otago']);
});
