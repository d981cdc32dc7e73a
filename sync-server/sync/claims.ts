import type { Outcome, SentMutation } from '../../shared/protocol/exchange.ts';
import type { ReadTx, SyncTx, Verdict } from '../store/sync-store.ts';
import { argsHash } from './args-hash.ts';

export interface Undecided {
  /** Undecided until now; this transaction decides them, in their order. */
  undecided: SentMutation[];
  /** Known uids that came with other args than the first time. */
  reused: SentMutation[];
}

/**
 * Which of these are undecided (S1). Asked after the person's row (`lockActor`), if only just: a racing repeat waits
 * there until the first one has committed, and then finds its uids decided.
 */
export async function findUndecided(tx: SyncTx, userId: string, batch: readonly SentMutation[]): Promise<Undecided> {
  const decided = await tx.findUids(
    userId,
    batch.map(({ uid }) => uid),
  );
  if (decided.length === 0) return { undecided: [...batch], reused: [] };
  const hashes = new Map(decided.map((one) => [one.uid, one.argsHash]));
  const known = batch.filter(({ uid }) => hashes.has(uid.toLowerCase()));
  return {
    undecided: batch.filter(({ uid }) => !hashes.has(uid.toLowerCase())),
    reused: known.filter((mutation) => isOtherThan(mutation, hashes.get(mutation.uid.toLowerCase()))),
  };
}

/** Was its uid used for another intent? Where its device has rebuilt it since (S13), args tell nothing. */
export const isOtherThan = (
  { name, args, from }: Pick<SentMutation, 'name' | 'args' | 'from'>,
  hash?: string,
): boolean => from?.rebuilt !== true && argsHash(name, args) !== hash;

/**
 * One of the uids was decided meanwhile; only the write of a dead letter, which does not lock the person's row, can do
 * so.
 */
class DecidedMeanwhile extends Error {
  override name = 'DecidedMeanwhile';
  /** PostgreSQL's "serialization failure": the same work finds the other's outcome if it is tried again. */
  readonly code = '40001';
}

/** Writes the outcomes of mutations, in the transaction of their effects. */
export async function settle(
  tx: SyncTx,
  userId: string,
  now: Date,
  decided: readonly { mutation: SentMutation; verdict: Verdict }[],
): Promise<void> {
  const lines = decided.map(({ mutation: { uid, name, args }, verdict }) => ({
    uid,
    name,
    argsHash: argsHash(name, args),
    verdict,
  }));
  if ((await tx.writeOutcomes(userId, now, lines)) !== lines.length)
    throw new DecidedMeanwhile('a uid was decided meanwhile');
}

export interface Decided {
  outcome: Outcome;
  /** Of the name and args that it is the outcome of. */
  argsHash: string;
}

/** The outcomes of these mutations, as far as they are decided. */
export async function readOutcomes(tx: ReadTx, userId: string, uids: readonly string[]): Promise<Decided[]> {
  const kept = await tx.readOutcomes(userId, uids);
  return kept.map(({ uid, argsHash: hash, verdict }) => ({ outcome: { uid, ...verdict }, argsHash: hash }));
}

/** The answer to a uid that was used for something else before. */
export const rejectedReuse = (uid: string): Outcome => ({
  uid,
  status: 'refused',
  code: 'uid-reused',
  message: 'This change carries the mark of another one. Make it again.',
});
