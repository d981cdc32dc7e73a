import type { SyncTx } from '../store/sync-store.ts';

interface Applied {
  userId: string;
  now: Date;
  /** Of the mutations of this transaction, those that were applied and are written. */
  mutations: readonly { name: string; args: unknown }[];
}

/**
 * Records the effects of these mutations, in their own transaction: with them or not at all. A mutation that was applied once more, and
 * changed nothing, is followed by nothing.
 */
export async function recordEffects(tx: SyncTx, { userId, now, mutations }: Applied): Promise<void> {
  const expressed = mutations
    .filter(({ name }) => name === 'interest.express')
    .map(({ args }) => (args as { id: string }).id);
  if (expressed.length > 0) await tx.recordInterestMails(userId, now, expressed);
}
