import { describe, expect, it } from 'vitest';
import { begin, cancelLater, undoCancel, dueAt, end, nextPeriod, periodEndOf } from './subscription-transitions.ts';

const seconds = (iso: string) => Date.parse(iso) / 1000;
const iso = (at: number | null) => (at === null ? null : new Date(at * 1000).toISOString());
const begun = (now: string, trialDays = 0) =>
  begin({ id: 'sub_1', itemId: 'si_1', customer: 'cus_1', terms: { trialDays, metadata: {} }, now: seconds(now) });

describe('a subscription’s periods', () => {
  it('keep the day of the month, as far as the month has it', () => {
    let subscription = begun('2027-01-31T10:00:00Z');
    const ends = [iso(periodEndOf(subscription))];
    for (let month = 0; month < 3; month += 1) {
      subscription = nextPeriod(subscription, periodEndOf(subscription), true);
      ends.push(iso(periodEndOf(subscription)));
    }
    expect(ends).toEqual([
      '2027-02-28T10:00:00.000Z',
      '2027-03-31T10:00:00.000Z',
      '2027-04-30T10:00:00.000Z',
      '2027-05-31T10:00:00.000Z',
    ]);
  });

  it('begin with the trial, and count from its end', () => {
    const trial = begun('2027-01-10T00:00:00Z', 14);
    expect([trial.status, iso(trial.trial_end), iso(periodEndOf(trial))]).toEqual([
      'trialing',
      '2027-01-24T00:00:00.000Z',
      '2027-01-24T00:00:00.000Z',
    ]);
    expect(iso(periodEndOf(nextPeriod(trial, periodEndOf(trial), true)))).toBe('2027-02-24T00:00:00.000Z');
  });

  it('count anew from a trial that was cut short', () => {
    const early = nextPeriod(begun('2027-01-10T00:00:00Z', 14), seconds('2027-01-12T08:00:00Z'), false);
    expect([early.status, iso(early.trial_end), iso(periodEndOf(early))]).toEqual([
      'past_due',
      '2027-01-12T08:00:00.000Z',
      '2027-02-12T08:00:00.000Z',
    ]);
    expect(iso(dueAt(early, seconds('2027-01-12T08:00:00Z')))).toBe('2027-02-02T08:00:00.000Z');
  });

  it('are due three days before a trial ends, and then at its end', () => {
    const trial = begun('2027-01-10T00:00:00Z', 14);
    const notice = seconds('2027-01-21T00:00:00Z');
    expect([iso(dueAt(trial, notice - 1)), dueAt(trial, notice)]).toEqual([
      '2027-01-21T00:00:00.000Z',
      periodEndOf(trial),
    ]);
  });

  it('say when they end, and no longer once they go on', () => {
    const subscription = begun('2027-03-01T00:00:00Z');
    const cancelled = cancelLater(subscription, seconds('2027-03-05T00:00:00Z'));
    expect([cancelled.status, iso(cancelled.cancel_at), iso(cancelled.canceled_at)]).toEqual([
      'active',
      '2027-04-01T00:00:00.000Z',
      '2027-03-05T00:00:00.000Z',
    ]);
    expect(undoCancel(cancelled)).toEqual(subscription);
    const over = end(cancelled, periodEndOf(cancelled), 'cancellation_requested');
    expect([over.status, iso(over.ended_at), dueAt(over, periodEndOf(over))]).toEqual([
      'canceled',
      '2027-04-01T00:00:00.000Z',
      null,
    ]);
  });
});
