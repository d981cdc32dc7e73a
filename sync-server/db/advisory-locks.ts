import { sql as rawSql, type RawBuilder } from 'kysely';

/*
 * Every advisory lock, in one place: two uses of one number would wait for each other. A number and a name stay as they
 * are: instances of two releases run beside each other.
 */

export const advisoryLocks = {
  /** Instances that start at once migrate one by one. */
  migration: 7_204_113_550,
  /** Serialises the commits of transactions that change synced rows. */
  commit: 7_204_113_551,
  /** One instance runs the retention. */
  retention: 7_204_113_552,
  /** One instance creates the signing key. */
  signingKey: 7_204_113_553,
  /** Embedded payments answer one call at a time, over all instances: they need no speed. */
  payments: 7_204_113_554,
  /** One instance inserts the demonstration data. */
  seed: 7_204_113_555,
  /** One instance creates the key at the push services. */
  vapidKey: 7_204_113_556,
  /** One instance asks which changes are safe. */
  safe: 7_204_113_557,
} as const;

const byName = (name: string): RawBuilder<unknown> =>
  rawSql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;

/** Locks on one person, until the transaction ends, by a hash of 64 bits. */
export const lockOf = {
  /** The profile record is made once. */
  person: (userId: string) => byName(userId),
  /** What one reader has read of others' contact details is counted one call at a time. */
  contactReads: (readerId: string) => byName(`contact-reads:${readerId}`),
  /** No other transaction changes the sign-ups of this address, or confirms one. */
  signUps: (email: string) => byName(`sign-up:${email}`),
} as const;
