import type { Clock } from './clock.ts';

/** `navigator.locks`. */
export type Locks = Pick<LockManager, 'request'>;

const lockOf = (database: string) => `dwang-open-${database}`;

/** Tabs that are awake close it sooner; the next sign-in waits for it. */
const lettingGoMs = 1_000;

/**
 * Tells other tabs that this one has the database open, until the returned function is called. A tab that sleeps goes
 * on telling so.
 */
export function markOpen(locks: Locks, database: string): () => void {
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  void locks.request(lockOf(database), { mode: 'shared' }, () => closed);
  return close;
}

/**
 * Does `work` while no tab has the database open. Undefined where one still has it open after a second: nothing was
 * begun then. A browser that is asked to delete an open database waits with that, and with every later opening of it,
 * until the last tab has closed it (Indexed Database API 3.0, section 5.3), and a tab that sleeps never does.
 */
export async function whileClosedEverywhere<T>(
  locks: Locks,
  clock: Clock,
  database: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const waiting = new AbortController();
  const cancel = clock.setTimer(lettingGoMs, () => waiting.abort());
  try {
    return await locks.request(lockOf(database), { signal: waiting.signal }, () => {
      cancel();
      return work();
    });
  } catch (error) {
    if (waiting.signal.aborted) return undefined;
    throw error;
  } finally {
    cancel();
  }
}
