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
    super('no dead letter has this uid');
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
    const deadLetter = await sql
      .selectFrom('sync_parked')
      .select(['name', 'args'])
      .where('user_id', '=', userId)
      .where('uid', '=', uid)
      .where('replayed_at', 'is', null)
      .where('discarded_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (deadLetter === undefined || deadLetter.args === null) throw new NoDeadLetter();
    const unit = await createOrmTx(tx, { targets: [], candidates: [] });
    const { name } = deadLetter;
    const args: unknown = JSON.parse(deadLetter.args);
    await runMutation(unit.tx, name, args, {
      actor,
      now: now.toISOString(),
      files: await knownFiles(tx, [{ name, args }]),
    });
    unit.keep();
    await unit.flush();
    await sql
      .updateTable('sync_mutation')
      .set({ status: 'applied', outcome: JSON.stringify({ status: 'applied' }) })
      .where('user_id', '=', userId)
      .where('uid', '=', uid)
      .execute();
    await recordEffects(tx, { userId, now, mutations: [{ name, args }] });
    await sql
      .updateTable('sync_parked')
      .set({ replayed_at: now })
      .where('user_id', '=', userId)
      .where('uid', '=', uid)
      .execute();
  });
}
