import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usualDatabase } from '../testing/test-db.ts';
import { openSyncHarness, post, type SyncHarness } from '../testing/sync-harness.ts';
import { createExchange } from './exchange.ts';
import { createExchangeLimit, exchangeRule, TooManyExchanges } from './exchange-limit.ts';

const { lease, burst, everyMs } = exchangeRule;

describe.each(usualDatabase)('the limit of exchanges on %s', (kind) => {
  let harness: SyncHarness;
  beforeEach(async () => {
    harness = await openSyncHarness(kind);
  });
  afterEach(() => harness.close());

  const open = () => createExchangeLimit({ database: harness.db, clock: harness.now });

  it('is one for all instances, and admits again with time', async () => {
    const instances = [open(), open(), open()];
    let allowed = 0;
    let wait = 0;
    for (let at = 0; wait === 0; at += 1) {
      // An instance whose lease is used up asks the database; the others may still have some.
      wait = await instances[at % 3]!('one');
      if (wait === 0) allowed += 1;
    }
    expect(allowed).toBeLessThanOrEqual(lease * burst);
    expect(allowed).toBeGreaterThan(lease * (burst - instances.length));
    expect(wait).toBe(everyMs);
    expect(await open()('another')).toBe(0);
    harness.pass(everyMs - 1);
    expect(await open()('one')).toBe(1);
    harness.pass(1);
    expect(await open()('one')).toBe(0);
  });

  it('asks the database once for a whole lease', async () => {
    let asked = 0;
    const sql = harness.db.sql.withPlugin({
      transformQuery: ({ node }) => ((asked += 1), node),
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const limit = createExchangeLimit({ database: { ...harness.db, sql }, clock: harness.now });
    for (let at = 0; at < lease; at += 1) expect(await limit('one')).toBe(0);
    expect(asked).toBe(1);
    await limit('one');
    expect(asked).toBe(2);
  });

  it('takes one lease for many concurrent requests', async () => {
    const limit = open();
    expect(await Promise.all(Array.from({ length: lease * burst }, () => limit('one')))).toEqual(
      Array.from({ length: lease * burst }, () => 0),
    );
    expect(await limit('one')).toBeGreaterThan(0);
  });

  it('rejects the exchange before anything of it is decided, and counts none that needs no database', async () => {
    const user = await harness.homeowner();
    let head: string | undefined = undefined;
    let isFull = false;
    let counted = 0;
    const limit = () => Promise.resolve(isFull ? 700 : ((counted += 1), 0));
    const exchange = createExchange({ ...harness.parts, limit, headVersion: () => head });
    const device = harness.device(user, exchange);
    await device.sync();
    head = (JSON.parse(Buffer.from(String(device.cookie), 'base64url').toString()) as { v: string }).v;
    await device.sync();
    expect(counted).toBe(1);
    isFull = true;
    await device.sync();
    const job = post();
    await expect(device.sync([job])).rejects.toSatisfy(
      (error) => error instanceof TooManyExchanges && error.waitMs === 700,
    );
    isFull = false;
    await device.sync([job]);
    expect(device.row('jobs', job.args.id)).toBeDefined();
  });
});
