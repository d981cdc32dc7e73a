import { asJsonb } from '../../store/as-jsonb.ts';
import type { KeptOutcome, SyncTx, Verdict } from '../../store/sync-store.ts';
import type { MemoryTx } from './memory-engine.ts';
import { rowsAt } from './memory-rows.ts';
import type { Row } from './memory-tables.ts';

type OutcomeCalls = Pick<
  SyncTx,
  'findUids' | 'readOutcomes' | 'writeOutcomes' | 'recordMade' | 'countAttempt' | 'writeDeadLetter' | 'noteSentAgain'
>;

interface OutcomeLine extends Row {
  uid: string;
  args_hash: string;
  outcome: Verdict | null;
  at: Date;
}

const keyOf = (userId: string, uid: string) => `${userId}/${uid.toLowerCase()}`;
const asKept = ({ uid, args_hash: argsHash, outcome }: OutcomeLine): KeptOutcome => ({
  uid,
  argsHash,
  verdict: outcome as Verdict,
});

/** Outcomes, attempts and dead letters in memory. */
export function memoryOutcomes(tx: MemoryTx): OutcomeCalls {
  const linesOf = (userId: string, uids: readonly string[]) =>
    rowsAt(tx, 'sync_mutation', [...new Set(uids.map((uid) => keyOf(userId, uid)))]) as OutcomeLine[];

  /** Waits for another transaction that decides the same; false where it has. */
  async function decide(
    userId: string,
    at: Date,
    { uid, name, argsHash, verdict }: { uid: string; name: string; argsHash: string; verdict: Verdict },
  ): Promise<boolean> {
    const key = keyOf(userId, uid);
    await tx.hold(`sync_mutation/${key}`);
    if (tx.get('sync_mutation', key) !== undefined) return false;
    tx.put('sync_mutation', key, {
      user_id: userId,
      uid: uid.toLowerCase(),
      name,
      args_hash: argsHash,
      status: verdict.status,
      outcome: JSON.parse(asJsonb(verdict)) as Verdict,
      at,
    });
    return true;
  }

  return {
    findUids: async (userId, uids) => linesOf(userId, uids).map(({ uid, args_hash: argsHash }) => ({ uid, argsHash })),
    readOutcomes: async (userId, uids) =>
      linesOf(userId, uids)
        .filter(({ outcome }) => outcome !== null)
        .toSorted((one, other) => one.at.getTime() - other.at.getTime() || (one.uid < other.uid ? -1 : 1))
        .map(asKept),
    writeOutcomes: async (userId, at, decided) => {
      let written = 0;
      for (const line of decided) if (await decide(userId, at, line)) written += 1;
      return written;
    },
    recordMade: async (name, userId, at, ids) => {
      const [table, field] =
        name === 'job.alerts' ? (['jobs', 'jobId'] as const) : (['interests', 'interestId'] as const);
      const made = rowsAt(tx, table, ids).filter(
        (row) => row['userId'] === userId && row['createdAt'] === at.toISOString(),
      );
      for (const { id } of made) {
        const key = `${name}:${String(id)}`;
        if (tx.get('effect', key) === undefined)
          tx.put('effect', key, { key, user_id: userId, name, payload: { [field]: id }, at });
      }
    },
    countAttempt: async (userId, uid, at, error) => {
      const key = keyOf(userId, uid);
      await tx.hold(`sync_attempt/${key}`);
      const known = tx.get('sync_attempt', key);
      const attempts = Number(known?.['attempts'] ?? 0) + 1;
      const firstAt = (known?.['first_at'] as Date | undefined) ?? at;
      tx.put('sync_attempt', key, {
        user_id: userId,
        uid,
        attempts,
        first_at: firstAt,
        last_at: at,
        last_error: error,
      });
      return { attempts, firstAt };
    },
    noteSentAgain: async (userId, at, sent) => {
      for (const { uid, name, from, became, device } of sent) {
        const key = keyOf(userId, uid);
        const { first_at: firstAt = at } = tx.get('sync_sent_again', key) ?? {};
        tx.put('sync_sent_again', key, {
          user_id: userId,
          uid,
          name,
          ...from,
          became,
          device,
          first_at: firstAt,
          last_at: at,
        });
      }
    },
    writeDeadLetter: async (userId, at, failed) => {
      if (!(await decide(userId, at, failed))) return;
      const { uid, name, args, error } = failed;
      tx.put('sync_parked', keyOf(userId, uid), {
        user_id: userId,
        uid,
        name,
        args,
        error: error,
        parked_at: at,
        replayed_at: null,
      });
      tx.remove('sync_attempt', keyOf(userId, uid));
    },
  };
}
