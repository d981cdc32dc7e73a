/*
 * Every advisory lock that has a number, in one place: two uses of one number would wait for each other. (Locks on one person are
 * hashes of 64 bits instead.) A number stays as it is: instances of two releases run beside each other.
 */

export const advisoryLocks = {
  /** Instances that start at once migrate one by one. */
  migration: 7_204_113_550,
  /** Transactions that change synced rows pass here one by one, while they commit. */
  commit: 7_204_113_551,
  /** One instance forgets what is past its days. */
  retention: 7_204_113_552,
  /** One instance makes the signing key. */
  signingKey: 7_204_113_553,
  /** Embedded payments answer one call at a time, on any instance: what they lack in speed nobody will miss. */
  payments: 7_204_113_554,
  /** One instance puts in the demonstration data. */
  seed: 7_204_113_555,
} as const;
