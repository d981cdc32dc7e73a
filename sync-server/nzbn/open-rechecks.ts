import { minute } from '../../shared/lib/durations.ts';
import type { Log } from '../lib/log.ts';
import { recheckNzbns } from './recheck-nzbns.ts';
import type { NzbnParts } from './verify-nzbn.ts';

const every = minute;

export interface Rechecking {
  /** Waits for a check under way. Before the database is closed. */
  close(): Promise<void>;
}

/**
 * Checks again every minute, so that a new profile is checked soon after it was paid for, and a renamed one soon after
 * that.
 */
export function openRechecks(parts: NzbnParts & { log: Log; closing: AbortSignal }): Rechecking {
  let looking: Promise<unknown> | undefined;
  const look = () => {
    looking ??= recheckNzbns(parts)
      .catch((error: unknown) => parts.log.error({ err: error }, 'business numbers could not be checked again'))
      .finally(() => void (looking = undefined));
  };
  look();
  const timer = setInterval(look, every).unref();
  return {
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}
