import { createHash } from 'node:crypto';
import { sql as rawSql } from 'kysely';
import { minute } from '../../../shared/lib/durations.ts';
import type { Database } from '../../db/database.ts';
import { createRateCounter, type RateRule } from '../../db/rate-counter.ts';
import { embedded } from '../embedded-tables.ts';

/** Generous to a family, a school or a mobile network behind one address; tight to a guesser. */
const defaultRules = {
  signInByIp: { burst: 100, everyMs: 3000 },
  /**
   * Failures at one account: from one address block, from a device that has signed in to it before, and from all other
   * clients together.
   */
  signInByEmailAndIp: { burst: 15, everyMs: 30_000 },
  signInByDevice: { burst: 15, everyMs: 30_000 },
  signInByEmail: { burst: 150, everyMs: 20_000 },
  proofByUser: { burst: 10, everyMs: minute },
  /** Guesses at codes of six digits. */
  codeByEmailAndIp: { burst: 5, everyMs: 10 * minute },
  codeByEmail: { burst: 15, everyMs: 5 * minute },
  codeByAll: { burst: 300, everyMs: 30_000 },
  signUpByIp: { burst: 40, everyMs: 30_000 },
  /** More than the wrong passwords that an account takes from one place, and far too few to go through a list. */
  takenByIp: { burst: 20, everyMs: 3 * minute },
  recoverByIp: { burst: 40, everyMs: 30_000 },
  verifyByIp: { burst: 60, everyMs: 5000 },
  refreshByIp: { burst: 300, everyMs: 1000 },
  updateByIp: { burst: 40, everyMs: 10_000 },
  /** One mail of a kind to an address. */
  mailInterval: { burst: 1, everyMs: minute },
  /** All mail to an address: no inbox is to be flooded through us. */
  mailByEmail: { burst: 8, everyMs: 10 * minute },
  uploadByUser: { burst: 200, everyMs: 3000 },
} satisfies Record<string, RateRule>;

export type RateRules = Record<keyof typeof defaultRules, RateRule>;

export interface RateLimits {
  /**
   * Counts one and answers 0, or answers how many milliseconds to wait, uncounted. A subject with a `share` of n may do
   * n times as much.
   */
  take(rule: keyof RateRules, subject: string, share?: number): Promise<number>;
  /** Takes one count back. */
  refund(rule: keyof RateRules, subject: string): Promise<void>;
  /** Resets the count. */
  forgive(rule: keyof RateRules, subject: string): Promise<void>;
}

/**
 * Rate limits shared by every process on the database.
 * Subjects are addresses of people and machines, so only their hashes are kept.
 */
export function createRateLimits(parts: {
  database: Database;
  clock: () => Date;
  rules?: Partial<RateRules> | undefined;
}): RateLimits {
  const { database, clock } = parts;
  const rules: RateRules = { ...defaultRules, ...parts.rules };
  const keyOf = (rule: string, subject: string) =>
    `${rule}:${createHash('sha256').update(subject).digest('base64url')}`;
  const count = createRateCounter({ database, clock, table: 'embedded.rate_limits' });

  return {
    take(rule, subject, share = 1) {
      const { burst, everyMs } = rules[rule];
      return count(keyOf(rule, subject), { burst: burst * share, everyMs: everyMs / share });
    },
    async refund(rule, subject) {
      const earlier = rawSql<Date>`full_at - ${rules[rule].everyMs} * interval '1 millisecond'`;
      await embedded(database.sql)
        .updateTable('rate_limits')
        .set({ full_at: earlier })
        .where('key', '=', keyOf(rule, subject))
        .execute();
    },
    async forgive(rule, subject) {
      await embedded(database.sql).deleteFrom('rate_limits').where('key', '=', keyOf(rule, subject)).execute();
    },
  };
}
