/*
 * Every advisory lock that has a number, in one place: two uses of one number would wait for each other. (Locks on one person are
 * hashes of 64 bits instead.) A number stays as it is: instances of two releases run beside each other.
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
} as const;
