import { day, minute } from '../../shared/lib/durations.ts';
import { hasNzbnCheckDigit } from '../../shared/lib/nzbn.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../lib/log.ts';
import { claimCheck, findCheck, keepCheck } from './nzbn-checks.ts';
import { RegisterUnavailable, type AskRegister } from './nzbn-register.ts';

export interface NzbnVerdict {
  isVerified: boolean;
  /** What says so: the register; the check digit, where the register has not said anything; `none` where that fails. */
  by: 'register' | 'check-digit' | 'none';
  entityName?: string | undefined;
}

export interface NzbnParts {
  database: Database;
  clock: () => Date;
  log: Pick<Log, 'warn'>;
  /** Undefined where there is no key for the register. */
  askRegister: AskRegister | undefined;
}

export const nzbnRules = {
  /** Businesses come and go slowly; a number that is not there yet may be soon. */
  registeredFor: 30 * day,
  absentFor: day,
  /** The pause between two questions about a number where the first got no answer. */
  pause: 10 * minute,
} as const;

/**
 * Is this the number of a business? Never throws for a register that is away: an older answer of it counts, else the
 * check digit.
 */
export async function verifyNzbn({ database, clock, log, askRegister }: NzbnParts, nzbn: string): Promise<NzbnVerdict> {
  if (!hasNzbnCheckDigit(nzbn)) return { isVerified: false, by: 'none' };
  const now = clock();
  const known = await findCheck(database.sql, nzbn);
  const isFresh =
    known !== undefined &&
    now.getTime() - known.answeredAt.getTime() < (known.isRegistered ? nzbnRules.registeredFor : nzbnRules.absentFor);
  const answer = isFresh || askRegister === undefined ? known : ((await asked()) ?? known);
  if (answer === undefined) return { isVerified: true, by: 'check-digit' };
  return { isVerified: answer.isRegistered, by: 'register', entityName: answer.entityName };

  async function asked() {
    if (askRegister === undefined || !(await claimCheck(database.sql, nzbn, now, nzbnRules.pause))) return undefined;
    try {
      const said = await askRegister(nzbn);
      await keepCheck(database.sql, nzbn, said, now);
      return said;
    } catch (error) {
      if (!(error instanceof RegisterUnavailable)) throw error;
      log.warn({ why: error.message }, 'the NZBN register did not say');
      return undefined;
    }
  }
}
