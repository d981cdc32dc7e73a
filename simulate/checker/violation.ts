/** The rules by their names: I1 to I19 (docs/correctness.md), and C1 (nothing is called saved before it is). */
export const invariants = {
  C1: 'nothing is called saved before its transaction is complete',
  I1: 'exactly once per uid',
  I2: 'a device’s mutations are decided in the order it made them',
  I3: 'nothing lost: every acknowledged mutation ends applied, rejected, as a dead letter or cancelled',
  I4: 'convergence: a device equals what SQL says its person may see',
  I5: 'tables equal the replay of the outbox over restored server rows',
  I6: 'no acknowledgement before its effect',
  I7: 'the cookie is monotone within a timeline',
  I8: 'no device holds a row, field or id its person may not see',
  I9: 'no visible state splits a server transaction',
  I10: 'a pending or acknowledged write never vanishes and returns',
  I11: 'at most one effective leader',
  I12: 'a photo’s bytes leave the device only after the server has it, and it arrives as one photo',
  I13: 'people are isolated on one device',
  I14: 'sync_change holds at most one row per live row and tombstone',
  I15: 'once faults stop, everything drains within a bounded time, with no tap',
  I16: 'each rejection reaches the person exactly once',
  I18: 'an answer knows everything that was committed a minute before it',
  I19: 'what is decided, and what comes of it, is what the model of each mutation gives',
  I17: 'nothing of one person is ever sent, decided, stored or shown under another',
} as const;

export type InvariantId = keyof typeof invariants;

/** A rule was broken. */
export class Violation extends Error {
  override name = 'Violation';
  readonly invariant: InvariantId;
  constructor(invariant: InvariantId, where: string, detail: string) {
    super(`${invariant} (${invariants[invariant]}) at ${where}: ${detail}`);
    this.invariant = invariant;
  }
}

export function must(holds: boolean, invariant: InvariantId, where: string, detail: () => string): void {
  if (!holds) throw new Violation(invariant, where, detail());
}
