import { sql as rawSql } from 'kysely';
import webPush from 'web-push';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hour, minute } from '../../shared/lib/durations.ts';
import { defaultPreferences } from '../../shared/tables/preferences.ts';
import { insertRows } from '../db/write-rows.ts';
import type { Effects } from '../effects/run-effects.ts';
import { readSyncOverview } from '../ops/health/sync-overview.ts';
import type { Mail } from '../mail/mailer.ts';
import { openEffects } from '../open-effects.ts';
import { createSendPush } from '../push/send-push.ts';
import { saveSubscription } from '../push/subscriptions.ts';
import { openCallsHarness, type CallsHarness } from '../testing/calls-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { openTestPushService, type TestPushService } from '../testing/test-push-service.ts';
import { recordAlerts } from './record-alerts.ts';

const keys = { ...webPush.generateVAPIDKeys(), subject: 'mailto:hello@dwang.example.nz' };
const [noon, seven] = [new Date('2026-11-22T23:00:00Z'), new Date('2026-11-23T18:00:00Z')];

describe.each(usualDatabase)('jobs that no phone told of come by mail, on %s', (kind) => {
  let harness: CallsHarness;
  let service: TestPushService;
  let effects: Effects;
  let now: Date;
  let sent: Mail[];
  /** Undefined: it is sent. `lost`: it is sent, and the server killed before it could note that. */
  let error: 'away' | 'lost' | undefined;

  const clock = () => now;
  const open = () =>
    openEffects({
      database: harness.database,
      clock,
      log: { warn: () => undefined, error: () => undefined } as never,
      mailer: {
        send: async (mail) => {
          if (error !== 'away') sent.push(mail);
          if (error !== undefined) throw new Error(error);
        },
      },
      sendPush: createSendPush({ keys, fetch }),
      publicUrl: () => 'https://dwang.example.nz',
    });
  const find = async (userId: string, title: string) => {
    const job = await harness.makeJobOf({ title });
    await recordAlerts(harness.database, [{ userId, kind: 'job', subjectId: job.id, jobId: job.id }], now);
    await effects.run();
    return job;
  };
  const choose = (changes: object) => {
    const { id } = harness.people.activeTradie;
    return insertRows(harness.database.sql, 'preferences', [{ ...defaultPreferences(id), ...changes }]);
  };
  const subscribe = () =>
    saveSubscription(harness.database.sql, harness.people.activeTradie.id, service.subscribe(keys.publicKey), now);
  const at = async (moment: Date) => {
    now = moment;
    await effects.run();
  };
  const none = { sent: 0, failed: 0, gone: 0, waiting: 0 };
  const figures = async () => (await readSyncOverview(harness.database, now)).alerts;
  const subjects = () => sent.map(({ subject }) => subject);

  beforeEach(async () => {
    [harness, service, now, sent, error] = [
      await openCallsHarness(kind),
      await openTestPushService(),
      noon,
      [],
      undefined,
    ];
    effects = open();
  });
  afterEach(async () => {
    await effects.close();
    await service.close();
    await harness.close();
  });

  test('one mail at seven in the morning tells of all that is still open, and nothing of who posted it', async () => {
    const { activeTradie, owner } = harness.people;
    const gate = await find(activeTradie.id, 'Fix <b>the</b> gate');
    await find(activeTradie.id, 'Paint http://evil.example.nz');
    const closed = await find(activeTradie.id, 'Mow the lawn');
    await rawSql`update jobs set status = 'closed' where id = ${closed.id}`.execute(harness.database.sql);
    await at(new Date(seven.getTime() - minute));
    expect(sent).toEqual([]);
    await at(seven);
    await at(new Date(seven.getTime() + hour));
    const [mail, ...others] = sent;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: activeTradie.email, subject: '2 new jobs for you' });
    expect(mail?.text).toContain(`“Fix <b>the</b> gate”\n`);
    expect(mail?.text).toContain(`https://dwang.example.nz/job/${gate.id}\n`);
    expect(mail?.html).toContain('Fix &lt;b&gt;the&lt;/b&gt; gate');
    for (const part of [mail?.text, mail?.html]) expect(part).toContain('in the homeowners’ own words:');
    expect(mail?.html).toContain('prefers-color-scheme: dark');
    for (const part of [mail?.text, mail?.html]) {
      expect(part).not.toContain('Mow the lawn');
      expect(part).not.toContain('evil.example');
      for (const mark of [owner.id, owner.email, owner.firstName, owner.lastName]) expect(part).not.toContain(mark);
    }
  });

  test('in spring, when the clocks go forward, the mail comes at seven by the clock', async () => {
    now = new Date('2026-09-26T02:00:00Z');
    await find(harness.people.activeTradie.id, 'Fix the gate');
    await at(new Date('2026-09-26T17:59:00Z'));
    expect(sent).toEqual([]);
    await at(new Date('2026-09-26T18:00:00Z'));
    expect(subjects()).toEqual(['A new job for you']);
  });

  test('at once, for as many as they want in a day; the rest in one next morning', async () => {
    await choose({ mailJobs: 'now', alertsPerDay: 2 });
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      await find(harness.people.activeTradie.id, title);
      now = new Date(now.getTime() + minute);
    }
    expect(subjects()).toEqual(['A new job for you', 'A new job for you']);
    await at(seven);
    expect(subjects().slice(2)).toEqual(['2 new jobs for you']);
  });

  test('who turned it off, whose subscription ended before the morning, and who was told by phone get none', async () => {
    const { lapsedTradie, trialingTradie, activeTradie } = harness.people;
    await choose({});
    await subscribe();
    await find(activeTradie.id, 'Told by phone');
    await find(lapsedTradie.id, 'Fix the gate');
    await insertRows(harness.database.sql, 'preferences', [
      { ...defaultPreferences(trialingTradie.id), mailJobs: 'off' },
    ]);
    await find(trialingTradie.id, 'Fix the gate');
    expect(service.taken).toHaveLength(1);
    await at(seven);
    expect(sent).toEqual([]);
  });

  test('a phone that has unsubscribed told of nothing: the mail does', async () => {
    await subscribe();
    service.answer(410);
    await find(harness.people.activeTradie.id, 'Fix the gate');
    expect(await figures()).toEqual({
      byPhone: { ...none, gone: 1 },
      byMail: { sent: 0, failed: 0, waiting: 0 },
      phones: 0,
    });
    await at(seven);
    expect(subjects()).toEqual(['A new job for you']);
    expect(await figures()).toMatchObject({ byPhone: { gone: 1 }, byMail: { sent: 1 } });
  });

  test('the operator sees what was sent, failed, waits, and not what is for the morning', async () => {
    const { activeTradie, trialingTradie } = harness.people;
    await subscribe();
    await find(activeTradie.id, 'Told by phone');
    await find(trialingTradie.id, 'For the morning');
    expect(await figures()).toMatchObject({ byPhone: { ...none, sent: 1 }, byMail: { waiting: 0 }, phones: 1 });
    service.answer(503);
    await find(activeTradie.id, 'Not told yet');
    expect(await figures()).toMatchObject({ byPhone: { sent: 1, waiting: 1 }, byMail: { waiting: 0 } });
    error = 'away';
    await at(seven);
    // What a phone did not get for half a day is no news to it.
    expect(await figures()).toMatchObject({ byPhone: { failed: 1, waiting: 0 }, byMail: { sent: 0, waiting: 1 } });
    await at(new Date(seven.getTime() + 25 * hour));
    expect(await figures()).toMatchObject({ byMail: { sent: 0, failed: 1, waiting: 0 } });
    expect((await readSyncOverview(harness.database, now)).effects).toMatchObject({ waiting: 0, givenUp: 1 });
  });

  test('who wants jobs by mail and not on the phone gets them by mail', async () => {
    await choose({ pushJobs: false });
    await subscribe();
    await find(harness.people.activeTradie.id, 'Fix the gate');
    await at(seven);
    expect([service.taken.length, subjects()]).toEqual([0, ['A new job for you']]);
  });

  test('a phone that is subscribed before the morning tells of it instead', async () => {
    await find(harness.people.activeTradie.id, 'Fix the gate');
    await subscribe();
    await at(seven);
    await at(new Date(seven.getTime() + hour));
    expect([service.taken.length, sent.length]).toEqual([1, 0]);
  });

  test('a mail server that is away gets it later, once, with what is still open then', async () => {
    const { id } = harness.people.activeTradie;
    await find(id, 'Fix the gate');
    const closed = await find(id, 'Mow the lawn');
    error = 'away';
    await at(seven);
    await rawSql`update jobs set status = 'closed' where id = ${closed.id}`.execute(harness.database.sql);
    error = undefined;
    await at(new Date(seven.getTime() + minute));
    await at(new Date(seven.getTime() + hour));
    expect(subjects()).toEqual(['A new job for you']);
    const { rows } = await rawSql<{ payload: object }>`select payload from effect where name = 'alerts.mail'`.execute(
      harness.database.sql,
    );
    expect(rows).toEqual([{ payload: {} }]);
  });

  test('sent, and the server killed before it could note that: again under the same id, with nothing newer in it', async () => {
    const { id } = harness.people.activeTradie;
    const gate = await find(id, 'Fix the gate');
    error = 'lost';
    await at(seven);
    error = undefined;
    await find(id, 'Mow the lawn');
    const other = open();
    now = new Date(seven.getTime() + minute);
    await Promise.all([effects.run(), other.run()]);
    await other.close();
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ id: name }) => name)).size).toBe(1);
    expect(sent[1]?.text).toContain(gate.id);
    expect(sent[1]?.text).not.toContain('Mow');
    await at(new Date(seven.getTime() + 24 * hour));
    expect(sent.slice(2).map(({ text }) => text.includes('Mow'))).toEqual([true]);
  });

  test('one tap ends them, and leaves the mails about interests as they are; another brings them back', async () => {
    await find(harness.people.activeTradie.id, 'Fix the gate');
    await at(seven);
    const link = new URL(sent[0]?.unsubscribeUrl ?? '');
    expect(sent[0]?.text).toContain(`${link.href}\n`);
    expect(await (await harness.app.call(link.pathname)).text()).toContain('Stop these emails');
    const oneClick = await harness.app.call(link.pathname, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect([oneClick.status, (await oneClick.text()).includes('about new jobs any more')]).toEqual([200, true]);
    const chosen = async () => {
      const { rows } = await rawSql<{ mail_jobs: string }>`select mail_jobs from preferences`.execute(
        harness.database.sql,
      );
      return rows.map(({ mail_jobs: mailJobs }) => mailJobs);
    };
    expect(await chosen()).toEqual(['off']);
    expect(await (await harness.app.call(link.pathname.replace('/jobs', ''))).text()).toContain('Stop these emails');
    await harness.app.call(link.pathname, { method: 'POST', body: new URLSearchParams({ again: 'yes' }) });
    expect(await chosen()).toEqual(['daily']);
    expect((await harness.app.call('/api/mail/unsubscribe/nobody/jobs', { method: 'POST' })).status).toBe(404);
  });
});
