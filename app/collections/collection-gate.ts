import { liveQuery } from 'dexie';
import { actorOf, hasSubscription } from '../../shared/actor.ts';
import type { Clock } from '../db/clock.ts';
import type { PersonDb } from '../db/person-db.ts';
import { createCell, type Watched } from '../lib/cell.ts';
import { earliestNow } from '../sync/corrected-now.ts';

/** `unknown`: no subscription has been read yet. Only an open gate lets rows through. */
export type CollectionGate = Watched<'unknown' | 'open' | 'closed'>;

const longestTimerMs = 2 ** 31 - 1;

/**
 * Opens the feed while the person has a running subscription, and closes it as soon as the valid-until has passed, also without
 * signal. Waking from sleep counts: `look` asks again.
 */
export function createSubscriptionGate(ports: {
  db: PersonDb;
  userId: string;
  clock: Clock;
}): CollectionGate & { look(): void; close(): void } {
  const { db, userId, clock } = ports;
  const gate = createCell<'unknown' | 'open' | 'closed'>('unknown');
  let cancel = () => undefined as void;

  const read = async () => ({ person: await db.users.get(userId), now: await earliestNow(db, clock) });
  const decide = ({ person, now }: Awaited<ReturnType<typeof read>>) => {
    cancel();
    if (person === undefined) return gate.set('unknown');
    const isOpen = hasSubscription(actorOf(person), now);
    gate.set(isOpen ? 'open' : 'closed');
    if (!isOpen || person.subscriptionValidUntil === null) return;
    const left = Date.parse(person.subscriptionValidUntil) - Date.parse(now);
    cancel = clock.setTimer(Math.min(left, longestTimerMs), look);
  };
  // A person who cannot be read has no proof of a subscription.
  const give = { next: decide, error: () => gate.set('closed') };
  const look = () => void read().then(decide, give.error);
  const watching = liveQuery(read).subscribe(give);
  return {
    ...gate,
    look,
    close: () => {
      watching.unsubscribe();
      cancel();
    },
  };
}
