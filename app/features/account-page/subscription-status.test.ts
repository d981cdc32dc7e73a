import { describe, expect, it } from 'vitest';
import { mustAskUntil, statusLabel, validUntil } from './subscription-status.ts';

const now = '2026-03-10T00:00:00.000Z';
const dates = { trialEnd: '2026-03-20T00:00:00.000Z', currentPeriodEnd: '2026-04-20T00:00:00.000Z' };

describe('a subscription, as its tradie sees it', () => {
  it.each([
    ['trialing', 'Trial', 'good'],
    ['active', 'Active', 'good'],
    ['past_due', 'Inactive', 'bad'],
    ['canceled', 'Inactive', 'bad'],
    [null, 'Inactive', 'bad'],
  ] as const)('%s is called %s [§4 subscription]', (status, label, tone) => {
    expect(statusLabel(status)).toMatchObject({ label, tone });
  });

  it('runs until the day on record, else the end of the trial, else the end of the period [§4 subscription]', () => {
    const known = '2026-03-15T00:00:00.000Z';
    expect(validUntil({ subscriptionValidUntil: known }, dates)).toBe(known);
    expect(validUntil({ subscriptionValidUntil: null }, dates)).toBe(dates.trialEnd);
    expect(validUntil({ subscriptionValidUntil: null }, { ...dates, trialEnd: null })).toBe(dates.currentPeriodEnd);
    expect(validUntil({ subscriptionValidUntil: null }, undefined)).toBeNull();
  });

  it('is asked about only where the day is missing or over', () => {
    expect(mustAskUntil({ subscriptionValidUntil: null }, now)).toBe(true);
    expect(mustAskUntil({ subscriptionValidUntil: '2026-03-09T23:59:59.000Z' }, now)).toBe(true);
    expect(mustAskUntil({ subscriptionValidUntil: '2026-03-10T00:00:01.000Z' }, now)).toBe(false);
  });
});
