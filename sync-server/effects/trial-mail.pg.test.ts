import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Mail } from '../mail/mailer.ts';
import { createLog } from '../lib/log.ts';
import { openEffects } from '../open-effects.ts';
import { openPaymentHarness, pressButton, type PaymentHarness } from '../testing/payment-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';

describe.each(usualDatabase)('a tradie whose free days are nearly over, on %s', (kind) => {
  let harness: PaymentHarness;
  let sent: Mail[];
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
  });
  beforeEach(() => {
    sent = [];
  });
  afterAll(() => harness.close());

  const doEffects = async () => {
    const effects = openEffects({
      database: harness.database,
      clock: () => harness.now(),
      log: createLog('silent'),
      mailer: { send: async (mail) => void sent.push(mail) },
      sendPush: undefined,
      publicUrl: () => 'https://dwang.example.nz',
    });
    await effects.run();
    await effects.close();
  };
  async function joined() {
    const member = await harness.member();
    await pressButton(await member.checkout(), 'Pay');
    await doEffects();
    sent = [];
    return member;
  }

  it('is told three days before by mail, once, when they end and what a month costs then', async () => {
    const member = await joined();
    await harness.pass(10.9);
    await doEffects();
    expect(sent).toEqual([]);
    await harness.pass(0.2);
    await doEffects();
    await doEffects();
    expect(sent.map(({ to }) => to)).toEqual([member.email]);
    const [mail] = sent;
    const ends = new Intl.DateTimeFormat('en-NZ', {
      timeZone: 'Pacific/Auckland',
      weekday: 'long',
      day: 'numeric',
      month: 'long',
    }).format(Date.parse((await member.user()).subscriptionValidUntil ?? ''));
    expect(mail?.subject).toBe(`Your free days end on ${ends}`);
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain('$21.85 a month, GST included');
      expect(part).toContain('Cancel at any time, with 30 days’ notice.');
      expect(part).toContain('https://dwang.example.nz/edit-account');
    }
    await harness.pass(5);
    await doEffects();
    expect((await member.user()).subscriptionStatus).toBe('active');
    expect(sent).toHaveLength(1);
  });

  it('is told nothing of a price where it was cancelled already', async () => {
    const member = await joined();
    await pressButton(await member.portal(), 'Cancel subscription');
    await harness.pass(11.1);
    await doEffects();
    expect((await member.user()).subscriptionStatus).toBe('trialing');
    expect(sent).toEqual([]);
  });

  it('is told nothing where the mail comes too late to be true', async () => {
    const member = await joined();
    await harness.pass(11.1);
    await pressButton(await member.portal(), 'End trial now');
    await doEffects();
    expect((await member.user()).subscriptionStatus).toBe('active');
    expect(sent).toEqual([]);
    const { rows } = await rawSql<{ last_error: string }>`
      select last_error from effect where name = 'trial.mail' order by id desc limit 1`.execute(harness.database.sql);
    expect(rows).toEqual([{ last_error: 'not needed' }]);
  });
});
