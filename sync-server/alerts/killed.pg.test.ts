import { sql as rawSql } from 'kysely';
import webPush from 'web-push';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minute } from '../../shared/lib/durations.ts';
import { pushMessage } from '../../shared/protocol/push-message.ts';
import { makeSearch } from '../../shared/testing/make.ts';
import type { Database } from '../db/database.ts';
import { insertRows } from '../db/write-rows.ts';
import { effectRules } from '../effects/run-effects.ts';
import { openEffects } from '../open-effects.ts';
import { createSendPush, type SendPush } from '../push/send-push.ts';
import { saveSubscription } from '../push/subscriptions.ts';
import { openCallsHarness, type CallsHarness } from '../testing/calls-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { openTestPushService, type TestPushService } from '../testing/test-push-service.ts';

const keys = { ...webPush.generateVAPIDKeys(), subject: 'mailto:hello@dwang.example.nz' };
const noon = new Date('2026-11-22T23:00:00Z');

describe.each(usualDatabase)('alerts of a server that is killed, or has too much to do, on %s', (kind) => {
  let harness: CallsHarness;
  let service: TestPushService;
  let now: Date;

  beforeEach(async () => {
    [harness, service, now] = [await openCallsHarness(kind), await openTestPushService(), noon];
  });
  afterEach(async () => {
    await service.close();
    await harness.close();
  });

  const openOn = (database: Database, send: SendPush = createSendPush({ keys, fetch })) =>
    openEffects({
      database,
      clock: () => now,
      log: { warn: () => undefined, error: () => undefined } as never,
      mailer: { send: () => Promise.resolve() },
      sendPush: send,
      publicUrl: () => 'https://dwang.example.nz',
    });

  /**
   * From its transaction number `point` on the server is dead: that one is rolled back, or committed unnoticed, and
   * nothing follows.
   */
  function killedAt(point: number, isCommitted: boolean) {
    let transactions = 0;
    let isDead = false;
    const dead = () => Promise.reject(new Error('killed'));
    const database: Database = {
      ...harness.database,
      // A share with connections of its own would not be killed.
      share: undefined,
      get sql() {
        if (isDead) throw new Error('killed');
        return harness.database.sql;
      },
      transaction: async (work, options) => {
        if (isDead) return dead();
        transactions += 1;
        if (transactions < point) return harness.database.transaction(work, options);
        isDead = true;
        if (isCommitted) await harness.database.transaction(work, options);
        else
          await harness.database
            .transaction(async (sql) => {
              await work(sql);
              throw new Error('killed');
            }, options)
            .catch(() => undefined);
        return dead();
      },
    };
    return { database, wasKilled: () => isDead };
  }

  test('wherever it is killed, each phone is told of each job exactly once', async () => {
    const { activeTradie, trialingTradie } = harness.people;
    for (const { id } of [activeTradie, trialingTradie])
      for (const _phone of [1, 2])
        await saveSubscription(harness.database.sql, id, service.subscribe(keys.publicKey), now);
    await insertRows(
      harness.database.sql,
      'searches',
      [activeTradie, activeTradie, trialingTradie].map(({ id }) => makeSearch({ userId: id })),
    );
    let kills = 0;
    let isKilled = true;
    for (let point = 1; isKilled; point += 1) {
      isKilled = false;
      for (const isCommitted of [false, true]) {
        service.taken.length = 0;
        now = new Date(now.getTime() + 24 * 60 * minute);
        const place = { locationId: 'southland/winton', categoryId: 'spouting', urgency: 'soon' };
        const body = { title: `Job ${point}`, description: 'It drags.', ...place };
        const { id } = (await harness.ask('owner', 'jobs.post', { body })).body as { id: string };
        await rawSql`update effect set due_at = ${now}, at = ${now} where done_at is null`.execute(
          harness.database.sql,
        );
        const { database, wasKilled } = killedAt(point, isCommitted);
        const first = openOn(database);
        await first.run().catch(() => undefined);
        isKilled ||= wasKilled();
        kills += wasKilled() ? 1 : 0;
        const other = openOn(harness.database);
        now = new Date(now.getTime() + effectRules.lease + minute);
        await other.run();
        await Promise.all([first.close(), other.close()]);
        const told = service.taken.map(({ endpoint, text }) => {
          const { jobs } = pushMessage.parse(JSON.parse(text)).notification.data;
          return `${endpoint} ${jobs.map((job) => job.id).join()}`;
        });
        expect(told, `killed at ${point}, ${isCommitted ? 'after' : 'before'} its commit`).toHaveLength(4);
        expect(new Set(told).size).toBe(4);
        expect(told.every((one) => one.endsWith(id))).toBe(true);
      }
    }
    expect(kills).toBeGreaterThan(4);
  });

  test('sent, and killed before it could note that: again under the same topic and tag, so that the phone shows one', async () => {
    const { id } = harness.people.activeTradie;
    await saveSubscription(harness.database.sql, id, service.subscribe(keys.publicKey), now);
    await insertRows(harness.database.sql, 'searches', [makeSearch({ userId: id })]);
    const place = { locationId: 'southland/winton', categoryId: 'spouting', urgency: 'soon' };
    await harness.ask('owner', 'jobs.post', { body: { title: 'Fix the gate', description: 'It drags.', ...place } });
    await rawSql`update effect set due_at = ${now}, at = ${now}`.execute(harness.database.sql);
    const send = createSendPush({ keys, fetch });
    const first = openOn(harness.database, async (...message) => {
      await send(...message);
      throw new Error('killed');
    });
    await first.run();
    now = new Date(now.getTime() + effectRules.lease + minute);
    const other = openOn(harness.database);
    await other.run();
    await Promise.all([first.close(), other.close()]);
    expect(service.taken).toHaveLength(2);
    expect(new Set(service.taken.map(({ topic }) => topic)).size).toBe(1);
    expect(new Set(service.taken.map(({ text }) => pushMessage.parse(JSON.parse(text)).notification.tag)).size).toBe(1);
  });

  test('alerts that are held up, however many, leave exchanges the connections they need', async () => {
    const { owner } = harness.people;
    const job = await harness.makeJobOf();
    const subjects = Array.from({ length: 12 }, (_, at) => `0199e0a9-5e6f-7a1b-9c2d-3e4f5a6b7c${10 + at}`);
    await rawSql`insert into alert (user_id, kind, subject_id, job_id, at)
      select ${owner.id}, 'interest', subject::uuid, ${job.id}, ${now} from unnest(${subjects}::text[]) subject`.execute(
      harness.database.sql,
    );
    for (const subject of subjects)
      await rawSql`insert into effect (name, key, payload, at, due_at) values ('alerts.tell', ${subject},
        ${JSON.stringify({ userId: owner.id })}, ${now}, ${now})`.execute(harness.database.sql);
    const effects = openOn(harness.database);
    const held = () =>
      rawSql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(harness.database.sql);
    let running: Promise<void> | undefined;
    await harness.database.transaction(async (sql) => {
      await rawSql`select 1 from alert for update`.execute(sql);
      running = effects.run();
      await expect.poll(async () => (await held()).rows[0]?.n).toBeGreaterThan(0);
      for (let asked = 0; asked < 6; asked += 1) await harness.exchange('activeTradie', null);
      expect((await held()).rows[0]?.n).toBeLessThanOrEqual(3);
    });
    await running;
    await effects.close();
  });
});
