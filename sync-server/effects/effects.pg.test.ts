import { formatPhone } from '../../shared/lib/phone.ts';
import { sql as rawSql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import type { Mail, Mailer } from '../mail/mailer.ts';
import { openCallsHarness, type CallsHarness } from '../testing/calls-harness.ts';
import { readSyncOverview } from '../ops/health/sync-overview.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { openEffects } from '../open-effects.ts';
import { addEffect } from './record-effects.ts';
import { effectRules, type Effects } from './run-effects.ts';

describe.each(usualDatabase)('what follows a commit, on %s', (kind) => {
  let harness: CallsHarness;
  let sent: Mail[];
  let isAway: boolean;
  let ahead: number;
  let logged: string[];
  let effects: Effects;

  const clock = () => new Date(Date.now() + ahead);
  const mailer: Mailer = {
    send: async (mail) => {
      if (isAway) throw Object.assign(new Error(`no luck with ${mail.to}`), { code: 'ECONNECTION' });
      sent.push(mail);
    },
  };
  const note = (...line: unknown[]) => void logged.push(JSON.stringify(line));
  const log = { ...console, warn: note, error: note } as never;
  const open = () =>
    openEffects({
      database: harness.database,
      clock,
      log,
      mailer,
      sendPush: undefined,
      publicUrl: () => 'https://dwang.example.nz',
    });
  const rows = async () =>
    (
      await rawSql<{ name: string; attempts: number; done: boolean; last_error: string | null; payload: object }>`
    select name, attempts, done_at is not null as done, last_error, payload from effect order by id`.execute(
        harness.database.sql,
      )
    ).rows;

  beforeEach(async () => {
    [harness, sent, isAway, ahead, logged] = [await openCallsHarness(kind), [], false, 0, []];
    effects = open();
  });
  afterEach(async () => {
    await effects.close();
    await harness.close();
  });

  test('an interest is mailed to the job’s owner once, with the job and the business, and nothing of the owner but the address', async () => {
    const job = await harness.makeJobOf({ title: 'Fix <b>the</b> gate' });
    const express = () => harness.ask('activeTradie', 'jobs.express', { id: job.id, body: { note: 'Thursday?' } });
    expect([(await express()).status, (await express()).status]).toEqual([201, 201]);
    await effects.run();
    await effects.run();
    expect(sent).toHaveLength(1);
    const [mail] = sent;
    expect(mail).toMatchObject({ to: harness.people.owner.email, subject: 'A tradie is interested in your job' });
    expect(mail?.text).toContain(
      'Your job: “Fix <b>the</b> gate”\nBusiness name, in the tradie’s own words: “Southern Spouting”\n',
    );
    expect(mail?.text).toContain(`https://dwang.example.nz/job/${job.id}\n`);
    expect(mail?.html).toContain('Fix &lt;b&gt;the&lt;/b&gt; gate');
    // Who answered can be called from the mail.
    expect(mail?.text).toContain('Note, in the tradie’s own words: “Thursday?”');
    const [, number = ''] = /href="tel:(\+64\d+)"/.exec(mail?.html ?? '') ?? [];
    expect(mail?.html).toContain(`Call ${formatPhone(number)}`);
    expect(mail?.text).toContain(`Call: ${formatPhone(number)}`);
    expect(mail?.html).toContain('prefers-color-scheme: dark');
    expect(mail?.html).toContain('name="format-detection" content="telephone=no');
    const { to: _, ...rest } = mail!;
    const { id, email, firstName, lastName } = harness.people.owner;
    for (const mark of [id, email, firstName, lastName]) expect(JSON.stringify(rest)).not.toContain(mark);
    expect(await rows()).toMatchObject([{ done: true, attempts: 1, last_error: null, payload: {} }]);
    const kept = JSON.stringify(await rows());
    for (const mark of [id, email, firstName, lastName]) expect(kept).not.toContain(mark);
  });

  test('a business that calls itself our support, with an address, is quoted and labelled, and no link', async () => {
    await rawSql`update tradies set business_name = 'Dwang Support http://evil.example.nz <a href="http://evil.example.nz">here</a>'
      where id = ${harness.people.activeTradie.tradieId}`.execute(harness.database.sql);
    const job = await harness.makeJobOf({});
    await harness.ask('activeTradie', 'jobs.express', { id: job.id, body: { note: 'See http://evil.example.nz' } });
    await effects.run();
    const [{ text, html, subject } = { text: '', html: '', subject: '' }] = sent;
    expect(subject).toBe('A tradie is interested in your job');
    expect(text).toContain('Business name, in the tradie’s own words: “Dwang Support evil. example. nz');
    for (const part of [text, html]) {
      expect(part.match(/https?:\/\/[^/\s"]+/g)?.filter((address) => address !== 'https://dwang.example.nz')).toEqual(
        [],
      );
      expect(part).not.toContain('evil.example');
    }
    expect(html).not.toContain('<a href=’');
    // What it is, right before it, and apart from our own words; not only in small print at the end.
    const plain = html
      ?.replace(/<style>.*<\/style>/s, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
    expect(plain).toContain('Business name, in the tradie’s own words: “Dwang Support evil. example. nz');
    expect(plain).toContain('Note, in the tradie’s own words: “See evil. example. nz');
    expect(html).not.toMatch(/font-weight:700[^>]*>\s*“Dwang Support/);
  });

  test('an interest that came by the exchange is mailed too, one that was rejected is not', async () => {
    const [job, closed] = [await harness.makeJobOf(), await harness.makeJobOf({ status: 'closed' })];
    const at = clock().toISOString();
    const express = (jobId: string) => ({
      uid: makeTestId(),
      name: 'interest.express',
      args: { id: makeTestId(), jobId },
      at,
    });
    const { id } = harness.people.trialingTradie;
    await harness.sync.exchange(
      { userId: id },
      {
        protocol: 1,
        schema: 1,
        userId: id,
        cookie: null,
        shelves: {},
        awaiting: [],
        mutations: [express(job.id), express(job.id), express(closed.id), express(makeTestId())],
      },
    );
    await effects.run();
    expect(sent.map(({ text }) => text.includes(job.id))).toEqual([true]);
    expect(await rows()).toHaveLength(1);
  });

  test('an SMTP server that is away is tried again, with growing pauses, and the mail goes out once', async () => {
    const job = await harness.makeJobOf();
    await harness.ask('activeTradie', 'jobs.express', { id: job.id, body: {} });
    isAway = true;
    for (const attempts of [1, 2, 3]) {
      await effects.run();
      expect(await rows()).toMatchObject([{ attempts, done: false, last_error: 'Error ECONNECTION' }]);
      ahead += effectRules.backOff(attempts) - 5_000;
      await effects.run();
      expect(await rows()).toMatchObject([{ attempts }]);
      // Between two attempts nothing is due, and the mail waits all the same.
      const { effects: seen } = await readSyncOverview(harness.database, clock());
      expect(seen).toMatchObject({ waiting: 1, givenUp: 0 });
      expect(seen.oldestSeconds).toBeGreaterThanOrEqual(ahead / 1_000);
      ahead += 6_000;
    }
    isAway = false;
    await effects.run();
    expect(sent).toHaveLength(1);
    expect((await readSyncOverview(harness.database, clock())).effects).toEqual({
      waiting: 0,
      oldestSeconds: 0,
      givenUp: 0,
    });
    expect(logged.join()).not.toContain('@');
  });

  test('it is given up after so many attempts, and its content is deleted', async () => {
    const mail = { to: 'somebody@example.nz', subject: 'A link', text: 'secret', html: 'secret' };
    await addEffect(harness.database.sql, clock(), { name: 'mail.send', key: 'one', payload: mail });
    const job = await harness.makeJobOf();
    await harness.ask('activeTradie', 'jobs.express', { id: job.id, body: {} });
    isAway = true;
    for (let attempt = 0; attempt < 2 * effectRules.attempts; attempt += 1) {
      await effects.run();
      ahead += effectRules.backOff(effectRules.attempts);
    }
    isAway = false;
    await effects.run();
    expect(sent).toEqual([]);
    expect(await rows()).toMatchObject([
      { name: 'mail.send', done: true, last_error: 'too old', payload: {} },
      {
        name: 'interest.mail',
        done: true,
        attempts: effectRules.attempts,
        last_error: 'Error ECONNECTION',
        payload: {},
      },
    ]);
  });

  test('two instances at once do each effect once; what a dead one had claimed is done by another', async () => {
    for (let at = 0; at < 40; at += 1)
      await addEffect(harness.database.sql, clock(), {
        name: 'mail.send',
        key: `mail ${at}`,
        payload: { to: `p${at}@example.nz`, subject: '', text: '', html: '' },
      });
    const other = open();
    await Promise.all([effects.run(), other.run()]);
    expect(sent.map(({ to }) => to).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, at) => `p${at}@example.nz`).toSorted(),
    );
    // As an instance leaves it that is killed after it has claimed and before it has sent.
    await addEffect(harness.database.sql, clock(), {
      name: 'mail.send',
      key: 'held',
      payload: { to: 'held@example.nz', subject: '', text: '', html: '' },
    });
    await rawSql`update effect set attempts = 1, due_at = ${new Date(clock().getTime() + effectRules.lease)} where key = 'held'`.execute(
      harness.database.sql,
    );
    await other.run();
    expect(sent).toHaveLength(40);
    ahead += effectRules.lease + 1_000;
    await Promise.all([effects.run(), other.run()]);
    expect(sent.slice(40).map(({ to }) => to)).toEqual(['held@example.nz']);
    await other.close();
  });

  test('once started, it runs after a commit by itself', async () => {
    await effects.start();
    const done = new Promise<void>((resolve) => {
      const push = sent.push.bind(sent);
      sent.push = (...mails) => {
        resolve();
        return push(...mails);
      };
    });
    const job = await harness.makeJobOf();
    await harness.ask('activeTradie', 'jobs.express', { id: job.id, body: {} });
    await done;
    expect(sent).toHaveLength(1);
  });

  test('an effect that a newer server wrote waits for a server that knows it', async () => {
    await rawSql`insert into effect (name, key, payload, at, due_at) values ('sms.send', 'x', '{}', ${clock()}, ${clock()})`.execute(
      harness.database.sql,
    );
    await effects.run();
    expect(await rows()).toMatchObject([{ done: false, attempts: 1 }]);
  });

  test('one tap ends these mails, for this person alone, and another brings them back', async () => {
    const express = async () => {
      await harness.ask('activeTradie', 'jobs.express', { id: (await harness.makeJobOf()).id, body: {} });
      await effects.run();
    };
    await express();
    const link = new URL(sent[0]?.unsubscribeUrl ?? '');
    const path = link.pathname;
    expect(sent[0]?.text).toContain(`${link.href}\n`);
    const page = await harness.app.call(path);
    expect(await page.text()).toContain('>Stop these emails</button>');
    await express();
    expect(sent).toHaveLength(2);

    const oneClick = await harness.app.call(path, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect([oneClick.status, (await oneClick.text()).includes('No more emails')]).toEqual([200, true]);
    await express();
    expect(sent).toHaveLength(2);
    expect(await (await harness.app.call(path)).text()).toContain('Email me again');

    await harness.app.call(path, { method: 'POST', body: new URLSearchParams({ again: 'yes' }) });
    await express();
    expect(sent).toHaveLength(3);

    for (const wrong of ['not-a-token', makeTestId()]) {
      const answer = await harness.app.call(`/api/mail/unsubscribe/${wrong}`, { method: 'POST' });
      expect([answer.status, answer.headers.get('content-type')?.startsWith('text/html')]).toEqual([404, true]);
    }
  });
});
