import { sql as rawSql } from 'kysely';
import type { Sql } from '../db/database.ts';
import { asJsonb } from './as-jsonb.ts';
import type { FailedMutation, SyncTx, Verdict } from './sync-store.ts';

type OutcomeCalls = Pick<
  SyncTx,
  'findUids' | 'readOutcomes' | 'writeOutcomes' | 'countAttempt' | 'writeDeadLetter' | 'noteSentAgain' | 'savepoint'
>;

/** Outcomes, attempts and dead letters in PostgreSQL. */
export function sqlOutcomes(sql: Sql): OutcomeCalls {
  return {
    async findUids(userId, uids) {
      const { rows } = await rawSql<{ uid: string; args_hash: string }>`select uid, args_hash from sync_mutation
        where user_id = ${userId} and uid = any(${[...uids]}::uuid[])`.execute(sql);
      return rows.map(({ uid, args_hash: argsHash }) => ({ uid, argsHash }));
    },

    async readOutcomes(userId, uids) {
      if (uids.length === 0) return [];
      const { rows } = await rawSql<{
        uid: string;
        args_hash: string;
        outcome: Verdict;
      }>`select uid, args_hash, outcome from sync_mutation
        where user_id = ${userId} and uid = any(${[...uids]}::uuid[]) and outcome is not null order by at, uid`.execute(
        sql,
      );
      return rows.map(({ uid, args_hash: argsHash, outcome: verdict }) => ({ uid, argsHash, verdict }));
    },

    async writeOutcomes(userId, at, decided) {
      if (decided.length === 0) return 0;
      const lines = decided.map(({ uid, name, argsHash, verdict }) => ({
        uid,
        name,
        args_hash: argsHash,
        outcome: verdict,
      }));
      // The unique key lets each uid be decided once, in one insert.
      const { numAffectedRows: written } =
        await rawSql`insert into sync_mutation (user_id, uid, name, args_hash, status, outcome, at)
        select ${userId}::uuid, line.uid, line.name, line.args_hash, line.outcome ->> 'status', line.outcome, ${at}
        from jsonb_to_recordset(${asJsonb(lines)}::jsonb) as line (uid uuid, name text, args_hash text, outcome jsonb)
        on conflict do nothing`.execute(sql);
      return Number(written ?? 0);
    },

    async noteSentAgain(userId, at, sent) {
      if (sent.length === 0) return;
      const lines = sent.map(({ uid, name, from, became, device }) => ({
        user_id: userId,
        uid,
        name,
        timeline: from.timeline,
        version: from.version ?? null,
        became,
        device: device ?? null,
        first_at: at,
        last_at: at,
      }));
      await sql
        .insertInto('sync_sent_again')
        .values(lines)
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'uid']).doUpdateSet(({ ref }) => ({
            became: ref('excluded.became'),
            device: ref('excluded.device'),
            last_at: ref('excluded.last_at'),
          })),
        )
        .execute();
    },

    async countAttempt(userId, uid, at, error) {
      const { rows } = await rawSql<{ attempts: number; first_at: Date }>`
        insert into sync_attempt as known (user_id, uid, attempts, first_at, last_at, last_error)
        values (${userId}, ${uid}, 1, ${at}, ${at}, ${error})
        on conflict (user_id, uid) do update set attempts = known.attempts + 1, last_at = excluded.last_at, last_error = excluded.last_error
        returning attempts, first_at`.execute(sql);
      const { attempts, first_at: firstAt } = rows[0]!;
      return { attempts, firstAt };
    },

    writeDeadLetter: (userId, at, failed) => writeDeadLetter(sql, userId, at, failed),

    async savepoint() {
      // One at a time is enough, so one name is.
      await rawSql`savepoint one`.execute(sql);
      return {
        rollback: async () => void (await rawSql`rollback to savepoint one`.execute(sql)),
        release: async () => void (await rawSql`release savepoint one`.execute(sql)),
      };
    },
  };
}

async function writeDeadLetter(
  sql: Sql,
  userId: string,
  at: Date,
  { uid, name, argsHash, args, verdict, error }: FailedMutation,
): Promise<void> {
  const { rows } = await rawSql`insert into sync_mutation (user_id, uid, name, args_hash, status, outcome, at)
    values (${userId}, ${uid}, ${name}, ${argsHash}, ${verdict.status}, ${JSON.stringify(verdict)}::jsonb, ${at})
    on conflict do nothing returning uid`.execute(sql);
  if (rows.length === 0) return;
  // The message is text inside the JSON: jsonb itself cannot hold every string, and what it cannot hold may be why the
  // mutation failed.
  await rawSql`insert into sync_parked (user_id, uid, name, args, error, parked_at)
    values (${userId}, ${uid}, ${name}, to_jsonb(${JSON.stringify(args) ?? 'null'}::text), ${error}, ${at})`.execute(
    sql,
  );
  await rawSql`delete from sync_attempt where user_id = ${userId} and uid = ${uid}`.execute(sql);
}
