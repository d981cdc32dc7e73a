import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeInterest } from '../../shared/testing/make.ts';
import type { Database } from '../db/database.ts';
import { openPostgres } from '../db/open-postgres.ts';
import { insertRows } from '../db/write-rows.ts';
import type { Mail } from '../mail/mailer.ts';
import { openEffects } from '../open-effects.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { createExchange } from '../sync/exchange.ts';
import { openSyncHarness, post, type SyncHarness } from '../testing/sync-harness.ts';
import { addEffects } from './record-effects.ts';
import type { Effects } from './run-effects.ts';

const flood = 60;

/** The embedded database has one connection, which all wait for in turn. */
describe('a flood of mails, on postgres', () => {
  let harness: SyncHarness;
  let database: Database;
  let effects: Effects;
  let mails: Mail[];
  beforeEach(async () => {
    harness = await openSyncHarness('postgres');
    // One connection more than effects may have.
    database = await openPostgres({ url: must(harness.db.url, 'an address'), poolSize: 4 });
    mails = [];
    effects = openEffects({
      database,
      clock: harness.now,
      log: { ...console, warn: () => undefined, error: () => undefined } as never,
      mailer: { send: async (mail) => void mails.push(mail) },
      sendPush: undefined,
      publicUrl: () => 'https://dwang.example.nz',
    });
  });
  afterEach(async () => {
    await effects.close();
    await database.close();
    await harness.close();
  });

  /** Connections that wait for a lock. */
  const waiting = async () =>
    (
      await sql<{
        n: number;
      }>`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
        harness.db.sql,
      )
    ).rows[0]!.n;

  it('keeps no exchange waiting: each is answered before any of them has gone out, and all go out after it', async () => {
    const owner = await harness.homeowner();
    const { user, tradie } = await harness.tradie();
    const job = await harness.job(owner);
    const interest = makeInterest({ jobId: job.id, tradieId: tradie.id, userId: user.id, ownerId: owner.id });
    await insertRows(harness.db.sql, 'interests', [interest]);
    await addEffects(
      harness.db.sql,
      harness.now(),
      Array.from({ length: flood }, (_, at) => ({
        name: 'interest.mail' as const,
        key: `flood:${at}`,
        payload: { interestId: interest.id },
      })),
    );
    const exchange = createExchange({ ...harness.parts, store: createSqlStore(database) });
    let running: Promise<void> | undefined;
    await harness.db.transaction(async (other) => {
      // Every mail needs this table, and no exchange does.
      await sql`lock table mail_preference in access exclusive mode`.execute(other);
      running = effects.run();
      await expect.poll(waiting).toBe(3);
      for (const mutation of [post(), post(), post()]) {
        const answer = await harness.ask(owner, { mutations: [mutation] }, exchange);
        expect(answer).toMatchObject({ outcomes: [{ uid: mutation.uid, status: 'applied' }] });
      }
      expect(await waiting()).toBe(3);
      expect(mails).toEqual([]);
    });
    await running;
    // On a slow machine some had given the lock up, and are due again later.
    for (let again = 0; mails.length < flood && again < 5; again += 1) {
      harness.pass(10 * 60_000);
      await effects.run();
    }
    expect(mails).toHaveLength(flood);
  });
});
