import { sql as rawSql } from 'kysely';
import { runMutation } from '../../shared/mutations/run-mutation.ts';
import { sqlTx } from '../store/sql-store.ts';
import { knownFiles } from './known-files.ts';
import { createOrmTx } from './orm-tx.ts';
import { lockActor } from './read-actor.ts';
import { recordEffects } from './record-effects.ts';
import type { SyncParts } from './sync-parts.ts';

/** Nothing waits under this uid, or no longer. */
export class NoDeadLetter extends Error {
  override name = 'NoDeadLetter';
  constructor() {
    super('nothing is parked under this uid');
  }
}

/**
 * Replays a dead letter for an operator, once its cause has been fixed. Its effect reaches the person's devices like
 * any other.
 *
 * @throws NoDeadLetter; the `Rejection`, or the error: it then stays a dead letter.
 */
export function replayDeadLetter(
  { database, clock, findFiles }: SyncParts,
  { userId, uid }: { userId: string; uid: string },
): Promise<void> {
  return database.transaction(async (sql) => {
    const tx = sqlTx(sql, findFiles);
    const now = clock();
    const { actor } = await lockActor(tx, userId);
    const { rows } = await rawSql<{ name: string; args: string }>`select name, args from sync_parked
      where user_id = ${userId} and uid = ${uid} and replayed_at is null and discarded_at is null for update`.execute(
      sql,
    );
    if (rows[0] === undefined) throw new NoDeadLetter();
    const unit = await createOrmTx(tx, { targets: [], candidates: [] });
    const { name, args: kept } = rows[0];
    const args: unknown = JSON.parse(kept);
    await runMutation(unit.tx, name, args, {
      actor,
      now: now.toISOString(),
      files: await knownFiles(tx, [{ name, args }]),
    });
    unit.keep();
    await unit.flush();
    await rawSql`update sync_mutation set status = 'applied', outcome = '{"status":"applied"}' where user_id = ${userId} and uid = ${uid}`.execute(
      sql,
    );
    await recordEffects(tx, { userId, now, mutations: [{ name, args }] });
    await rawSql`update sync_parked set replayed_at = ${now} where user_id = ${userId} and uid = ${uid}`.execute(sql);
  });
}
