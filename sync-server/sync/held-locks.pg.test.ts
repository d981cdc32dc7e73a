import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import type { User } from '../../shared/tables/index.ts';
import type { Database, Sql } from '../db/database.ts';
import { insertRows } from '../db/write-rows.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { openSyncHarness, post, sent, type SyncHarness } from '../testing/sync-harness.ts';
import { sqlState } from './error-kind.ts';
import { pull } from './pull.ts';
import { forgetRemovals } from './purge-tombstones.ts';
import { replayDeadLetter } from './replay-dead-letter.ts';
import { push } from './push.ts';
import { decideRequest } from './decide-request.ts';

/*
 * Which transaction waits for which. Nothing here depends on speed: one transaction stays open until the other has
 * failed or got its lock. PGlite has one connection, so nothing waits there.
 */
describe('locks that order transactions, on postgres', () => {
  let harness: SyncHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openSyncHarness('postgres');
    owner = await harness.homeowner();
  });
  afterEach(() => harness.close());

  /**
   * The result of `work` in another transaction that waits for no lock: `done`, or PostgreSQL's state for "lock not
   * available".
   */
  const meanwhile = (work: (sql: Sql) => Promise<unknown>) =>
    harness.db
      .transaction(async (other) => {
        await sql`set local lock_timeout = '100ms'`.execute(other);
        await work(other);
        return 'done';
      })
      .catch((error: unknown) => sqlState(error));

  const writeJob = async (tx: Sql) => {
    const job = makeJob({ userId: owner.id });
    await insertRows(tx, 'jobs', [job]);
    // What COMMIT would do, while the transaction stays open.
    await sql`set constraints all immediate`.execute(tx);
    return job.id;
  };
  const versionOf = async (id: string) =>
    BigInt(
      (await sql<{ version: string }>`select version from sync_change where entity_id = ${id}`.execute(harness.db.sql))
        .rows[0]!.version,
    );

  it('[S3] a commit draws no version while another one that has drawn its own is not visible yet', async () => {
    const first = await harness.db.transaction(async (tx) => {
      const id = await writeJob(tx);
      expect(await meanwhile(writeJob)).toBe('55P03');
      return id;
    });
    const second = await harness.db.transaction(writeJob);
    expect(await versionOf(second)).toBeGreaterThan(await versionOf(first));
  });

  it('[S5] removals are not purged while a commit writes its own change rows, nor the other way about', async () => {
    await harness.db.transaction(async (tx) => {
      await writeJob(tx);
      expect(await meanwhile((other) => forgetRemovals(other, harness.now()))).toBe('55P03');
    });
    await harness.db.transaction(async (tx) => {
      await forgetRemovals(tx, harness.now());
      expect(await meanwhile(writeJob)).toBe('55P03');
      expect(
        await meanwhile((other) => sql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(other)),
      ).toBe('55P03');
    });
  });

  /** The database, where before each commit of a writing transaction another connection tries to lock its person. */
  function asked(answers: unknown[]): Database {
    const hold = (other: Sql) => sql`select 1 from users where id = ${owner.id} for no key update`.execute(other);
    return {
      ...harness.db,
      transaction: (work, options) =>
        harness.db.transaction(async (tx) => {
          const done = await work(tx);
          if (options?.mode !== 'snapshot') answers.push(await meanwhile(hold));
          return done;
        }, options),
    };
  }

  it('[S1][S2] the person’s row is locked until their request has committed: by a batch, by a call, and by an operator’s replay', async () => {
    const answers: unknown[] = [];
    const database = asked(answers);
    const parts = { ...harness.parts, database, store: createSqlStore(database) };
    await push(parts, { userId: owner.id }, [post()]);
    await decideRequest(parts, owner.id, { uid: makeTestId(), call: 'jobs.post', input: {}, plan: () => [] });
    const deadLetter = sent('job.post', post().args);
    await sql`insert into sync_mutation (user_id, uid, name, args_hash, status, at) values (${owner.id}, ${deadLetter.uid}, ${deadLetter.name}, '', 'parked', now())`.execute(
      harness.db.sql,
    );
    await sql`insert into sync_parked (user_id, uid, name, args, error, parked_at) values (${owner.id}, ${deadLetter.uid}, ${deadLetter.name}, to_jsonb(${JSON.stringify(deadLetter.args)}::text), '', now())`.execute(
      harness.db.sql,
    );
    await replayDeadLetter(parts, { userId: owner.id, uid: deadLetter.uid });
    expect(answers).toEqual(['55P03', '55P03', '55P03']);
    expect(
      await meanwhile((other) => sql`select 1 from users where id = ${owner.id} for no key update`.execute(other)),
    ).toBe('done');
  });

  it('[S3] what commits while an answer is read is not partly in it: neither the row nor the version', async () => {
    const job = makeJob({ userId: owner.id });
    let statements = 0;
    const disturbed: Database = {
      ...harness.db,
      transaction: (work, options) =>
        harness.db.transaction(
          (tx) =>
            work(
              tx.withPlugin({
                transformQuery: ({ node }) => node,
                transformResult: async ({ result }) => {
                  statements += 1;
                  // After the head was read, before the rows are.
                  if (statements === 1) await insertRows(harness.db.sql, 'jobs', [job]);
                  return result;
                },
              }),
            ),
          options,
        ),
    };
    const request = { protocol: 1, schema: 1, cookie: null, shelves: {}, mutations: [], awaiting: [] };
    const { answer, position } = await pull({ ...harness.parts, store: createSqlStore(disturbed) }, owner.id, request, {
      stopped: undefined,
      reused: [],
      restoring: [],
    });
    expect(statements).toBeGreaterThan(1);
    expect(answer).toMatchObject({ kind: 'delta' });
    expect(answer.kind === 'delta' && answer.puts.jobs).toBeUndefined();
    expect(BigInt(position.head)).toBeLessThan(await versionOf(job.id));
  });
});
