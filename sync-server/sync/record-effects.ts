import { inTurn } from '../../shared/lib/in-turn.ts';
import type { SyncTx } from '../store/sync-store.ts';

interface Applied {
  userId: string;
  now: Date;
  /** Of the mutations of this transaction, those that were applied and are written. */
  mutations: readonly { name: string; args: unknown }[];
}

/**
 * Records the effects of these mutations, in their own transaction: with them or not at all. A mutation that was
 * applied once more, and changed nothing, is followed by nothing.
 */
export async function recordEffects(tx: SyncTx, { userId, now, mutations }: Applied): Promise<void> {
  await inTurn(
    ...followed.flatMap(([name, mutation]) => {
      const ids = mutations.filter((one) => one.name === mutation).map(({ args }) => (args as { id: string }).id);
      return ids.length === 0 ? [] : [tx.recordMade(name, userId, now, ids)];
    }),
  );
}

/** Each effect, and the mutation that makes the row it is of. */
const followed = [
  ['interest.mail', 'interest.express'],
  ['job.alerts', 'job.post'],
] as const;
