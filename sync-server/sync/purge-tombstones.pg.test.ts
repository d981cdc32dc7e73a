import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openShelfHouse, type ShelfHouse } from '../testing/shelf-house.ts';
import { openSyncHouse, type SyncHouse } from '../testing/sync-house.ts';
import { databases } from '../testing/test-db.ts';
import { purgeTombstones, tombstoneMs } from './purge-tombstones.ts';

describe.each(databases)('forgetting old removals on %s', (kind) => {
  let house: SyncHouse;
  let shelfHouse: ShelfHouse;
  beforeEach(async () => {
    house = await openSyncHouse(kind);
    shelfHouse = openShelfHouse(house.db);
  });
  afterEach(() => house.close());

  const purgeLater = () => purgeTombstones({ ...house.parts, clock: () => new Date(Date.now() + 2 * tombstoneMs) });
  const remembered = async () => (await sql`select 1 from sync_change where deleted`.execute(house.db.sql)).rows.length;

  it('[S5, P9] a removal that the sealed segments do not know of is kept until they do: a new device would show the job for ever', async () => {
    const owner = await house.homeowner();
    const [doomed] = [await house.job(owner), await house.job(owner)];
    await shelfHouse.seal();
    await sql`delete from jobs where id = ${doomed.id}`.execute(house.db.sql);
    await purgeLater();
    const device = await shelfHouse.newDevice('feed');
    expect(device.rows()).toEqual(await shelfHouse.feedOracle());
    expect(await remembered()).toBe(1);

    await shelfHouse.seal();
    await purgeLater();
    expect(await remembered()).toBe(0);
    expect((await shelfHouse.newDevice('feed')).rows()).toEqual(await shelfHouse.feedOracle());
    await shelfHouse.catchUp(device, 'feed');
    expect(device.rows()).toEqual(await shelfHouse.feedOracle());
  });
});
