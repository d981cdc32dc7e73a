import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCollectionHarness, type CollectionHarness } from '../testing/collection-harness.ts';
import { openSyncHarness, type SyncHarness } from '../testing/sync-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { purgeTombstones, tombstoneMs } from './purge-tombstones.ts';

describe.each(usualDatabase)('purging old removals on %s', (kind) => {
  let harness: SyncHarness;
  let collectionHarness: CollectionHarness;
  beforeEach(async () => {
    harness = await openSyncHarness(kind);
    collectionHarness = createCollectionHarness(harness.db);
  });
  afterEach(() => harness.close());

  const purgeLater = () => purgeTombstones({ ...harness.parts, clock: () => new Date(Date.now() + 2 * tombstoneMs) });
  const remembered = async () =>
    (await sql`select 1 from sync_change where deleted`.execute(harness.db.sql)).rows.length;

  it('[S5, P9] a removal that the snapshot does not contain yet is kept until it does: a new device would show the job for ever', async () => {
    const owner = await harness.homeowner();
    const [doomed] = [await harness.job(owner), await harness.job(owner)];
    await collectionHarness.buildSnapshot();
    await sql`delete from jobs where id = ${doomed.id}`.execute(harness.db.sql);
    await purgeLater();
    const device = await collectionHarness.newDevice('feed');
    expect(device.rows()).toEqual(await collectionHarness.feedOracle());
    expect(await remembered()).toBe(1);

    await collectionHarness.buildSnapshot();
    await purgeLater();
    expect(await remembered()).toBe(0);
    expect((await collectionHarness.newDevice('feed')).rows()).toEqual(await collectionHarness.feedOracle());
    await collectionHarness.catchUp(device, 'feed');
    expect(device.rows()).toEqual(await collectionHarness.feedOracle());
  });

  it('says in the log how many went, and nothing where none did', async () => {
    const lines: unknown[] = [];
    const { parts } = harness;
    const log = { ...parts.log, info: (...line: unknown[]) => void lines.push(line) } as typeof parts.log;
    const purge = () => purgeTombstones({ ...parts, log, clock: () => new Date(Date.now() + 2 * tombstoneMs) });
    await purge();
    expect(lines).toEqual([]);
    const owner = await harness.homeowner();
    const [doomed] = [await harness.job(owner), await harness.job(owner)];
    await sql`delete from jobs where id = ${doomed.id}`.execute(harness.db.sql);
    await collectionHarness.buildSnapshot();
    await purge();
    expect(lines).toEqual([[{ purged: 1 }, 'forgot old removals']]);
  });
});
