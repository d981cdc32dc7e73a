import { sql as rawSql } from 'kysely';
import type { Outcome, SentMutation } from '../../shared/protocol/exchange.ts';
import type { Sql } from '../db/database.ts';
import { argsHash } from './args-hash.ts';

/** An outcome as it is kept: the uid is the row's own. */
export type Verdict = Omit<Outcome, 'uid'>;

export interface Undecided {
  /** Undecided until now; this transaction decides them, in their order. */
  undecided: SentMutation[];
  /** Known uids that came with other args than the first time. */
  reused: SentMutation[];
}

/** JSON that jsonb takes: a rejection may repeat what was sent, and PostgreSQL holds neither NUL nor half a character. */
const asJsonb = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\u0000', '\ufffd') : part,
  );

/**
 * Which of these are undecided (S1). Called while the person's row is locked (`holdActor`), so a racing repeat has waited there until the
 * first one had committed, and finds its uids decided.
 */
export async function findUndecided(sql: Sql, userId: string, batch: readonly SentMutation[]): Promise<Undecided> {
  const { rows } = await rawSql<{ uid: string; args_hash: string }>`select uid, args_hash from sync_mutation
    where user_id = ${userId} and uid = any(${batch.map(({ uid }) => uid)}::uuid[])`.execute(sql);
  if (rows.length === 0) return { undecided: [...batch], reused: [] };
  const hashes = new Map(rows.map((row) => [row.uid, row.args_hash]));
  const known = batch.filter(({ uid }) => hashes.has(uid.toLowerCase()));
  return {
    undecided: batch.filter(({ uid }) => !hashes.has(uid.toLowerCase())),
    reused: known.filter(({ uid, name, args }) => hashes.get(uid.toLowerCase()) !== argsHash(name, args)),
  };
}

/** One of the uids was decided meanwhile; only the write of a dead letter, which does not lock the person's row, can do so. */
class DecidedMeanwhile extends Error {
  override name = 'DecidedMeanwhile';
  /** PostgreSQL's "serialization failure": the same work finds the other's outcome if it is tried again. */
  readonly code = '40001';
}

/** Writes the outcomes of mutations, in the transaction of their effects: one insert, and the unique key lets each uid be decided once. */
export async function settle(
  sql: Sql,
  userId: string,
  now: Date,
  decided: readonly { mutation: SentMutation; verdict: Verdict }[],
): Promise<void> {
  if (decided.length === 0) return;
  const lines = decided.map(({ mutation: { uid, name, args }, verdict }) => ({
    uid,
    name,
    args_hash: argsHash(name, args),
    outcome: verdict,
  }));
  const { numAffectedRows: written } =
    await rawSql`insert into sync_mutation (user_id, uid, name, args_hash, status, outcome, at)
    select ${userId}::uuid, line.uid, line.name, line.args_hash, line.outcome ->> 'status', line.outcome, ${now}
    from jsonb_to_recordset(${asJsonb(lines)}::jsonb) as line (uid uuid, name text, args_hash text, outcome jsonb)
    on conflict do nothing`.execute(sql);
  if (written !== BigInt(lines.length)) throw new DecidedMeanwhile('a uid was decided meanwhile');
}

export interface Decided {
  outcome: Outcome;
  /** Of the name and args that it is the outcome of. */
  argsHash: string;
}

/** The outcomes of these mutations, as far as they are decided. */
export async function readOutcomes(sql: Sql, userId: string, uids: readonly string[]): Promise<Decided[]> {
  if (uids.length === 0) return [];
  const { rows } = await rawSql<{
    uid: string;
    args_hash: string;
    outcome: Verdict;
  }>`select uid, args_hash, outcome from sync_mutation
    where user_id = ${userId} and uid = any(${[...uids]}::uuid[]) and outcome is not null order by at, uid`.execute(
    sql,
  );
  return rows.map(({ uid, args_hash: hash, outcome }) => ({ outcome: { uid, ...outcome }, argsHash: hash }));
}

/** The answer to a uid that was used for something else before. */
export const rejectedReuse = (uid: string): Outcome => ({
  uid,
  status: 'refused',
  code: 'uid-reused',
  message: 'This change carries the mark of another one. Make it again.',
});
