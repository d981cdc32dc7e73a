import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { startNewTimeline } from '../db/new-timeline.ts';
import { seedMany } from '../db/seed/seed-many.ts';
import {
  createCollectionHarness,
  readCollectionPosition,
  type CollectionHarness,
} from '../testing/collection-harness.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';

/* [S5, S11] The database was restored, and comes to the same versions with other rows. */
describe.each(usualDatabase)('the shared lists over a restore on %s', (kind) => {
  let db: TestDatabase;
  let harness: CollectionHarness;
  /** What phones know of the timeline that ended: its name, and a version that the backup does not contain. */
  let dead: { timeline: string; version: string };
  let backedUp: string;
  beforeAll(async () => {
    db = await openTestDb(kind);
    await seedMany(db, { jobs: 40, tradies: 30 });
    harness = createCollectionHarness(db);
    await harness.buildSnapshot();
    backedUp = (await readCollectionPosition(db.sql)).head;
    await sql`update tradies set business_name = 'Of the dead timeline' where id in (select id from tradies order by id limit 3)`.execute(
      db.sql,
    );
    const { head, timeline } = await readCollectionPosition(db.sql);
    dead = { timeline, version: head };
    await db.transaction(startNewTimeline);
  });
  afterAll(() => db.close());

  const head = async () => (await readCollectionPosition(db.sql)).head;

  it('begins its versions above every one that was drawn before, and takes no number twice', async () => {
    expect(BigInt(await head())).toBeGreaterThan(BigInt(dead.version));
    await sql`update tradies set business_name = 'Of the new timeline' where id = (select id from tradies order by id desc limit 1)`.execute(
      db.sql,
    );
    const after = await head();
    await db.transaction(startNewTimeline);
    expect(BigInt(await head())).toBeGreaterThan(BigInt(after));
    expect((await readCollectionPosition(db.sql)).timeline).not.toBe(dead.timeline);
  });

  it('answers with a manifest where the version is of the timeline that ended, however low or high its number', async () => {
    for (const collection of ['directory', 'reference', 'feed'] as const) {
      for (const version of ['1', backedUp, dead.version, await head()]) {
        for (const isCookieCurrent of [true, false]) {
          expect(
            await harness.ask(collection, version, undefined, { timeline: dead.timeline, isCookieCurrent }),
            `${collection} ${version}`,
          ).toHaveProperty('manifest');
        }
      }
    }
  });

  it('takes a bare version, which an older app sends, only where its cookie is of this timeline and the version was drawn in it', async () => {
    const bare = (version: string, isCookieCurrent: boolean) =>
      harness.ask('directory', version, undefined, { timeline: undefined, isCookieCurrent });
    expect(await bare(dead.version, true)).toHaveProperty('manifest');
    expect(await bare(await head(), false)).toHaveProperty('manifest');
    expect(await bare(await head(), true)).toMatchObject({ puts: [], removes: [] });
  });

  it('names its timeline in every answer', async () => {
    const { timeline } = await readCollectionPosition(db.sql);
    await harness.buildSnapshot();
    expect(await harness.collections.manifest('directory')).toMatchObject({ timeline });
    expect(await harness.ask('directory', null)).toMatchObject({ manifest: { timeline } });
    expect(await harness.ask('directory', await head())).toMatchObject({ puts: [], timeline });
    const before = await head();
    await sql`update tradies set business_name = 'Once more' where id = (select id from tradies order by id limit 1)`.execute(
      db.sql,
    );
    expect(await harness.ask('directory', before)).toMatchObject({ puts: [{ businessName: 'Once more' }], timeline });
  });

  it('builds every snapshot anew at once, so that an older app, which compares the number alone, takes the new for newer', async () => {
    const manifest = must(await harness.collections.manifest('directory'), 'a manifest');
    await db.transaction(startNewTimeline);
    await harness.collections.buildDueSnapshots();
    const snapshot = must(await harness.collections.manifest('directory'), 'a manifest');
    expect(BigInt(snapshot.version)).toBeGreaterThan(BigInt(manifest.version));
    expect(snapshot.version).toBe(await head());
    // The rows are the same, and so are the segments: nothing is downloaded twice.
    expect(snapshot.segments.length).toBeGreaterThan(0);
  });

  it('a device that had everything ends equal to the database', async () => {
    const device = await harness.newDevice('feed');
    await sql`update jobs set title = 'Forgotten by the backup' where status = 'active'`.execute(db.sql);
    await harness.catchUp(device, 'feed');
    const before = device.version;
    await sql`update jobs set title = 'As it was' where status = 'active'`.execute(db.sql);
    await db.transaction(startNewTimeline);
    expect(device.version).toBe(before);
    await harness.catchUp(device, 'feed');
    expect(device.rows()).toEqual(await harness.feedOracle());
    expect(device.timeline).toBe((await readCollectionPosition(db.sql)).timeline);
  });
});
