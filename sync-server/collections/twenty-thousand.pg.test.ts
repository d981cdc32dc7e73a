import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { unpackSegment } from '../../shared/protocol/segment.ts';
import { seedMany } from '../db/seed/seed-many.ts';
import { createCollectionHarness, type CollectionHarness } from '../testing/collection-harness.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';

describe.each(usualDatabase)('20,000 jobs and 5,000 tradies on %s', (kind) => {
  let db: TestDatabase;
  let harness: CollectionHarness;
  beforeAll(async () => {
    db = await openTestDb(kind);
    await seedMany(db, { jobs: 20_000, tradies: 5_000 });
    harness = createCollectionHarness(db);
    await harness.buildSnapshot();
  });
  afterAll(() => db.close());

  const feed = async () => must(await harness.collections.manifest('feed'), 'a manifest');

  it('come to a new device in some 50 segments and about 4 MB, the newest jobs first', async () => {
    const [jobs, tradies] = [await feed(), must(await harness.collections.manifest('directory'), 'a manifest')];
    expect([jobs.segments.length, tradies.segments.length]).toEqual([52, 11]);
    let wire = 0;
    for (const { hash } of jobs.segments) wire += must(await harness.collections.segment('feed', hash), hash).br.length;
    expect(wire).toBeLessThan(4_000_000);
    const first = must(
      await harness.collections.segment('feed', must(jobs.segments[0], 'a segment').hash),
      'a segment',
    );
    const { rows } = await sql<{ id: string }>`select id from jobs where location_id in
        (select id from reference where region = ${jobs.segments[0]?.region ?? ''})
      order by created_at desc, id desc limit 50`.execute(db.sql);
    const inFirst = unpackSegment('feed', brotliDecompressSync(first.br).toString()).map(({ id }) => id);
    expect(new Set(inFirst)).toEqual(new Set(rows.map(({ id }) => id)));
    expect((await harness.newDevice('feed')).rows()).toEqual(await harness.feedOracle());
  });

  it('cost one segment when one job changes, and a returning device a handful of rows', async () => {
    const device = await harness.newDevice('feed');
    const before = new Set((await feed()).segments.map(({ hash }) => hash));
    const had = device.downloaded.length;
    await sql`update jobs set title = 'Only this one' where id in (select id from jobs order by id offset 9000 limit 1)`.execute(
      db.sql,
    );
    await harness.buildSnapshot();
    expect((await feed()).segments.filter(({ hash }) => !before.has(hash))).toHaveLength(1);
    expect(await harness.ask('feed', device.version)).toMatchObject({
      puts: [{ title: 'Only this one' }],
      removes: [],
    });
    await harness.catchUp(device, 'feed');
    expect(device.downloaded.length).toBe(had);
    expect(device.rows()).toEqual(await harness.feedOracle());
  });
});
