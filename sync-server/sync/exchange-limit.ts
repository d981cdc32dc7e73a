import { minute } from '../../shared/lib/durations.ts';
import type { Database } from '../db/database.ts';
import { createRateCounter } from '../db/rate-counter.ts';

/** Answers 0 and counts one exchange, or answers how many milliseconds to wait. */
export type ExchangeLimit = (userId: string) => Promise<number>;

/**
 * Exchanges of one person that need the database: a thousand at once, then some thirty a second, over all their devices
 * and all instances. More than a person's phones ever need, and a tenth of what one core can answer.
 */
export const exchangeRule = { lease: 50, burst: 20, everyMs: 1_500 } as const;

/** Milliseconds for which an instance may use up a lease. */
const leaseLasts = minute;
const maxRemembered = 10_000;

/**
 * The count is in the database, and each instance leases fifty at a time: forty-nine exchanges of fifty cost no query.
 * It is exact to within one lease an instance, which is enough here; limits against guessing count one by one
 * (embedded/auth/rate-limits).
 */
export function createExchangeLimit({ database, clock }: { database: Database; clock: () => Date }): ExchangeLimit {
  const leases = new Map<string, { left: number; until: number }>();
  const renewals = new Map<string, Promise<number>>();
  const acquireLease = createRateCounter({ database, clock, table: 'rate_limit' });

  async function renew(userId: string): Promise<number> {
    const now = clock();
    const wait = await acquireLease(`exchange:${userId}`, exchangeRule);
    if (wait > 0) return wait;
    leases.delete(userId);
    leases.set(userId, { left: exchangeRule.lease, until: now.getTime() + leaseLasts });
    const [oldest] = leases.keys();
    if (leases.size > maxRemembered && oldest !== undefined) leases.delete(oldest);
    return 0;
  }

  return async (userId) => {
    for (;;) {
      const held = leases.get(userId);
      if (held !== undefined && held.left > 0 && clock().getTime() < held.until) {
        held.left -= 1;
        return 0;
      }
      // Requests that come while a lease is being taken wait for it: forty at once must not take forty.
      let renewal = renewals.get(userId);
      if (renewal === undefined) {
        renewal = renew(userId).finally(() => renewals.delete(userId));
        renewals.set(userId, renewal);
      }
      const wait = await renewal;
      if (wait > 0) return wait;
    }
  };
}

/** The person's limit is used up. Nothing of the request was read. */
export class TooManyExchanges extends Error {
  override name = 'TooManyExchanges';
  readonly waitMs: number;
  constructor(waitMs: number) {
    super('too many exchanges');
    this.waitMs = waitMs;
  }
}
