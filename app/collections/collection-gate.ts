import { actorOf, hasSubscription } from '../../shared/actor.ts';
import type { Clock } from '../db/clock.ts';
import type { PersonDb } from '../db/person-db.ts';
import { watchRows } from '../db/use-rows.ts';
import { createCell, type Watched } from '../lib/cell.ts';
import { earliestNow } from '../sync/corrected-now.ts';

/** `unknown`: no subscription has been read yet. Only an open gate lets rows through. */
export type CollectionGate = Watched<'unknown' | 'open' | 'closed'>;

const maxTimerMs = 2 ** 31 - 1;

/**
 * Opens the feed while the person has a running subscription, and closes it as soon as the valid-until has passed, also
 * without signal. Waking from sleep counts: `look` asks again.
 */
export function openSubscriptionGate(ports: {
  db: PersonDb;
  userId: string;
  clock: Clock;
}): CollectionGate & { look(): void; close(): void } {
  const { db, userId, clock } = ports;
  const gate = createCell<'unknown' | 'open' | 'closed'>('unknown');
  let cancel = () => undefined as void;

  const person = watchRows(db.rows, ['users', 'meta/serverTimeOffset'], ({ users, meta }) => ({
    user: users.get(userId),
    offset: meta.get('serverTimeOffset')?.value,
  }));
  function look(): void {
    cancel();
    const read = person.current();
    // A person who cannot be read has no proof of a subscription.
    if (read.state === 'failed') return gate.set('closed');
    if (read.state === 'reading' || read.value.user === undefined) return gate.set('unknown');
    const { user, offset } = read.value;
    const now = earliestNow(offset, clock);
    const isOpen = hasSubscription(actorOf(user), now);
    gate.set(isOpen ? 'open' : 'closed');
    if (!isOpen || user.subscriptionValidUntil === null) return;
    const left = Date.parse(user.subscriptionValidUntil) - Date.parse(now);
    cancel = clock.setTimer(Math.min(left, maxTimerMs), look);
  }
  const stopWatching = person.subscribe(look);
  look();
  return {
    ...gate,
    look,
    close: () => {
      stopWatching();
      cancel();
    },
  };
}
