import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { CollectionAnswer } from '../../shared/protocol/exchange.ts';
import { unpackSegment } from '../../shared/protocol/segment.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { seedMany } from '../db/seed/seed-many.ts';
import { createSqlStore } from '../store/sql-store.ts';
import type { CollectionDevice } from '../testing/collection-device.ts';
import { createCollectionHarness, payingTradie, type CollectionHarness } from '../testing/collection-harness.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { planSnapshot } from './plan-snapshot.ts';

const manifestOf = (answer: CollectionAnswer) => must('manifest' in answer ? answer.manifest : undefined, 'a manifest');

describe.each(usualDatabase)('[P9] of a feed that is too large to be held whole, on %s', (kind) => {
  let db: TestDatabase;
  let harness: CollectionHarness;
  let tradie: typeof payingTradie;
  const regions = new Map<string, string>();
  beforeAll(async () => {
    db = await openTestDb(kind);
    await seedMany(db, { jobs: 1_500, tradies: 50 });
    harness = createCollectionHarness(db, undefined, 1_000);
    await harness.buildSnapshot();
    const towns = sql<{ id: string; region: string }>`select id, region from reference where region is not null`;
    for (const { id, region } of (await towns.execute(db.sql)).rows) regions.set(id, region);
    const { rows } = await sql<{ id: string; tradieId: string }>`
      select u.id, own.id as "tradieId" from users u join tradies own on own.id = u.tradie_id
      where own.location_id is not null limit 1`.execute(db.sql);
    tradie = { ...payingTradie, ...must(rows[0], 'a tradie with a town') };
    await sql`update tradies set location_id = ${townIn('Southland')} where id = ${tradie.tradieId}`.execute(db.sql);
  });
  afterAll(() => db.close());

  const townIn = (region: string) => must([...regions].find(([, of]) => of === region)?.[0], region);
  const regionOf = (row: Record<string, unknown>) => regions.get(String(row['locationId'])) ?? '';
  const oracle = async (held: readonly string[]) =>
    new Map([...(await harness.feedOracle())].filter(([, row]) => held.includes(regionOf(row))));
  const jobIn = async (region: string) => {
    const { rows } = await sql<{ id: string }>`
      select jobs.id from jobs join reference on reference.id = location_id
      where region = ${region} and status = 'active' order by jobs.created_at limit 1`.execute(db.sql);
    return must(rows[0], `a job in ${region}`).id;
  };
  const ask = async (device: CollectionDevice) => {
    const timeline = device.timeline;
    return harness.ask('feed', device.version, tradie, { timeline, isCookieCurrent: false, regions: device.asks() });
  };
  const move = (id: string, to: string) =>
    sql`update jobs set location_id = ${townIn(to)} where id = ${id}`.execute(db.sql);

  it('a tradie gets the segments of their own regions and of those that they ask for, and the number of the other jobs', async () => {
    const wanted = { timeline: undefined, isCookieCurrent: false, regions: ['Otago'] };
    const manifest = manifestOf(await harness.ask('feed', null, tradie, wanted));
    expect(manifest.regions).toEqual(['Southland', 'Otago', '']);
    expect(new Set(manifest.segments.map(({ region }) => region))).toEqual(new Set(['Southland', 'Otago']));
    expect(manifest.segments[0]!.region).toBe('Southland');
    const held = manifest.segments.reduce((sum, { rows }) => sum + rows, 0);
    expect(manifest.near).toBe(manifest.segments.length);
    expect(held + must(manifest.elsewhere, 'a number')).toBe((await harness.feedOracle()).size);
    const device = await harness.newDevice('feed', tradie, ['Otago']);
    expect(device.rows()).toEqual(await oracle(['Southland', 'Otago', '']));
  });

  it('a saved search whose distance crosses a border brings the regions beyond it, and their new jobs', async () => {
    await sql`insert into searches (id, user_id, name, category_ids, location_id, within_km, urgencies, words, created_at)
      values ('0194b2a0-0000-7000-8000-000000000019', ${tradie.id}, 'Round Gore', '{}', 'southland/gore', 100, '{}', '', now())`.execute(
      db.sql,
    );
    const device = await harness.newDevice('feed', tradie, []);
    expect(device.rows()).toEqual(await oracle(['Southland', 'Otago', '']));
    await sql`delete from searches where user_id = ${tradie.id}`.execute(db.sql);
  });

  it('an app of before gets all of it, and so does any app where it is small', async () => {
    const manifest = manifestOf(await harness.ask('feed', null, tradie));
    expect([manifest.regions, manifest.elsewhere]).toEqual([undefined, undefined]);
    const small = createCollectionHarness(db, undefined, 100_000);
    const asked = { timeline: undefined, isCookieCurrent: false, regions: ['Otago'] };
    expect(manifestOf(await small.ask('feed', null, tradie, asked)).regions).toBeUndefined();
    const before = await harness.newDevice('feed', tradie);
    await move(await jobIn('Waikato'), 'Northland');
    await harness.catchUp(before, 'feed', tradie);
    expect(before.rows()).toEqual(await harness.feedOracle());
  });

  it('a job that moves in comes, one that moves out is removed, and of other regions nothing is told', async () => {
    const device = await harness.newDevice('feed', tradie, []);
    const [leaves, comes, elsewhere] = [await jobIn('Southland'), await jobIn('Waikato'), await jobIn('Northland')];
    await move(leaves, 'Otago');
    await move(comes, 'Southland');
    await sql`update jobs set title = 'Other words' where id = ${elsewhere}`.execute(db.sql);
    expect(await ask(device)).toMatchObject({ puts: [{ id: comes }], removes: [leaves] });
    await harness.catchUp(device, 'feed', tradie);
    // It is closed where the device cannot see it; it comes back closed, and is not told of again.
    await sql`update jobs set status = 'closed', closed_at = now() where id = ${elsewhere}`.execute(db.sql);
    expect(await ask(device)).toMatchObject({ puts: [], removes: [] });
    await sql`update jobs set status = 'closed', closed_at = now() where id = ${comes}`.execute(db.sql);
    expect(await ask(device)).toMatchObject({ puts: [], removes: [comes] });
    await harness.catchUp(device, 'feed', tradie);
    expect(device.rows()).toEqual(await oracle(['Southland', '']));
  });

  it('a town that is corrected into another region takes its jobs along', async () => {
    const device = await harness.newDevice('feed', tradie, []);
    await sql`insert into reference (id, kind, name, region, created_at)
      select 'waikato/corrected', kind, 'Corrected', region, created_at from reference where region = 'Waikato' limit 1`.execute(
      db.sql,
    );
    regions.set('waikato/corrected', 'Waikato');
    const id = await jobIn('Northland');
    await sql`update jobs set location_id = 'waikato/corrected' where id = ${id}`.execute(db.sql);
    await harness.catchUp(device, 'feed', tradie);
    expect(device.rows().has(id)).toBe(false);
    await sql`update reference set region = 'Southland' where id = 'waikato/corrected'`.execute(db.sql);
    regions.set('waikato/corrected', 'Southland');
    await harness.catchUp(device, 'feed', tradie);
    expect(device.rows().has(id)).toBe(true);
    await harness.buildSnapshot();
    expect((await harness.newDevice('feed', tradie, [])).rows()).toEqual(await oracle(['Southland', '']));
  });

  it('a device that has all of it since it was small gets the list of its regions with the next change', async () => {
    const small = createCollectionHarness(db, undefined, 100_000);
    const device = await small.newDevice('feed', tradie, []);
    expect(device.asks()).toEqual([]);
    // This server has seen how large it is.
    await harness.ask('feed', null, tradie);
    await sql`update jobs set title = 'New words' where id = ${await jobIn('Otago')}`.execute(db.sql);
    expect(manifestOf(await ask(device)).regions).toEqual(['Southland', '']);
    await harness.catchUp(device, 'feed', tradie);
    expect(device.rows()).toEqual(await oracle(['Southland', '']));
    expect(await ask(device)).toMatchObject({ puts: [], removes: [] });
  });

  it('a build looks at the regions alone in which something changed', async () => {
    await harness.buildSnapshot();
    await sql`update jobs set title = 'Newer words' where id = ${await jobIn('Otago')}`.execute(db.sql);
    await move(await jobIn('Waikato'), 'Northland');
    const counted: (readonly string[] | undefined)[] = [];
    const plan = await createSqlStore(db).snapshot((tx) =>
      planSnapshot(
        {
          ...tx,
          countByRegion: () => Promise.reject(new Error('every job is counted')),
          countByRange: (...args) => {
            counted.push(args[3]);
            return tx.countByRange(...args);
          },
        },
        'feed',
        1_000,
      ),
    );
    const read = plan.regions.filter(({ changed }) => changed.size > 0);
    expect(read.map(({ firstEdge }) => firstEdge)).toEqual(['Northland/', 'Otago/', 'Waikato/']);
    expect(counted).toEqual([['Waikato']]);
    expect(read.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(1_000);
  });

  it('I4: devices agree with the database after any mixture of moves, closings, deletions and new jobs', async () => {
    const random = seededRandom(23);
    const names = [...new Set(regions.values())].toSorted();
    const devices = [await harness.newDevice('feed', tradie, []), await harness.newDevice('feed', tradie, ['Otago'])];
    for (let round = 0; round < 16; round += 1) {
      const size = random.pick([1, 20, 200]);
      const some = sql`(select id from jobs where hashtext(id::text || ${round}::text) % 7 = ${random.below(7)} order by id limit ${size})`;
      const to = random.pick(['Southland', 'Otago', random.pick(names)]);
      const change = random.pick([
        sql`update jobs set location_id = ${townIn(to)} where id in ${some}`,
        sql`update jobs set location_id = ${townIn(to)} where id in ${some}`,
        sql`update jobs set location_id = null where id in ${some}`,
        sql`update jobs set created_at = created_at + interval '40 days' where id in ${some}`,
        sql`update jobs set status = 'closed', closed_at = now() where id in ${some}`,
        sql`update jobs set status = 'active', closed_at = null where id in ${some}`,
        sql`delete from jobs where id in (select id from jobs order by md5(id::text || ${round}::text) limit 3)`,
        sql`insert into jobs select gen_random_uuid(), user_id, title, description, location_id, budget_min, budget_max, urgency, category_id, 'active', images, 0, null, null, now() - random() * interval '200 days', null from jobs limit ${size}`,
      ]);
      await change.execute(db.sql);
      if (random.below(2) === 0) await harness.buildSnapshot();
      for (const device of devices) if (random.below(3) === 0) await harness.catchUp(device, 'feed', tradie);
    }
    for (const [at, held] of [
      ['Southland', ''],
      ['Southland', 'Otago', ''],
    ].entries()) {
      await harness.catchUp(devices[at]!, 'feed', tradie);
      expect(devices[at]!.rows()).toEqual(await oracle(held));
    }
    await harness.buildSnapshot();
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
    for (const { hash, rows, region } of (await harness.collections.manifest('feed'))!.segments) {
      const text = brotliDecompressSync(must(await harness.collections.segment('feed', hash), hash).br).toString();
      const found = unpackSegment('feed', text);
      expect([found.length, new Set(found.map(regionOf))]).toEqual([rows, new Set([region])]);
    }
  });
});
