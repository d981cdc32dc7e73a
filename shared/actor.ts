/** The person who acts. Built from their own `users` row, on the device and on the server alike. */
export interface Actor {
  readonly id: string;
  readonly tradieId: string | null;
  readonly subscriptionStatus: string | null;
  /** ISO instant, or null where the provider gave none. */
  readonly subscriptionValidUntil: string | null;
}

interface PersonRow {
  id: string;
  tradieId: string | null;
  subscriptionStatus: string | null;
  subscriptionValidUntil: string | null;
}

export function actorOf(person: PersonRow): Actor {
  const { id, tradieId, subscriptionStatus, subscriptionValidUntil } = person;
  return { id, tradieId, subscriptionStatus, subscriptionValidUntil };
}

/**
 * The person who acts on a device; before the first exchange only the id is known. Without the end of the subscription:
 * a device's clock may be wrong, and so may what was once learnt of the server's, so time alone never rejects a write
 * there (SPEC C12).
 */
export function actorOnDevice(userId: string, person: PersonRow | undefined): Actor {
  return person === undefined
    ? { id: userId, tradieId: null, subscriptionStatus: null, subscriptionValidUntil: null }
    : { ...actorOf(person), subscriptionValidUntil: null };
}

/**
 * May this person read the feed and express interest at `now` (ISO instant)?
 * Past its valid-until a subscription is over, also offline.
 */
export function hasSubscription(actor: Actor, now: string): boolean {
  if (actor.tradieId === null) return false;
  if (actor.subscriptionStatus !== 'active' && actor.subscriptionStatus !== 'trialing') return false;
  return actor.subscriptionValidUntil === null || Date.parse(actor.subscriptionValidUntil) > Date.parse(now);
}
