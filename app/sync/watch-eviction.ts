import type { Clock } from '../db/clock.ts';
import { onConnectionLost } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import { backoffMs } from './backoff.ts';
import { checkCanary } from './canary.ts';

interface EvictionHooks {
  isRunning(): boolean;
  /** Does this tab know of data that was on this device? */
  wasHere(): boolean;
  /** The device's data is gone; `isOpen`: while the app is open. */
  onCleared(isOpen: boolean): void;
  onUnread(error: unknown): void;
}

export interface EvictionWatch {
  /**
   * At the start; `isMarked`: there was data here before, as is known from outside the database. Rejects where it
   * cannot be read.
   */
  checkAtStart(isMarked: boolean): Promise<void>;
  /**
   * Resolves once it is known what went with a connection that was lost; at once where none was. Rejects where it
   * cannot be read.
   */
  checkAfterLoss(): Promise<void>;
}

/**
 * Notices that the browser has evicted this device's data (C4), also while the app is open. A browser that is still
 * clearing answers no read: then it is tried again, and no exchange may begin before, because its answer would bring a
 * canary and hide the loss.
 */
export function watchEviction(
  { db, clock, random }: { db: PersonDb; clock: Clock; random: { next(): number } },
  hooks: EvictionHooks,
): EvictionWatch {
  let isLossUnchecked = false;
  let checking: Promise<void> | undefined;

  async function check(wasHere: boolean, isOpen: boolean): Promise<void> {
    isLossUnchecked = false;
    if ((await checkCanary(db, wasHere)) === 'cleared') hooks.onCleared(isOpen);
  }

  async function checkUntilKnown(): Promise<void> {
    // It may be lost again meanwhile.
    while (isLossUnchecked)
      try {
        await check(hooks.wasHere(), true);
      } catch (error) {
        isLossUnchecked = true;
        throw error;
      }
  }

  function checkAfterLoss(): Promise<void> {
    checking ??= checkUntilKnown().finally(() => (checking = undefined));
    return checking;
  }

  async function follow(attempt: number): Promise<void> {
    if (!hooks.isRunning()) return;
    try {
      await checkAfterLoss();
    } catch (error) {
      hooks.onUnread(error);
      clock.setTimer(backoffMs(attempt, random.next()), () => void follow(attempt + 1));
    }
  }

  onConnectionLost(db, () => {
    isLossUnchecked = true;
    void follow(1);
  });

  return { checkAtStart: (isMarked) => check(isMarked || hooks.wasHere(), false), checkAfterLoss };
}
