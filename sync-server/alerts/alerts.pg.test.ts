import { sql as rawSql } from 'kysely';
import webPush from 'web-push';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pushMessage } from '../../shared/protocol/push-message.ts';
import { hour, minute } from '../../shared/lib/durations.ts';
import type { Effects } from '../effects/run-effects.ts';
import { insertRows } from '../db/write-rows.ts';
import { makeSearch } from '../../shared/testing/make.ts';
import { defaultPreferences } from '../../shared/tables/preferences.ts';
import { openEffects } from '../open-effects.ts';
import { createSendPush } from '../push/send-push.ts';
import { saveSubscription } from '../push/subscriptions.ts';
import { openCallsHarness, type CallsHarness } from '../testing/calls-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { openTestPushService, type TestPushService } from '../testing/test-push-service.ts';
import { recordAlerts } from './record-alerts.ts';

const keys = { ...webPush.generateVAPIDKeys(), subject: 'mailto:hello@dwang.example.nz' };
/** Noon in New Zealand. */
const noon = new Date('2026-11-22T23:00:00Z');

describe.each(usualDatabase)('people are told on their phones, on %s', (kind) => {
  let harness: CallsHarness;
  let service: TestPushService;
  let effects: Effects;
  let now: Date;

  const clock = () => now;
  const quiet = { warn: () => undefined, error: () => undefined };
  const mailer = { send: () => Promise.resolve() };
  const open = () =>
    openEffects({
      database: harness.database,
      clock,
      log: quiet as never,
      mailer,
      sendPush: createSendPush({ keys, fetch }),
      publicUrl: () => 'https://dwang.example.nz',
    });
  const subscribe = (userId: string) =>
    saveSubscription(harness.database.sql, userId, service.subscribe(keys.publicKey), now);
  const told = () => service.taken.map(({ text }) => pushMessage.parse(JSON.parse(text)).notification);
  const express = async (jobId: string, role: 'activeTradie' | 'trialingTradie' = 'activeTradie') => {
    await harness.ask(role, 'jobs.express', { id: jobId, body: { note: 'Thursday?' } });
    // Effects are recorded at the harness's time.
    await rawSql`update effect set due_at = ${now}, at = ${now} where name = 'interest.mail' and done_at is null`.execute(
      harness.database.sql,
    );
    await effects.run();
  };
  const alertOf = (userId: string, jobId: string) => ({ userId, kind: 'job' as const, subjectId: jobId, jobId });

  beforeEach(async () => {
    [harness, service, now] = [await openCallsHarness(kind), await openTestPushService(), noon];
    effects = open();
  });
  afterEach(async () => {
    await effects.close();
    await service.close();
    await harness.close();
  });

  test('an owner’s two phones each learn once who is interested, and nothing of the owner is in it', async () => {
    const job = await harness.makeJobOf({ title: 'Fix the gate' });
    await subscribe(harness.people.owner.id);
    await subscribe(harness.people.owner.id);
    await express(job.id);
    await effects.run();
    expect(told()).toHaveLength(2);
    expect(new Set(service.taken.map(({ endpoint }) => endpoint)).size).toBe(2);
    expect(told()[0]).toMatchObject({
      title: 'A tradie is interested',
      body: 'Fix the gate: “Southern Spouting”',
      navigate: `https://dwang.example.nz/job/${job.id}`,
      data: { for: harness.people.owner.id },
    });
    const { email, firstName, lastName } = harness.people.owner;
    for (const mark of [email, firstName, lastName]) expect(service.taken[0]?.text).not.toContain(mark);
  });

  test('a push service that is away gets it later, and only the phone that missed it', async () => {
    const job = await harness.makeJobOf();
    await subscribe(harness.people.owner.id);
    service.answer(503);
    await express(job.id);
    expect(told()).toHaveLength(0);
    service.answer(201);
    now = new Date(now.getTime() + minute);
    await effects.run();
    await effects.run();
    expect(told()).toHaveLength(1);
  });

  test('a browser that has unsubscribed leaves', async () => {
    const job = await harness.makeJobOf();
    await subscribe(harness.people.owner.id);
    service.answer(410);
    await express(job.id);
    const { rows } = await rawSql`select 1 from push_subscription`.execute(harness.database.sql);
    expect(rows).toEqual([]);
  });

  test('at night no phone is woken; in the morning one message tells of all', async () => {
    const job = await harness.makeJobOf({ title: 'Fix the gate' });
    await subscribe(harness.people.owner.id);
    now = new Date('2026-11-23T09:30:00Z');
    await express(job.id);
    await express(job.id, 'trialingTradie');
    expect(told()).toHaveLength(0);
    now = new Date('2026-11-23T17:59:00Z');
    await effects.run();
    expect(told()).toHaveLength(0);
    now = new Date('2026-11-23T18:00:00Z');
    await effects.run();
    expect(told().map(({ title }) => title)).toEqual(['2 tradies are interested']);
  });

  test('after ten messages in a day the rest is gathered into one, next morning', async () => {
    const { id } = harness.people.activeTradie;
    await subscribe(id);
    for (let at = 0; at < 13; at += 1) {
      const job = await harness.makeJobOf({ title: `Job ${at}` });
      await recordAlerts(harness.database, [alertOf(id, job.id)], now);
      await effects.run();
      now = new Date(now.getTime() + minute);
    }
    expect(told()).toHaveLength(10);
    now = new Date('2026-11-23T18:00:00Z');
    await effects.run();
    expect(
      told()
        .slice(10)
        .map(({ title }) => title),
    ).toEqual(['3 new jobs for you']);
  });

  test('a new job is told to the tradie whose saved search finds it, once, and to no other', async () => {
    const { activeTradie, trialingTradie, lapsedTradie } = harness.people;
    for (const { id } of [activeTradie, trialingTradie, lapsedTradie]) await subscribe(id);
    await insertRows(harness.database.sql, 'searches', [
      makeSearch({ userId: activeTradie.id, words: 'gate' }),
      makeSearch({ userId: activeTradie.id, categoryIds: ['spouting'] }),
      makeSearch({ userId: activeTradie.id, removedAt: now.toISOString() }),
      makeSearch({ userId: trialingTradie.id, words: 'roof' }),
      makeSearch({ userId: lapsedTradie.id }),
    ]);
    const place = { locationId: 'southland/winton', categoryId: 'spouting', urgency: 'soon' };
    const posted = await harness.ask('owner', 'jobs.post', {
      body: { title: 'Fix the gate', description: 'It drags.', ...place },
    });
    const { id } = posted.body as { id: string };
    await rawSql`update effect set due_at = ${now}, at = ${now} where name = 'job.alerts'`.execute(
      harness.database.sql,
    );
    await effects.run();
    await effects.run();
    expect(told().map(({ data }) => [data.for, data.jobs.map((one) => one.id)])).toEqual([[activeTradie.id, [id]]]);
  });

  test('who wants no pushes of jobs gets none, and their own quiet hours count', async () => {
    const { activeTradie, trialingTradie } = harness.people;
    for (const { id } of [activeTradie, trialingTradie]) await subscribe(id);
    await insertRows(harness.database.sql, 'preferences', [
      { ...defaultPreferences(activeTradie.id), pushJobs: false },
      { ...defaultPreferences(trialingTradie.id), quietFrom: 11, quietTo: 13 },
    ]);
    const job = await harness.makeJobOf();
    await recordAlerts(harness.database, [alertOf(activeTradie.id, job.id), alertOf(trialingTradie.id, job.id)], now);
    await effects.run();
    expect(told()).toEqual([]);
    now = new Date(now.getTime() + hour);
    await effects.run();
    expect(told().map(({ data }) => data.for)).toEqual([trialingTradie.id]);
  });

  test('a tradie who wants no pushes of jobs, and has one waiting, is told of each interest in a job of their own', async () => {
    const { activeTradie } = harness.people;
    await subscribe(activeTradie.id);
    await insertRows(harness.database.sql, 'preferences', [
      { ...defaultPreferences(activeTradie.id), pushJobs: false },
    ]);
    const unwanted = await harness.makeJobOf();
    await recordAlerts(harness.database, [alertOf(activeTradie.id, unwanted.id)], now);
    for (const title of ['Fix the gate', 'Paint the shed']) {
      const own = await harness.makeJobOf({ title, userId: activeTradie.id });
      await express(own.id, 'trialingTradie');
      now = new Date(now.getTime() + minute);
    }
    expect(told().map(({ body }) => body.split(':')[0])).toEqual(['Fix the gate', 'Paint the shed']);
  });

  test('the same job found by two searches, or again after a kill, is told once', async () => {
    const { id } = harness.people.activeTradie;
    await subscribe(id);
    const job = await harness.makeJobOf({ title: 'Fix the gate' });
    await recordAlerts(harness.database, [alertOf(id, job.id)], now);
    await recordAlerts(harness.database, [alertOf(id, job.id)], now);
    const other = open();
    await Promise.all([effects.run(), other.run()]);
    await recordAlerts(harness.database, [alertOf(id, job.id)], now);
    await effects.run();
    await other.close();
    expect(told().map(({ title, data }) => [title, data.jobs.map((one) => one.id)])).toEqual([
      ['Fix the gate', [job.id]],
    ]);
  });

  test('a job brings along what the feed shows of it, never whose it is', async () => {
    const { id } = harness.people.activeTradie;
    await subscribe(id);
    const job = await harness.makeJobOf();
    await recordAlerts(harness.database, [alertOf(id, job.id)], now);
    await effects.run();
    const [{ data } = { data: undefined }] = told();
    expect(Object.keys(data?.jobs[0] ?? {})).not.toContain('userId');
    const { id: ownerId, email, firstName } = harness.people.owner;
    for (const mark of [ownerId, email, firstName]) expect(service.taken[0]?.text).not.toContain(mark);
  });

  test('a lapsed tradie, and one whose job was closed meanwhile, get none', async () => {
    const [job, closed] = [await harness.makeJobOf(), await harness.makeJobOf({ status: 'closed' })];
    const { lapsedTradie, activeTradie } = harness.people;
    await subscribe(lapsedTradie.id);
    await subscribe(activeTradie.id);
    await recordAlerts(harness.database, [alertOf(lapsedTradie.id, job.id), alertOf(activeTradie.id, closed.id)], now);
    await effects.run();
    now = new Date(now.getTime() + hour);
    await effects.run();
    expect(told()).toEqual([]);
  });

  test('a phone that another person uses now is told nothing of the first [I17]', async () => {
    const job = await harness.makeJobOf();
    const phone = service.subscribe(keys.publicKey);
    const { owner, homeowner } = harness.people;
    await saveSubscription(harness.database.sql, owner.id, phone, now);
    service.answer(503);
    await express(job.id);
    await saveSubscription(harness.database.sql, homeowner.id, phone, now);
    service.answer(201);
    now = new Date(now.getTime() + minute);
    await effects.run();
    expect(told()).toEqual([]);
  });

  test.each([
    ['whose subscription has ended since', 'update users set subscription_status = null where tradie_id is not null'],
    ['whose job was closed since', `update jobs set status = 'closed'`],
    ['who has turned them off since', 'update preferences set push_jobs = false'],
  ])('a push service that was away gets nothing for a person %s', async (_who, since) => {
    const { id } = harness.people.activeTradie;
    await subscribe(id);
    await insertRows(harness.database.sql, 'preferences', [defaultPreferences(id)]);
    const job = await harness.makeJobOf();
    service.answer(503);
    await recordAlerts(harness.database, [alertOf(id, job.id)], now);
    await effects.run();
    await rawSql.raw(since).execute(harness.database.sql);
    service.answer(201);
    now = new Date(now.getTime() + hour);
    await effects.run();
    expect(told()).toEqual([]);
  });

  test('a push service that was away until the quiet hours wakes no phone; the message comes in the morning', async () => {
    const { id } = harness.people.activeTradie;
    await subscribe(id);
    const job = await harness.makeJobOf();
    now = new Date('2026-11-23T07:59:00Z');
    service.answer(503);
    await recordAlerts(harness.database, [alertOf(id, job.id)], now);
    await effects.run();
    service.answer(201);
    for (const minutes of [5, 10, 60]) {
      now = new Date(now.getTime() + minutes * minute);
      await effects.run();
    }
    expect(told()).toEqual([]);
    now = new Date('2026-11-23T18:00:00Z');
    await effects.run();
    expect(told()).toHaveLength(1);
  });
});
