import { Dexie } from 'dexie';
import { afterEach, describe, expect, test } from 'vitest';
import { fileRef } from '../../shared/lib/file-ref.ts';
import { must } from '../../shared/lib/must.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { privateTableNames, type User } from '../../shared/tables/index.ts';
import { endsOf, freezePhones, rowsOf, withoutInstants } from '../testing/freeze-phones.ts';
import { freezeDatabase, shapeOf, thawDatabase, type FrozenPhone, type FrozenPhones } from '../testing/frozen-phone.ts';
import { untypedRows } from '../testing/untyped-rows.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { openDeviceDb } from '../session/device-db.ts';
import { openPublicDb } from './person-db.ts';

/*
 * Phones that were switched off under every version ever shipped, frozen in `old-phones/`, are switched on under
 * today's code: their disks open, what waited is sent, each write ends as its own version would have had it
 * (but for a rule that has become stricter), and nothing else is touched.
 */

const found = import.meta.glob<FrozenPhones>('./old-phones/*.json', { eager: true, import: 'default' });
const frozen = Object.values(found).toSorted((one, other) => (one.frozenAt < other.frozenAt ? -1 : 1));
const cases = frozen.flatMap((version) =>
  version.phones.map((phone) => [version.app, phone.owner, version, phone] as const),
);

let harness: DeviceHarness;
afterEach(async () => {
  await harness?.close();
  await Promise.all((await Dexie.getDatabaseNames()).map((name) => Dexie.delete(name)));
});

/** Rows of then as the server's migrations since have left them. */
function asToday(rows: Record<string, unknown[]>): Record<string, unknown[]> {
  const unsaid = { ownerNote: null, seenAt: null, isSeen: false };
  const interests = (rows['interests'] ?? []).map((row) => ({ ...unsaid, ...(row as object) }));
  return { marks: [], searches: [], preferences: [], ...rows, interests };
}

/** A server with the rows it had then, which has long applied what was sent with the answer lost. */
async function openServerOf({ server, phones }: FrozenPhones): Promise<void> {
  harness = await openDeviceHarness();
  harness.server.write((rows) => {
    for (const table of privateTableNames)
      for (const row of (asToday(server)[table] ?? []) as { id: string }[]) untypedRows(rows, table).set(row.id, row);
  });
  for (const { userId, decided, databases } of phones) {
    const outbox = (databases.person.rows['outbox'] ?? []) as {
      uid: string;
      name: string;
      args: unknown;
      at: string;
    }[];
    const mutations = outbox
      .filter(({ uid }) => decided.includes(uid))
      .map(({ uid, name, args, at }) => ({ uid, name, args, at }));
    await harness.server.exchange(userId, {
      protocol: protocolVersion,
      schema: schemaVersion,
      cookie: null,
      shelves: {},
      mutations,
      awaiting: [],
    });
  }
}

async function switchOn({ userId, databases }: FrozenPhone): Promise<Phone> {
  await thawDatabase(databases.person);
  const person: User = must(harness.server.rows.users.get(userId), 'the person');
  const phone = await harness.as(person, databases.person.name);
  await harness.sync(phone);
  return phone;
}

/** A second answer to one job counted as applied, and its note was lost: it is rejected since, and kept. */
function endsToday({ ends, databases }: FrozenPhone): FrozenPhone['ends'] {
  const outbox = (databases.person.rows['outbox'] ?? []) as { uid: string; args: { note?: string } }[];
  const again = outbox.filter(({ args }) => args.note === 'Again.').map(({ uid }) => [uid, 'already-exists']);
  return { ...ends, ...Object.fromEntries(again) };
}

describe.each(cases)('a %s phone, a %s’s', (_app, _owner, version, old) => {
  test('sends what waited, each write ending as it would have then, and agrees with the server', async () => {
    await openServerOf(version);
    const phone = await switchOn(old);
    expect(phone.sync.status.current().phase).toBe('idle');
    expect(await phone.db.outbox.count()).toBe(0);
    expect(await phone.db.shadow.count()).toBe(0);
    expect(await endsOf(phone, old)).toEqual(endsToday(old));
    const privateRows = Object.fromEntries(
      await Promise.all(
        privateTableNames.map(async (table) => [table, await phone.db.table(table).orderBy('id').toArray()] as const),
      ),
    );
    expect(privateRows).toEqual(harness.server.privateRowsOf(old.userId));
    // Each write was decided once, the one whose answer was lost included.
    const decided = harness.server.decisions.filter(({ userId }) => userId === old.userId);
    expect(decided.map(({ uid }) => uid).toSorted()).toEqual(Object.keys(old.ends).toSorted());
  });

  test('keeps what is not for sending: rejections, photos, drafts, profiles, segments', async () => {
    await openServerOf(version);
    const phone = await switchOn(old);
    const now = await freezeDatabase(phone.db, '');
    const before = old.databases.person.rows;
    for (const store of ['refused', 'photos', 'drafts', 'profiles']) {
      expect(
        before[store]?.filter((row) => !now.rows[store]?.some((kept) => JSON.stringify(kept) === JSON.stringify(row))),
        store,
      ).toEqual([]);
    }
    await Promise.all([old.databases.device, old.databases.public].map((database) => thawDatabase(database)));
    const [device, shared] = [openDeviceDb(), openPublicDb()];
    expect((await freezeDatabase(device, '')).rows).toEqual(old.databases.device.rows);
    expect((await freezeDatabase(shared, '')).rows).toEqual(old.databases.public.rows);
    device.close();
    shared.close();
  });
});

test.each(frozen.map((version) => [version.app, version] as const))(
  'all phones of %s together leave the server as they would have then',
  async (_app, version) => {
    await openServerOf(version);
    for (const phone of version.phones) await switchOn(phone);
    expect(withRefs(withoutInstants(rowsOf(harness)))).toEqual(withRefs(asToday(version.after)));
  },
);

/**
 * Photos by bucket and path: 0.1.0 kept whole addresses, and what it sends is kept without. A rename takes the badge
 * since.
 */
function withRefs(rows: unknown): unknown {
  return JSON.parse(JSON.stringify(rows), (key, value: unknown) =>
    key === 'isVerified' ? undefined : typeof value === 'string' ? (fileRef('job-photos', value) ?? value) : value,
  );
}

/*
 * When this fails, what a phone keeps on its disk has changed. Has the version of the newest fixture been shipped? Then
 * raise the database's version with an upgrade (app/db/person-db.ts), raise `version` in package.json, and freeze the
 * phones of the new one: docs/old-phones.md.
 */
test('what a phone keeps is what the newest frozen phones keep', async () => {
  const today = await freezePhones('today', new Date().toISOString());
  expect(shapeOf(today)).toEqual(shapeOf(must(frozen.at(-1), 'a fixture')));
});
