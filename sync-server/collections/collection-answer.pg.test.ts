import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeAnswerSchema } from '../../shared/protocol/exchange.ts';
import {
  collectionColumns,
  collectionNames,
  collections,
  type CollectionName,
} from '../../shared/tables/collections.ts';
import { seedMany } from '../db/seed/seed-many.ts';
import { sqlTx } from '../store/sql-store.ts';
import { createCollectionDevice } from '../testing/collection-device.ts';
import { createCollectionHarness, payingTradie, type CollectionHarness } from '../testing/collection-harness.ts';
import { openTestDb, usualDatabase, type TestDatabase } from '../testing/test-db.ts';

describe.each(usualDatabase)('the answer for a collection on %s', (kind) => {
  let db: TestDatabase;
  let harness: CollectionHarness;
  let rows: Awaited<ReturnType<typeof seedMany>>;
  beforeAll(async () => {
    db = await openTestDb(kind);
    rows = await seedMany(db, { jobs: 1_500, tradies: 300 });
    harness = createCollectionHarness(db);
    await harness.buildSnapshot();
  });
  afterAll(() => db.close());

  const updateSome = (set: string, count: number) =>
    sql`update jobs set ${sql.raw(set)} where id in (select id from jobs where status = 'active' order by id limit ${count})`.execute(
      db.sql,
    );

  it('P9: a manifest for a device that has nothing, then only what changed since', async () => {
    const device = createCollectionDevice('feed');
    expect(await harness.ask('feed', null)).toHaveProperty('manifest');
    await harness.catchUp(device, 'feed');
    await updateSome(`title = 'Changed'`, 3);
    const answer = await harness.ask('feed', device.version);
    expect(answer).toMatchObject({ removes: [] });
    expect('puts' in answer && answer.puts.map((row) => 'title' in row && row.title)).toEqual([
      'Changed',
      'Changed',
      'Changed',
    ]);
    expect(await harness.ask('feed', 'version' in answer ? answer.version : null)).toMatchObject({
      puts: [],
      removes: [],
    });
  });

  it('takes a closed job off the feed and leaves it out of the next manifest', async () => {
    const device = await harness.newDevice('feed');
    const id = rows.jobs[700]?.id ?? '';
    expect(device.rows().has(id)).toBe(true);
    await sql`update jobs set status = 'closed', closed_at = now() where id = ${id}`.execute(db.sql);
    const answer = await harness.ask('feed', device.version);
    expect(answer).toMatchObject({ removes: [id] });
    expect(JSON.stringify('puts' in answer && answer.puts)).not.toContain(id);
    await harness.catchUp(device, 'feed');
    expect(device.rows().has(id)).toBe(false);
    await harness.buildSnapshot();
    expect((await harness.newDevice('feed')).rows().has(id)).toBe(false);
  });

  it('omits a change that the collection does not show', async () => {
    const [feed, directory] = [await harness.newDevice('feed'), await harness.newDevice('directory')];
    await sql`update jobs set closed_at = now() where status = 'active'`.execute(db.sql);
    await sql`update tradies set email = 'other@example.nz', contact_phone = null`.execute(db.sql);
    await sql`insert into interests (id, job_id, tradie_id, user_id, owner_id, note, is_seen, created_at)
      select gen_random_uuid(), j.id, t.id, t.user_id, j.user_id, '', false, now() from jobs j, tradies t limit 40`.execute(
      db.sql,
    );
    for (const device of [feed, directory])
      expect(await harness.ask(device === feed ? 'feed' : 'directory', device.version)).toMatchObject({
        puts: [],
        removes: [],
      });
    await sql`update jobs set closed_at = null where status = 'active'`.execute(db.sql);
  });

  it('says nothing of a job that was never on the feed', async () => {
    const device = await harness.newDevice('feed');
    const id = '0194b2a0-aaaa-7000-8000-00000000000a';
    await sql`insert into jobs select ${id}::uuid, user_id, 'Posted and closed', description, location_id, null, null, urgency, category_id, 'closed', '{}', 0, null, null, now(), now() from jobs limit 1`.execute(
      db.sql,
    );
    expect(await harness.ask('feed', device.version)).toMatchObject({ puts: [], removes: [] });
  });

  it('gives a manifest where that is cheaper than the changes, and only the missing segments are fetched', async () => {
    const device = await harness.newDevice('feed');
    const first = device.downloaded.length;
    await sql`update jobs set interest_count = interest_count + 1 where status = 'active' and id in (select id from jobs where status = 'active' order by created_at desc limit 600)`.execute(
      db.sql,
    );
    expect(await harness.ask('feed', device.version), 'no snapshot yet: the manifest would not help').toHaveProperty(
      'puts',
    );
    await harness.buildSnapshot();
    expect(await harness.ask('feed', device.version)).toHaveProperty('manifest');
    await harness.catchUp(device, 'feed');
    expect(device.downloaded.length - first).toBe(3);
    expect(device.rows()).toEqual(await harness.feedOracle());
  });

  it('S5: gives a manifest to a device from below the tombstone floor, from ahead of the head, or with a version that is none', async () => {
    const old = (await harness.newDevice('feed')).version;
    await updateSome(`title = 'Once more'`, 1);
    await harness.buildSnapshot();
    expect(await harness.ask('feed', old)).toHaveProperty('puts');
    await sql`update sync_meta set tombstone_floor = ${old}::bigint + 1`.execute(db.sql);
    expect(await harness.ask('feed', old)).toHaveProperty('manifest');
    await sql`update sync_meta set tombstone_floor = 0`.execute(db.sql);
    for (const version of ['999999999', 'abc', '', '-1', '1.5', '99999999999999999999999999'])
      expect(await harness.ask('feed', version), version).toHaveProperty('manifest');
  });

  it('starts a device without a manifest where the collection never had a snapshot', async () => {
    const empty = await openTestDb(kind);
    await seedMany(empty, { jobs: 30, tradies: 5 });
    const unbuilt = createCollectionHarness(empty);
    expect(await unbuilt.collections.manifest('feed')).toBeUndefined();
    expect((await unbuilt.newDevice('feed')).rows()).toEqual(await unbuilt.feedOracle());
    await empty.close();
  });

  it('I8: denies the feed to every person without a running subscription, and takes it off their device', async () => {
    const device = await harness.newDevice('feed');
    expect(device.rows().size).toBeGreaterThan(1_000);
    const lapsed = { ...payingTradie, subscriptionValidUntil: new Date(harness.now().getTime() - 1).toISOString() };
    for (const actor of [
      lapsed,
      { ...payingTradie, subscriptionStatus: 'canceled' },
      { ...payingTradie, subscriptionStatus: null },
      { ...payingTradie, tradieId: null },
    ]) {
      for (const version of [null, device.version])
        expect(await harness.ask('feed', version, actor)).toEqual({ denied: true });
      expect(await harness.ask('directory', null, actor)).toHaveProperty('manifest');
    }
    await harness.catchUp(device, 'feed', lapsed);
    expect([device.rows().size, device.version]).toEqual([0, null]);
  });

  it('I8: sends nothing of a homeowner and no contact of a tradie, in manifest, segment or delta', async () => {
    await sql`update jobs set title = title || '.' where status = 'active'`.execute(db.sql);
    await sql`update tradies set description = description || '.'`.execute(db.sql);
    const owners = new Set(rows.jobs.map(({ userId }) => userId));
    const people = [...owners, ...rows.tradies.map(({ userId }) => userId)];
    for (const collection of collectionNames) {
      const sent = await harness.everythingSent(collection);
      expect(sent.length).toBeGreaterThan(10_000);
      expect(sent).not.toContain('private-');
      expect(sent).not.toContain('@example.nz');
      for (const userId of people) expect(sent.includes(userId ?? '')).toBe(false);
      for (const { contactPhone, nzbn } of rows.tradies)
        expect(sent.includes(contactPhone ?? '') || sent.includes(nzbn)).toBe(false);
    }
  });

  it('carries exactly the listed columns, so that a new column of the table stays private', async () => {
    await sql`alter table jobs add column hidden text default 'private-hidden'`.execute(db.sql);
    await sql`alter table tradies add column hidden text default 'private-hidden'`.execute(db.sql);
    await updateSome(`title = 'After the new column'`, 5);
    await sql`update tradies set business_name = business_name || ' Ltd'`.execute(db.sql);
    const unbuilt = [await harness.everythingSent('feed'), await harness.everythingSent('directory')];
    for (const sent of unbuilt) expect(sent).toMatch(/After the new column| Ltd/);
    expect(unbuilt.join()).not.toContain('private-hidden');
    await harness.buildSnapshot();
    for (const collection of ['feed', 'directory'] as const) {
      expect(await harness.everythingSent(collection)).not.toContain('private-hidden');
      const keys = new Set(
        [...(await harness.newDevice(collection)).rows().values()].flatMap((row) => Object.keys(row)),
      );
      expect(keys).toEqual(new Set(collectionColumns(collection)));
    }
  });

  it('builds every segment again when the collection’s columns change', async () => {
    await sql`update shelf_manifest set shape = '["id"]', segments = jsonb_set(segments, '{0,hash}', to_jsonb(repeat('0', 64))) where shelf = 'feed'`.execute(
      db.sql,
    );
    await harness.collections.buildDueSnapshots();
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
  });

  it('answers for several collections at once as the exchange’s schema has it', async () => {
    const asked = Object.fromEntries(
      collectionNames.map((collection) => [collection, collection === 'reference' ? '0' : null]),
    ) as Record<CollectionName, string | null>;
    const answers = await db.transaction(
      (tx) =>
        harness.collections.answer({
          tx: sqlTx(tx),
          actor: { ...payingTradie, tradieId: null },
          asked,
          position: { head: '9999', timeline: 'any', tombstoneFloor: '0' },
          isCookieCurrent: true,
          now: harness.now().toISOString(),
        }),
      { mode: 'snapshot' },
    );
    expect(Object.keys(answers).toSorted()).toEqual(Object.keys(collections).toSorted());
    const answer = {
      kind: 'delta',
      puts: {},
      removes: {},
      shelves: answers,
      outcomes: [],
      cookie: 'x',
      more: false,
      serverTime: harness.now().toISOString(),
    };
    expect(exchangeAnswerSchema.parse(JSON.parse(JSON.stringify(answer)))).toMatchObject({
      shelves: { feed: { denied: true } },
    });
  });
});
