import { must } from '../../shared/lib/must.ts';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { privateTableNames, type User } from '../../shared/tables/index.ts';
import { makeReference, makeTestId } from '../../shared/testing/make.ts';
import { openPublicDb, personDbName, publicDbName, type CollectionDb } from '../db/person-db.ts';
import { createPhotoEntries } from '../photos/keep.ts';
import { openDeviceDb, type DeviceDb } from '../session/device-db.ts';
import { digestBytes } from '../collections/digest-bytes.ts';
import { createHttpCollections } from '../collections/http-collections.ts';
import { createCollections } from '../collections/collections-on-device.ts';
import { untypedRows } from './untyped-rows.ts';
import { freezeDatabase, toJson, type FrozenPhone, type FrozenPhones } from './frozen-phone.ts';
import { writeJobs, type Jobs } from './frozen-jobs.ts';
import { manualClock } from './manual-clock.ts';
import { noteForOneself } from './note-for-oneself.ts';
import { mustBeInFlight, openDeviceHarness, type DeviceHarness, type Phone } from './open-device-harness.ts';

/*
 * Two phones that are switched off with everything a phone can have on its disk: a homeowner's and a tradie's, each
 * with writes that were never sent, one whose answer was lost, some that will be rejected, photos, rejections, a draft,
 * segments.
 */

interface Owner {
  phone: Phone;
  device: DeviceDb;
  publicDb: CollectionDb;
  decided: string[];
}

/**
 * Runs the scenario with today's code, freezes both phones, then lets them send and notes what became of each write.
 */
export async function freezePhones(app: string, at: string): Promise<FrozenPhones> {
  const clock = manualClock();
  const publicDbs = new Map<string, CollectionDb>();
  const harness = await openDeviceHarness({
    clock,
    collections: ({ db, fetch, userId }) => {
      const publicDb = publicDbs.get(db.name) ?? openPublicDb({ indexedDB: new IDBFactory() });
      publicDbs.set(db.name, publicDb);
      return createCollections({
        dbs: { publicDb, personDb: db },
        userId,
        clock,
        chance: () => 0.5,
        digest: digestBytes,
        onDenied: async () => undefined,
        log: () => undefined,
        ...createHttpCollections({ fetch, clock, accessToken: async () => null }),
      });
    },
  });
  const open = async (person: User): Promise<Owner> => {
    const phone = await harness.as(person);
    const device = openDeviceDb({ indexedDB: new IDBFactory() });
    await device.entries.bulkPut([
      { key: 'person', value: { userId: person.id, email: person.email } },
      { key: `mark:${person.id}`, value: true },
    ]);
    return { phone, device, publicDb: must(publicDbs.get(phone.db.name), 'the public collections'), decided: [] };
  };
  try {
    harness.server.collections.setReference([
      makeReference(),
      makeReference({ id: 'southland/winton', kind: 'location', name: 'Winton', region: 'Southland' }),
    ]);
    const [aroha, wiremu] = [harness.addHomeowner(), harness.addTradie()];
    const jobs = writeJobs(harness, aroha, wiremu);
    const owners = [await open(aroha), await open(wiremu)] as const;
    await harness.sync();
    await liveAsHomeowner(harness, owners[0], jobs);
    await liveAsTradie(harness, owners[1], wiremu, jobs);
    harness.server.write((rows) => {
      rows.jobs.set(jobs.stale.id, { ...jobs.stale, description: 'Changed on another device.' });
      rows.jobs.set(jobs.closing.id, { ...jobs.closing, status: 'closed', closedAt: harness.server.now() });
    });
    const server = rowsOf(harness);
    const phones = await Promise.all(owners.map((owner, which) => freeze(owner, which === 0 ? 'homeowner' : 'tradie')));
    for (const [which, { phone }] of owners.entries()) {
      phone.goOnline();
      clock.advance(60_000);
      await harness.sync(phone);
      must(phones[which], 'a frozen phone').ends = await endsOf(phone, must(phones[which], 'a frozen phone'));
    }
    return {
      app,
      frozenAt: at,
      protocol: protocolVersion,
      schema: schemaVersion,
      server,
      after: withoutInstants(rowsOf(harness)),
      phones,
    };
  } finally {
    await harness.close();
    for (const db of publicDbs.values()) await db.delete();
  }
}

const post = (id: string, title: string): ArgsOf<'job.post'> => ({
  id,
  title,
  description: 'It drags.',
  locationId: 'southland/winton',
  budgetMax: 250.5,
  urgency: 'soon',
  categoryId: 'spouting',
});

/** Lets the server apply one write, and loses the answer. */
async function loseAnswer<Name extends MutationName>(
  owner: Owner,
  name: Name,
  args: ArgsOf<Name>,
  companions: Parameters<Phone['sync']['mutate']>[2] = {},
): Promise<void> {
  const { phone } = owner;
  phone.hold();
  const { uid } = await phone.sync.mutate(name, args, companions);
  await phone.settle();
  await mustBeInFlight(phone).dropAnswer();
  phone.goOffline();
  await phone.settle();
  owner.decided.push(uid);
}

async function liveAsHomeowner(
  harness: DeviceHarness,
  owner: Owner,
  { gate, shed, stale, refused, interest }: Jobs,
): Promise<void> {
  const { phone } = owner;
  const { userId } = phone;
  // Rejected while there was signal: it is in "Not accepted".
  phone.goOffline();
  await phone.sync.mutate('job.edit', {
    id: refused.id,
    set: { title: 'Fell both pines' },
    base: { title: refused.title },
  });
  harness.server.write(
    (rows) => void rows.jobs.set(refused.id, { ...refused, status: 'closed', closedAt: harness.server.now() }),
  );
  phone.goOnline();
  await harness.sync(phone);

  const posted = makeTestId();
  const photos = createPhotoEntries(
    ['door.jpg', 'rail.jpg'].map((name, at) => ({
      name,
      type: 'image/jpeg',
      bytes: Uint8Array.from([0xff, 0xd8, at, 0xff, 0xd9]).buffer,
      isOriginal: false,
    })),
    { jobId: posted, newId: makeTestId, now: harness.clock.now() },
  );
  await loseAnswer(owner, 'job.post', post(posted, 'Mend the woolshed door'), { photos });
  await phone.sync.mutate('job.post', post(makeTestId(), 'Oil the hinges'));
  await phone.sync.mutate('job.edit', {
    id: posted,
    set: { title: 'Mend both doors', budgetMax: null },
    base: { title: 'Mend the woolshed door', budgetMax: 250.5 },
  });
  await phone.sync.mutate('job.edit', { id: gate.id, set: { urgency: 'urgent' }, base: { urgency: gate.urgency } });
  await phone.sync.mutate('job.edit', {
    id: stale.id,
    set: { description: 'Twelve metres.' },
    base: { description: stale.description },
  });
  await phone.sync.mutate('photo.remove', { id: gate.id, url: must(gate.images[0], 'a photo') });
  await phone.sync.mutate('photo.attach', {
    id: makeTestId(),
    jobId: gate.id,
    url: `https://photos.example.nz/job-photos/${userId}/${gate.id}/3-done.jpg`,
  });
  await phone.sync.mutate('job.close', { id: shed.id });
  await phone.sync.mutate('interest.tick', { id: interest.id, contacted: true });
  await phone.sync.mutate('interest.see', { id: interest.id });
  await phone.sync.mutate('interest.note', {
    id: interest.id,
    set: { ownerNote: 'Comes on Monday' },
    base: { ownerNote: null },
  });
  await phone.sync.mutate('seen.tell', { id: userId, tells: false });
  await phone.sync.mutate('alerts.choose', { id: userId, choice: { quietFrom: 22, alertsPerDay: 3 } });
  await phone.db.photos.update(must(photos[1], 'a photo').id, {
    state: 'failed',
    attempts: 3,
    error: 'The file is damaged.',
  });
  await phone.db.drafts.put({
    key: 'post-job',
    value: {
      title: 'Half a th',
      photos: [{ id: makeTestId(), name: 'a.jpg', type: 'image/jpeg', bytes: Uint8Array.of(1, 2, 3).buffer }],
    },
    savedAt: harness.server.now(),
  });
}

async function liveAsTradie(
  harness: DeviceHarness,
  owner: Owner,
  tradie: User,
  { feed, closing, gate }: Jobs,
): Promise<void> {
  const { phone } = owner;
  const profile = must(
    untypedRows(harness.server.rows, 'tradies').get(must(tradie.tradieId, 'tradieId')),
    'the profile',
  );
  await loseAnswer(owner, 'profile.edit', {
    id: profile.id,
    set: { description: 'Spouting only.' },
    base: { description: profile['description'] },
  });
  await phone.sync.mutate('interest.express', { id: makeTestId(), jobId: feed.id, note: 'Thursday?' });
  await phone.sync.mutate('interest.express', { id: makeTestId(), jobId: closing.id });
  await phone.sync.mutate('interest.express', { id: makeTestId(), jobId: gate.id });
  await phone.sync.mutate('profile.edit', {
    id: profile.id,
    set: { businessName: 'Winton Spouting', contactPhone: '021 123 4567', categoryIds: [], locationId: null },
    base: {
      businessName: profile['businessName'],
      contactPhone: profile['contactPhone'],
      categoryIds: profile['categoryIds'],
      locationId: profile['locationId'],
    },
  });
  await noteForOneself(phone, [feed.id, closing.id]);
  const { createdAt: _unsaid, ...saved } = profile;
  await phone.db.profiles.put({ ...saved, readAt: harness.server.now() } as Parameters<
    typeof phone.db.profiles.put
  >[0]);
}

async function freeze({ phone, device, publicDb, decided }: Owner, owner: string): Promise<FrozenPhone> {
  const frozen: FrozenPhone = {
    owner,
    userId: phone.userId,
    decided,
    ends: {},
    databases: {
      person: await freezeDatabase(phone.db, personDbName(phone.userId)),
      device: await freezeDatabase(device, 'dwang-device'),
      public: await freezeDatabase(publicDb, publicDbName),
    },
  };
  await device.delete();
  return frozen;
}

/** What became of each write that waited when this phone was frozen. */
export async function endsOf({ db }: Phone, { databases }: FrozenPhone): Promise<Record<string, string>> {
  const waited = (databases.person.rows['outbox'] ?? []) as { uid: string }[];
  const applied = new Set((((await db.meta.get('applied'))?.value ?? []) as { uid: string }[]).map(({ uid }) => uid));
  const ends: Record<string, string> = {};
  for (const { uid } of waited)
    ends[uid] = applied.has(uid) ? 'applied' : ((await db.refused.get(uid))?.code ?? 'nothing');
  return ends;
}

/** The server's rows by table, in the order of their ids. */
export function rowsOf(harness: DeviceHarness): Record<string, unknown[]> {
  return Object.fromEntries(
    privateTableNames.map((table) => [
      table,
      [...untypedRows(harness.server.rows, table).values()]
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .map(toJson),
    ]),
  );
}

/** Each row with its instants replaced by one, because the next phone is thawed at another time. */
export function withoutInstants(rows: Record<string, unknown[]>): Record<string, unknown[]> {
  return JSON.parse(JSON.stringify(rows), (_key, value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? 'instant' : value,
  ) as Record<string, unknown[]>;
}
