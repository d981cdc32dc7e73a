import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { unpackSegment } from '../../shared/protocol/segment.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { seedMany } from '../db/seed/seed-many.ts';
import { createCollectionHarness, payingTradie, type CollectionHarness } from '../testing/collection-harness.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { rangeLimits } from './collection-ranges.ts';

describe.each(usualDatabase)('a large feed is cut by regions on %s', (kind) => {
  let db: TestDatabase;
  let harness: CollectionHarness;
  let tradie: typeof payingTradie;
  const regions = new Map<string, string>();
  beforeAll(async () => {
    db = await openTestDb(kind);
    await seedMany(db, { jobs: 5_000, tradies: 50 });
    harness = createCollectionHarness(db);
    await harness.buildSnapshot();
    const towns = sql<{ id: string; region: string }>`select id, region from reference where region is not null`;
    for (const { id, region } of (await towns.execute(db.sql)).rows) regions.set(id, region);
    const { rows } = await sql<{ id: string; tradieId: string }>`
      select u.id, own.id as "tradieId" from users u join tradies own on own.id = u.tradie_id
      where own.location_id is not null limit 1`.execute(db.sql);
    tradie = { ...payingTradie, ...must(rows[0], 'a tradie with a town') };
  });
  afterAll(() => db.close());

  const segments = async () => must(await harness.collections.manifest('feed'), 'a manifest').segments;
  const rowsOf = async (hash: string) =>
    unpackSegment(
      'feed',
      brotliDecompressSync(must(await harness.collections.segment('feed', hash), hash).br).toString(),
    );
  const settle = async (tradieTown: string, searches: [region: string | null, town: string | null][]) => {
    await sql`update tradies set location_id = ${tradieTown} where id = ${tradie.tradieId}`.execute(db.sql);
    await sql`delete from searches where user_id = ${tradie.id}`.execute(db.sql);
    for (const [at, [region, town]] of searches.entries())
      await sql`insert into searches (id, user_id, name, category_ids, region, location_id, urgencies, words, created_at)
        values (${`0194b2a0-0000-7000-8000-00000000001${at}`}, ${tradie.id}, 'Mine', '{}', ${region}, ${town}, '{}', '', now())`.execute(
        db.sql,
      );
  };
  const townIn = (region: string) => must([...regions].find(([, of]) => of === region)?.[0], region);

  it('into segments of one region each, every row once, and none much larger than the others', async () => {
    const cut = await segments();
    expect(new Set(cut.map(({ region }) => region)).size).toBeGreaterThan(10);
    for (const { hash, region, rows } of cut) {
      expect(new Set((await rowsOf(hash)).map((row) => regions.get(row.locationId ?? '')))).toEqual(new Set([region]));
      expect(rows).toBeLessThanOrEqual(rangeLimits.max);
    }
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
  });

  it('of which a tradie gets those of their town’s region first, then of their searches, each newest first', async () => {
    await settle(townIn('Southland'), [
      ['Northland', null],
      [null, townIn('Otago')],
      [null, null],
    ]);
    const answer = await harness.ask('feed', null, tradie);
    const { manifest } = answer as Extract<typeof answer, { manifest: unknown }>;
    const near = manifest.segments.slice(0, manifest.near);
    const inOrder = near.map(({ region }) => region).filter((region, at, all) => region !== all[at - 1]);
    expect(inOrder).toEqual(['Southland', 'Northland', 'Otago']);
    const southland = near.filter(({ region }) => region === 'Southland').map(({ to }) => to);
    expect(southland).toEqual(southland.toSorted().toReversed());
    expect(manifest.segments.slice(manifest.near).some(({ region }) => inOrder.includes(region))).toBe(false);
    expect(new Set(manifest.segments.map(({ hash }) => hash))).toEqual(
      new Set((await segments()).map(({ hash }) => hash)),
    );
  });

  it('and a tradie whose town is not known gets the newest of all first', async () => {
    const answer = await harness.ask('feed', null);
    const { manifest } = answer as Extract<typeof answer, { manifest: unknown }>;
    expect(manifest.near).toBeUndefined();
    expect(manifest.segments[0]?.to).toBe(
      manifest.segments
        .map(({ to }) => to)
        .toSorted()
        .at(-1),
    );
  });

  it('and of a job that moves to another region, both regions’ segments are built again, and no other', async () => {
    const before = await segments();
    const [from, to] = ['Southland', 'Northland'];
    const { rows } = await sql<{ id: string }>`
      select jobs.id from jobs join reference on reference.id = location_id
      where region = ${from} and status = 'active' order by jobs.created_at limit 1`.execute(db.sql);
    const { id } = must(rows[0], 'a job');
    await sql`update jobs set location_id = ${townIn(to)} where id = ${id}`.execute(db.sql);
    await harness.buildSnapshot();
    const kept = new Set(before.map(({ hash }) => hash));
    const built = (await segments()).filter(({ hash }) => !kept.has(hash)).map(({ region }) => region);
    expect([built.length, new Set(built)]).toEqual([2, new Set([from, to])]);
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
  });

  it('and a region whose last job is gone, and one that gets its first, are there as they are', async () => {
    const gisborne = sql`select id from reference where region = 'Gisborne'`;
    await sql`update jobs set status = 'closed', closed_at = now() where location_id in (${gisborne})`.execute(db.sql);
    await harness.buildSnapshot();
    expect((await segments()).filter(({ region }) => region === 'Gisborne')).toEqual([]);
    await sql`update jobs set status = 'active', closed_at = null where id in
      (select id from jobs where location_id in (${gisborne}) limit 1)`.execute(db.sql);
    await harness.buildSnapshot();
    expect((await segments()).filter(({ region }) => region === 'Gisborne').map(({ rows }) => rows)).toEqual([1]);
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
  });

  it('I4: device and database agree after any mixture of moves, closings, deletions and new jobs', async () => {
    const random = seededRandom(21);
    const devices = [await harness.newDevice('feed'), await harness.newDevice('feed')];
    const names = [...new Set(regions.values())].toSorted();
    for (let round = 0; round < 14; round += 1) {
      const size = random.pick([1, 20, 400]);
      const some = sql`(select id from jobs where hashtext(id::text || ${round}::text) % 7 = ${random.below(7)} order by id limit ${size})`;
      const change = random.pick([
        sql`update jobs set location_id = ${townIn(random.pick(names))} where id in ${some}`,
        sql`update jobs set location_id = null where id in ${some}`,
        sql`update jobs set status = 'closed', closed_at = now() where id in ${some}`,
        sql`update jobs set status = 'active', closed_at = null where id in ${some}`,
        sql`delete from jobs where id in (select id from jobs order by md5(id::text || ${round}::text) limit 3)`,
        sql`insert into jobs select gen_random_uuid(), user_id, title, description, location_id, budget_min, budget_max, urgency, category_id, 'active', images, 0, null, null, now() - random() * interval '200 days', null from jobs limit ${size}`,
      ]);
      await change.execute(db.sql);
      if (random.below(2) === 0) await harness.buildSnapshot();
      for (const device of devices) if (random.below(3) === 0) await harness.catchUp(device, 'feed');
    }
    await harness.buildSnapshot();
    const oracle = await harness.feedOracle();
    for (const device of [...devices, await harness.newDevice('feed')]) {
      await harness.catchUp(device, 'feed');
      expect(device.rows()).toEqual(oracle);
    }
  });

  it('and stays so when it shrinks', async () => {
    await sql`update jobs set status = 'closed', closed_at = now() where id not in
      (select id from jobs where status = 'active' order by id limit 300)`.execute(db.sql);
    await harness.buildSnapshot();
    expect((await segments()).every(({ region }) => region !== undefined)).toBe(true);
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
  });

  it('a town is corrected into another region as a job there is deleted: each job is in the list once, and the deleted one is not', async () => {
    const { rows } = await sql<{ id: string; region: string }>`
      select distinct on (region) jobs.id, region from jobs join reference on reference.id = location_id
      where region in ('Southland', 'Northland') and status = 'active' order by region, jobs.created_at`.execute(
      db.sql,
    );
    const idIn = (region: string) => must(rows.find((row) => row.region === region)?.id, region);
    await sql`insert into reference (id, kind, name, region, created_at)
      select 'northland/corrected', kind, 'Corrected', region, created_at from reference where region = 'Northland' limit 1`.execute(
      db.sql,
    );
    await sql`update jobs set location_id = 'northland/corrected' where id = ${idIn('Northland')}`.execute(db.sql);
    await harness.buildSnapshot();
    // As many rows as before are in the range of Southland.
    await sql`update reference set region = 'Southland' where id = 'northland/corrected'`.execute(db.sql);
    await sql`delete from jobs where id = ${idIn('Southland')}`.execute(db.sql);
    await harness.buildSnapshot();
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
  });
});
