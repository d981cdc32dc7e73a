import { sql as rawSql } from 'kysely';
import type { Outcome, SentMutation } from '../../shared/protocol/exchange.ts';
import type { Sql } from '../db/database.ts';
import { argsHash } from './args-hash.ts';

/** An outcome as it is kept: the uid is the row's own. */
export type Verdict = Omit<Outcome, 'uid'>;

export interface Claimed {
  /** Nobody decided these before; they are this transaction's to decide, in their order. */
  fresh: SentMutation[];
  /** Known uids that came with other args than the first time. */
  reused: SentMutation[];
}

/** JSON that jsonb takes: a refusal may repeat what was sent, and PostgreSQL holds neither NUL nor half a character. */
const asJsonb = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? part.toWellFormed().replaceAll('\u0000', '\ufffd') : part));

/**
 * Takes the uids for this transaction (S1). A racing repeat waits here on the unique key until the first one has committed, then
 * finds its uids decided. In one order, so that two such batches never wait for each other.
 */
export async function claim(sql: Sql, userId: string, batch: readonly SentMutation[], now: Date): Promise<Claimed> {
  const lines = batch.map(({ uid, name, args }) => ({ uid, name, args_hash: argsHash(name, args) }));
  const { rows: taken } = await rawSql<{ uid: string }>`insert into sync_mutation (user_id, uid, name, args_hash, status, at)
    select ${userId}::uuid, line.uid, line.name, line.args_hash, 'claimed', ${now}
    from jsonb_to_recordset(${asJsonb(lines)}::jsonb) as line (uid uuid, name text, args_hash text)
    order by line.uid on conflict do nothing returning uid`.execute(sql);
  const mine = new Set(taken.map(({ uid }) => uid));
  const fresh = batch.filter(({ uid }) => mine.has(uid.toLowerCase()));
  if (fresh.length === batch.length) return { fresh, reused: [] };
  const rest = batch.filter(({ uid }) => !mine.has(uid.toLowerCase()));
  const { rows } = await rawSql<{ uid: string; args_hash: string }>`select uid, args_hash from sync_mutation
    where user_id = ${userId} and uid = any(${rest.map(({ uid }) => uid)}::uuid[])`.execute(sql);
  const hashes = new Map(rows.map((row) => [row.uid, row.args_hash]));
  return { fresh, reused: rest.filter(({ uid, name, args }) => hashes.get(uid.toLowerCase()) !== argsHash(name, args)) };
}

/** Writes what became of claimed mutations, in the transaction of their effects. */
export async function settle(sql: Sql, userId: string, verdicts: ReadonlyMap<string, Verdict>): Promise<void> {
  if (verdicts.size === 0) return;
  const lines = [...verdicts].map(([uid, outcome]) => ({ uid, outcome }));
  await rawSql`update sync_mutation as kept set status = line.outcome ->> 'status', outcome = line.outcome
    from jsonb_to_recordset(${asJsonb(lines)}::jsonb) as line (uid uuid, outcome jsonb)
    where kept.user_id = ${userId} and kept.uid = line.uid`.execute(sql);
}

export interface Decided {
  outcome: Outcome;
  /** Of the name and args that it is the outcome of. */
  argsHash: string;
}

/** What became of these mutations, of those that were decided. */
export async function readOutcomes(sql: Sql, userId: string, uids: readonly string[]): Promise<Decided[]> {
  if (uids.length === 0) return [];
  const { rows } = await rawSql<{ uid: string; args_hash: string; outcome: Verdict }>`select uid, args_hash, outcome from sync_mutation
    where user_id = ${userId} and uid = any(${[...uids]}::uuid[]) and outcome is not null order by at, uid`.execute(sql);
  return rows.map(({ uid, args_hash: hash, outcome }) => ({ outcome: { uid, ...outcome }, argsHash: hash }));
}

/** The answer to a uid that was used for something else before. */
export const refusedReuse = (uid: string): Outcome => ({ uid, status: 'refused', code: 'uid-reused', message: 'This change carries the mark of another one. Make it again.' });
