import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minute } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { insertMany } from '../db/seed/insert-rows.ts';
import { manyRows } from '../db/seed/many-rows.ts';
import { seedMany } from '../db/seed/seed-many.ts';
import { openPostgres } from '../db/open-postgres.ts';
import { createCollectionHarness, type CollectionHarness } from '../testing/collection-harness.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { snapshotTimes } from './build-snapshot.ts';
import { rangeLimits } from './collection-ranges.ts';

describe.each(usualDatabase)('building a snapshot on %s', (kind) => {
  let db: TestDatabase;
  let harness: CollectionHarness;
  let jobs: Awaited<ReturnType<typeof seedMany>>['jobs'];
  beforeAll(async () => {
    db = await openTestDb(kind);
    ({ jobs } = await seedMany(db, { jobs: 3_000, tradies: 200 }));
    harness = createCollectionHarness(db);
    await harness.buildSnapshot();
  });
  afterAll(() => db.close());

  const feed = async () => must(await harness.collections.manifest('feed'), 'a manifest');
  const hashes = ({ segments }: Manifest) => segments.map(({ hash }) => hash);
  /** How many segments of the new manifest were not in the old one, and how many of the old are gone. */
  const difference = (before: Manifest, after: Manifest) => ({
    added: hashes(after).filter((hash) => !hashes(before).includes(hash)).length,
    gone: hashes(before).filter((hash) => !hashes(after).includes(hash)).length,
  });
  const snapshot = async () => {
    const before = await feed();
    await harness.buildSnapshot();
    return difference(before, await feed());
  };
  const jobOf = async (at: number) => {
    const { from, to } = must((await feed()).segments[at], 'a segment');
    return must(
      jobs.find(({ createdAt, id }) => `${createdAt}|${id}` > from && `${createdAt}|${id}` < to),
      'a job of the segment',
    );
  };

  it('P9: lists segments of about 500 rows, newest first and the newest short, every row once', async () => {
    const { segments } = await feed();
    expect(segments.map(({ rows }) => rows)).toEqual([50, 492, 492, 491, 492, 492, 491]);
    expect(segments.filter(({ from, to }) => from >= to)).toEqual([]);
    const older = segments.slice(1);
    expect(older.filter(({ to }, at) => to >= must(segments[at], 'the newer one').from)).toEqual([]);
    const device = await harness.newDevice('feed');
    expect(device.rows()).toEqual(await harness.feedOracle());
  });

  it('builds snapshots of the directory and the lists as well', async () => {
    expect((await harness.newDevice('directory')).rows().size).toBe(200);
    expect((await harness.newDevice('reference')).rows().size).toBe(440);
  });

  it('keeps every segment but that of the job that was touched', async () => {
    const { id } = await jobOf(3);
    await sql`update jobs set title = 'Touched' where id = ${id}`.execute(db.sql);
    expect(await snapshot()).toEqual({ added: 1, gone: 1 });
  });

  it('keeps every segment when only columns outside the collection have changed', async () => {
    const { id } = await jobOf(2);
    const before = await feed();
    await sql`update jobs set user_id = (select user_id from jobs where user_id <> ${must(jobs.find((job) => job.id === id)?.userId, 'owner')} limit 1) where id = ${id}`.execute(
      db.sql,
    );
    await harness.buildSnapshot();
    expect(await feed()).toEqual(before);
  });

  it('puts new jobs into the newest segment, and cuts it once it is large', async () => {
    const more = manyRows({ jobs: 300, tradies: 0, seed: 2, newest: new Date('2026-11-15T00:00:00.000Z') });
    await db.transaction((tx) => insertMany(tx, 'users', more.users));
    await db.transaction((tx) => insertMany(tx, 'jobs', more.jobs.slice(0, 200)));
    expect(await snapshot()).toEqual({ added: 1, gone: 1 });
    expect((await feed()).segments[0]?.rows).toBe(250);
    await db.transaction((tx) => insertMany(tx, 'jobs', more.jobs.slice(200)));
    expect(await snapshot()).toEqual({ added: 2, gone: 1 });
    expect((await feed()).segments.slice(0, 2).map(({ rows }) => rows)).toEqual([50, 300]);
  });

  it('joins a range that emptied to its neighbour and leaves the others alone', async () => {
    const { from, to } = must((await feed()).segments[4], 'a segment');
    const [first, last] = [from, to].map((key) => must(key.split('|')[0], 'an instant'));
    await sql`update jobs set status = 'closed', closed_at = now() where created_at >= ${first}::timestamptz and created_at < ${last}::timestamptz + interval '1 millisecond' and id in
      (select id from jobs where created_at >= ${first}::timestamptz order by created_at, id limit 300)`.execute(
      db.sql,
    );
    expect(await snapshot()).toEqual({ added: 1, gone: 2 });
    for (const { rows } of (await feed()).segments.slice(1)) {
      expect(rows).toBeLessThanOrEqual(rangeLimits.max);
      expect(rows).toBeGreaterThanOrEqual(rangeLimits.fewest);
    }
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
  });

  it('finds the ranges of rows that are gone for good, or were given another age', async () => {
    const [gone, moved] = [await jobOf(1), await jobOf(4)];
    await sql`delete from jobs where id = ${gone.id}`.execute(db.sql);
    expect(await snapshot()).toEqual({ added: 1, gone: 1 });
    await sql`update jobs set created_at = now() where id = ${moved.id}`.execute(db.sql);
    expect(await snapshot()).toEqual({ added: 2, gone: 2 });
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
  });

  it('builds nothing while nothing changed', async () => {
    const before = await feed();
    await harness.buildSnapshot();
    expect(await feed()).toEqual(before);
  });

  it('waits until enough has changed, or a while has gone by', async () => {
    await sql`update jobs set title = 'A while ago' where id = ${(await jobOf(2)).id}`.execute(db.sql);
    await harness.buildSnapshot();
    const before = await feed();
    await sql`update jobs set title = 'Just now' where id = ${(await jobOf(2)).id}`.execute(db.sql);
    await harness.collections.buildDueSnapshots();
    expect(await feed()).toEqual(before);
    await sql`update jobs set interest_count = interest_count + 1 where status = 'active' and id in (select id from jobs where status = 'active' order by id limit 2000)`.execute(
      db.sql,
    );
    await harness.collections.buildDueSnapshots();
    expect((await feed()).version).not.toBe(before.version);
  });

  it('keeps segments for devices in mid-download, and deletes them after the grace time', async () => {
    const [, , old] = (await feed()).segments;
    const hash = must(old, 'a segment').hash;
    await sql`update jobs set title = 'Newer' where id = ${(await jobOf(2)).id}`.execute(db.sql);
    await harness.buildSnapshot();
    expect(hashes(await feed())).not.toContain(hash);
    // Another instance: this one would answer from its memory.
    const elsewhere = createCollectionHarness(db, harness.now());
    expect((await elsewhere.collections.segment('feed', hash))?.hash).toBe(hash);
    harness.pass(snapshotTimes.grace);
    await sql`update jobs set title = 'Newest' where id = ${(await jobOf(2)).id}`.execute(db.sql);
    await harness.buildSnapshot();
    const later = createCollectionHarness(db, harness.now());
    expect(await later.collections.segment('feed', hash)).toBeUndefined();
    expect((await later.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
  });

  it('keeps a retired segment that a new manifest names again', async () => {
    const { id, title } = must([...(await harness.feedOracle()).values()][0], 'a job') as unknown as {
      id: string;
      title: string;
    };
    const before = await feed();
    await sql`update jobs set title = 'For a moment' where id = ${id}`.execute(db.sql);
    await harness.buildSnapshot();
    await sql`update jobs set title = ${title} where id = ${id}`.execute(db.sql);
    await harness.buildSnapshot();
    expect(hashes(await feed())).toEqual(hashes(before));
    harness.pass(snapshotTimes.grace + 1);
    await sql`update jobs set title = ${`${title}!`} where id = ${id}`.execute(db.sql);
    await harness.buildSnapshot();
    const device = await createCollectionHarness(db, harness.now()).newDevice('feed');
    expect(device.rows()).toEqual(await harness.feedOracle());
  });

  it('lets one of two instances build, and leaves no torn manifest', async () => {
    await sql`update jobs set suburb = 'Everywhere' where status = 'active'`.execute(db.sql);
    harness.pass(10 * minute);
    const second = db.url === undefined ? undefined : await openPostgres({ url: db.url });
    const other = createCollectionHarness(second ?? db, harness.now());
    await Promise.all([
      harness.collections.buildDueSnapshots(),
      other.collections.buildDueSnapshots(),
      harness.collections.buildDueSnapshots(),
    ]);
    const { segments } = await feed();
    const kept = await Promise.all(
      segments.map(({ hash }) => createCollectionHarness(db, harness.now()).collections.segment('feed', hash)),
    );
    expect(kept.every((segment) => segment !== undefined)).toBe(true);
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
    await second?.close();
  });

  it('is not held up for ever by an instance that died while building', async () => {
    const before = await feed();
    await sql`update shelf_manifest set lease = gen_random_uuid(), lease_until = ${new Date(harness.now().getTime() + 11 * minute)} where shelf = 'feed'`.execute(
      db.sql,
    );
    await sql`update jobs set suburb = 'Nowhere' where id = ${(await jobOf(2)).id}`.execute(db.sql);
    await harness.buildSnapshot();
    expect(await feed()).toEqual(before);
    await harness.buildSnapshot();
    expect(BigInt((await feed()).version)).toBeGreaterThan(BigInt(before.version));
  });

  it('I4: device and database agree after any mixture of changes, snapshots and absences', async () => {
    const random = seededRandom(kind === 'pglite' ? 11 : 12);
    const devices = [await harness.newDevice('feed'), await harness.newDevice('feed'), await harness.newDevice('feed')];
    for (let round = 0; round < 12; round += 1) {
      const size = random.pick([1, 20, 400]);
      const some = sql`(select id from jobs where hashtext(id::text || ${round}::text) % 7 = ${random.below(7)} order by id limit ${size})`;
      const change = random.pick([
        sql`update jobs set title = ${`Round ${round}`} where id in ${some}`,
        sql`update jobs set status = 'closed', closed_at = now() where id in ${some}`,
        sql`update jobs set status = 'active', closed_at = null where id in ${some}`,
        sql`delete from jobs where id in (select id from jobs order by md5(id::text || ${round}::text) limit 3)`,
        sql`insert into jobs select gen_random_uuid(), user_id, title, description, location_id, budget_min, budget_max, urgency, category_id, 'active', images, 0, null, null, now() - random() * interval '200 days', null from jobs limit ${size}`,
      ]);
      await change.execute(db.sql);
      if (random.below(3) === 0) await harness.buildSnapshot();
      for (const device of devices) if (random.below(3) === 0) await harness.catchUp(device, 'feed');
    }
    const oracle = await harness.feedOracle();
    for (const device of [...devices, await harness.newDevice('feed')]) {
      await harness.catchUp(device, 'feed');
      expect(device.rows()).toEqual(oracle);
    }
  });
});
