import type { Committed } from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { Written } from '../../sync-server/testing/memory-store/memory-engine.ts';
import type { Counters } from '../world/counters.ts';
import { i1DecidedOnce } from './invariants-at-commit.ts';
import type { Violation } from './violation.ts';

export interface Decision {
  userId: string;
  uid: string;
  name: string;
  status: 'applied' | 'refused' | 'parked';
  code: string | undefined;
  /** The hash of its name and args: under a reused uid another mutation may have been decided. */
  argsHash: string;
  /** The version of the commit that decided it; undefined where that changed no row. */
  version: number | undefined;
  order: number;
}

/** The server's decisions, each once (I1), in order. */
export interface Decisions {
  of(userId: string, uid: string): Decision | undefined;
  all(): readonly Decision[];
  take(written: Written): void;
  /** Called with each decision, and the rows as they were before it. */
  onDecided(hear: (decision: Decision, before: Committed) => void): void;
  /**
   * The database was restored to this state: what it does not hold was never decided. Returns what was forgotten. A
   * backup may hold what a standby promoted before it was restored had lost: that is decided again.
   */
  keepOnly(kept: ReadonlyMap<string, unknown>): Decision[];
}

interface Line {
  user_id: string;
  uid: string;
  name: string;
  args_hash: string;
  status: string;
  outcome: { code?: string } | null;
}

/** `accuse`: a rule broken inside the server's own transaction must not reach the server as a database error. */
export function createDecisions(counters: Counters, accuse: (violation: Violation) => void): Decisions {
  let decided = new Map<string, Decision>();
  const forgotten = new Map<string, Decision>();
  let order = 0;
  const heard: ((decision: Decision, before: Committed) => void)[] = [];
  return {
    of: (userId, uid) => decided.get(`${userId}/${uid}`),
    all: () => [...decided.values()],
    onDecided: (hear) => void heard.push(hear),
    take: ({ wrote, before, after, version }) => {
      for (const { table, key } of wrote) {
        if (table !== 'sync_mutation') continue;
        const is = after.get(table)?.get(key) as Line | undefined;
        if (is === undefined || is.outcome === null) continue;
        const was = before.get(table)?.get(key) as Line | undefined;
        const known = decided.get(key);
        const twice = i1DecidedOnce(
          `${is.name} ${is.uid}`,
          known !== undefined || (was !== undefined && was.outcome !== null) ? 2 : 1,
        );
        if (twice !== undefined) accuse(twice);
        const { code } = is.outcome;
        const status = is.status as Decision['status'];
        counters.count(code === undefined || status === 'parked' ? `outcome: ${status}` : `refusal: ${code}`);
        const decision: Decision = {
          userId: is.user_id,
          uid: is.uid,
          name: is.name,
          status,
          code,
          argsHash: is.args_hash,
          version,
          order: (order += 1),
        };
        decided.set(key, decision);
        for (const hear of heard) hear(decision, before);
      }
    },
    keepOnly: (kept) => {
      const gone = [...decided].filter(([key]) => !kept.has(key));
      for (const [key, decision] of gone) forgotten.set(key, decision);
      const isKept = ([key]: [string, Decision]) => kept.has(key);
      decided = new Map([...forgotten, ...decided].filter(isKept));
      return gone.map(([, decision]) => decision);
    },
  };
}
