import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../shared/tables/index.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { insertRows } from '../db/write-rows.ts';
import { openSyncHarness, type SyncHarness } from '../testing/sync-harness.ts';

/**
 * Beside the engine's version, what others use for a cursor: a number drawn when the row is written. Many writers at
 * random:
 * `simulate/stress`.
 */
describe('two writers at once, on postgres (PGlite has one connection, so nothing there overlaps)', () => {
  let harness: SyncHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openSyncHarness('postgres');
    owner = await harness.homeowner();
    await sql`create table naive (number bigserial primary key, job_id uuid not null)`.execute(harness.db.sql);
  });
  afterEach(() => harness.close());

  /** Follows both cursors the way a device would: everything above the highest seen. */
  function openReader() {
    const device = harness.device(owner);
    const seen = new Set<string>();
    let highest = '0';
    return {
      async poll() {
        const { rows } = await sql<{
          number: string;
          job_id: string;
        }>`select number, job_id from naive where number > ${highest} order by number`.execute(harness.db.sql);
        for (const { number, job_id: id } of rows) {
          seen.add(id);
          highest = number;
        }
        await device.sync();
      },
      missedByNumber: (ids: readonly string[]) => ids.filter((id) => !seen.has(id)).length,
      missedByVersion: (ids: readonly string[]) => ids.filter((id) => device.row('jobs', id) === undefined).length,
    };
  }

  const write = async (pause: () => Promise<unknown>) => {
    const job = makeJob({ userId: owner.id });
    await harness.db.transaction(async (tx) => {
      await insertRows(tx, 'jobs', [job]);
      await sql`insert into naive (job_id) values (${job.id})`.execute(tx);
      await pause();
    });
    return job.id;
  };

  it('[S3][I4] what began first and committed last is missed by a sequence, and not by the version', async () => {
    const reader = openReader();
    const first = Promise.withResolvers<void>();
    const isWritten = Promise.withResolvers<void>();
    const slow = write(() => {
      isWritten.resolve();
      return first.promise;
    });
    await isWritten.promise;
    const quick = await write(() => Promise.resolve());
    await reader.poll();
    first.resolve();
    const ids = [await slow, quick];
    await reader.poll();
    expect(reader.missedByNumber(ids)).toBe(1);
    expect(reader.missedByVersion(ids)).toBe(0);
  });
});
