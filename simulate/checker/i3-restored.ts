import { must } from '../../shared/lib/must.ts';
import type { ExchangeAnswer } from '../../shared/protocol/exchange.ts';
import { restoreWaitMs } from '../server/cluster.ts';
import type { Written } from '../../sync-server/testing/memory-store/memory-engine.ts';
import type { Backend } from '../world/backend.ts';
import type { Counters } from '../world/counters.ts';
import type { ClientGroup } from './client-group.ts';
import type { Decision, Decisions } from './decisions.ts';
import { Violation } from './violation.ts';

interface Parts {
  backend: Backend;
  decisions: Decisions;
  counters: Counters;
  groups: ReadonlyMap<string, ClientGroup>;
  now(): number;
}

/** What restores of the database have lost, and what of it comes back. */
export interface Restores {
  /** Mutations that waited for what a restore had lost: others may pass them. */
  readonly hasWaited: ReadonlySet<string>;
  /** Keys of effects that may have been recorded before a restore: what comes back is not followed by them again. */
  readonly followed: ReadonlySet<string>;
  /**
   * The server's database was restored: what it forgot must come back, and is excused where its device does not have it
   * any more.
   */
  restored(): void;
  answered(answer: ExchangeAnswer): undefined;
  /** A former primary has decided this: to the database that counts it is unknown, as what a restore forgot. */
  decidedByFormer(written: Written): void;
  i3NotTooEarly(decision: Decision): Violation | undefined;
}

const mayComeBack = ['not-found', 'file-missing', 'subscription-required', 'too-many-jobs'];

export function createRestores({ backend, decisions, counters, groups, now }: Parts): Restores {
  /**
   * Applied before a restore, forgotten with it, and made on a device that still lives: by the checker's own history,
   * not by the journal.
   */
  const lost = new Set<string>();
  const hasWaited = new Set<string>();
  const followed = new Set<string>();
  let restoredAt = Number.NEGATIVE_INFINITY;

  function forget(all: readonly Pick<Decision, 'uid' | 'status' | 'argsHash'>[]): void {
    const forgotten = new Map(all.map((decision) => [decision.uid, decision]));
    for (const group of groups.values()) {
      for (const [uid, { name, args, argsHash }] of group.made) {
        const was = forgotten.get(uid);
        if (was === undefined) continue;
        const id = String((args as { id: unknown }).id);
        if (name === 'job.post') followed.add(`job.alerts:${id}`);
        if (name === 'interest.express') followed.add(`interest.mail:${id}`);
        group.mustSee.delete(uid);
        // An answer of before may still tell the device of a rejection and a dead letter, and of one whose uid
        // another's change had.
        if (was.status === 'applied' && was.argsHash === argsHash && !group.excused.has(uid)) lost.add(uid);
        else group.excused.add(uid);
      }
    }
  }

  function wait(uid: string): void {
    if (!hasWaited.has(uid)) counters.count('a mutation waits for what a restore has lost');
    hasWaited.add(uid);
  }

  // What waits passes what came with it, also where the answer that says so is lost on the server itself.
  backend.onWrites(({ wrote, after }) => {
    for (const { table, key } of wrote) {
      const noted = table === 'sync_sent_again' ? after.get(table)?.get(key) : undefined;
      if (noted?.['became'] === 'restoring') wait(String(noted['uid']));
    }
  });

  return {
    hasWaited,
    followed,
    restored: () => {
      const outcomes = backend.committed().get('sync_mutation') ?? new Map();
      forget(decisions.keepOnly(outcomes));
      restoredAt = now();
    },
    decidedByFormer: ({ wrote, after }) => {
      const uids = wrote.flatMap(({ table, key }) => (table === 'sync_mutation' ? key : []));
      const decided = uids.map((key) => must(after.get('sync_mutation')?.get(key), key));
      if (decided.length > 0) counters.count('an old primary decided something');
      forget(
        decided.map(({ uid, status, args_hash: hash }) => ({
          uid: String(uid),
          status: status as Decision['status'],
          argsHash: String(hash),
        })),
      );
    },
    answered: (answer) => {
      if (answer.kind !== 'delta') return undefined;
      for (const { uid } of answer.restoring ?? []) wait(uid);
      return undefined;
    },
    /**
     * What was acknowledged and is sent again is not refused for want of something that another device may still bring
     * back.
     */
    i3NotTooEarly: ({ uid, name, status, code = '' }) => {
      const ageMs = now() - restoredAt;
      if (status !== 'refused' || !lost.has(uid) || !mayComeBack.includes(code) || ageMs >= restoreWaitMs)
        return undefined;
      return new Violation('I3', 'the server', `${name} ${uid} was refused (${code}) ${ageMs} ms after a restore`);
    },
  };
}
