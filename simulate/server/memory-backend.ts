import type { Backend, DatabaseFault } from '../world/backend.ts';
import type { SeededRandom } from '../../shared/testing/random-source.ts';
import type { Counters } from '../world/counters.ts';
import { createProcess, type SimProcess, type Loop } from '../time/loop.ts';
import {
  createMemoryEngine,
  sqlError,
  type MemoryEngine,
  type Written,
} from '../../sync-server/testing/memory-store/memory-engine.ts';
import { createMemoryStore, type TxStage } from '../../sync-server/testing/memory-store/memory-store.ts';
import {
  viewOfCommitted,
  type ChangeLine,
  type Committed,
  type Row,
} from '../../sync-server/testing/memory-store/memory-tables.ts';

export interface MemoryBackendParts {
  loop: Loop;
  clock: () => Date;
  chance: SeededRandom;
  counters: Counters;
}

/** A row with this text exceeds a limit of its table: to the server it looks like a bug. See the world's steps. */
export const poison = 'POISON';

/** The pool waits so long for an answer before it counts a connection as lost (db/guard-pool.ts). */
const poolTimeoutMs = 20_000;

const downFrom = (max: number): number[] => Array.from({ length: max + 1 }, (_none, at) => max - at);

/**
 * A promoted standby begins its timeline by the clock, at microseconds: far above what its former primary will still
 * draw.
 */
const farAbove = 1_000_000;

function mayHold(row: Row): void {
  if (JSON.stringify(row).includes(poison)) throw sqlError('XX000', 'an internal error');
}

/**
 * The store in memory under every process of the server, with a database's delays and faults: calls of one process
 * overlap with those of the others as the seed has it, and a dead process is never answered again.
 */
export function createMemoryBackend({ loop, clock, chance, counters }: MemoryBackendParts): Backend {
  const spells = new Map<SimProcess, { deaf?: { since: number; until: number }; silentUntil?: number }>();
  let readOnlyUntil = 0;
  const engine = createMemoryEngine({
    clock,
    newTimeline: () => `timeline-${chance.below(1_000_000_000)}`,
    later: (act) => void loop.after(0, act),
    isReadOnly: () => loop.now() < readOnlyUntil,
  });
  /** The primary that was superseded by a promoted standby, and goes on by itself; whose addresses lead to it. */
  let former: MemoryEngine | undefined;
  const misled = new Set<SimProcess>();
  let misleadsNextForMs: number | undefined;
  const listeners = new Set<{ proc: SimProcess; hear: (version: number) => void }>();
  /** How often the connections of each process were made anew. */
  const connections = new Map<SimProcess, number>();
  const formerWrites: ((written: Written) => void)[] = [];
  const reachedBy = (proc: SimProcess) => (former !== undefined && misled.has(proc) ? former : engine);
  const tell = (from: MemoryEngine) => (version: number) => {
    for (const { proc, hear } of listeners) if (reachedBy(proc) === from) hear(version);
  };
  engine.onCommit(tell(engine));

  /** The connections of these are lost and made anew: what they may have missed is looked for. */
  function reconnect(procs: Iterable<SimProcess>): void {
    const all = new Set(procs);
    for (const proc of all) connections.set(proc, (connections.get(proc) ?? 0) + 1);
    for (const { proc, hear } of Array.from(listeners)) if (all.has(proc)) hear(0);
  }

  function misleads(proc: SimProcess, forMs: number): void {
    misled.add(proc);
    loop.after(forMs, () => {
      if (misled.delete(proc)) reconnect([proc]);
    });
  }

  const faults: DatabaseFault[] = [];
  let kept: Committed | undefined;
  let kill: (proc: SimProcess) => boolean = () => false;
  let slow = { until: 0, maxMs: 0 };
  const tripMs = () =>
    loop.now() < slow.until && chance.below(5) === 0 ? chance.below(slow.maxMs) : chance.below(4) / 4;

  const deafSince = (proc: SimProcess) => {
    const deaf = spells.get(proc)?.deaf;
    return deaf !== undefined && loop.now() < deaf.until ? deaf.since : undefined;
  };
  const isSilent = (proc: SimProcess) => loop.now() < (spells.get(proc)?.silentUntil ?? 0);

  /** What a planned fault throws at this moment, or that it ended the calling process. */
  function strike(proc: SimProcess, at: DatabaseFault['at']): Error | 'killed' | undefined {
    const index = faults.findIndex((fault) => fault.at === at);
    const fault = faults[index];
    if (fault === undefined) return undefined;
    if (fault.after > 0) {
      fault.after -= 1;
      return undefined;
    }
    faults.splice(index, 1);
    if (fault.code === 'kill') {
      if (!kill(proc)) return undefined;
      counters.count(`fault: server killed at a ${at === 'committed' ? 'commit that counted' : at}`);
      return 'killed';
    }
    counters.count(`fault: database ${fault.code} at ${fault.at}`);
    return sqlError(fault.code, 'said by the simulator');
  }

  async function meetFaults(proc: SimProcess, at: DatabaseFault['at']): Promise<void> {
    const fault = strike(proc, at);
    if (fault === 'killed') await new Promise(() => {});
    if (fault instanceof Error) throw fault;
  }

  async function meet(proc: SimProcess, at: TxStage): Promise<void> {
    // A lock may have been waited for: nothing is delivered after the end.
    if (at === 'called') return loop.pause(0, proc);
    if (at !== 'committed') await loop.pause(tripMs(), proc);
    if (at === 'call' && isSilent(proc)) {
      await loop.pause(poolTimeoutMs, proc);
      throw sqlError('ETIMEDOUT', 'no answer from the database');
    }
    if (at !== 'begin') await meetFaults(proc, at);
  }

  return {
    storeFor: (proc) => {
      if (misleadsNextForMs !== undefined) misleads(proc, misleadsNextForMs);
      misleadsNextForMs = undefined;
      return createMemoryStore({
        engine: {
          ...engine,
          onCommit: (hear) => {
            const listener = { proc, hear };
            listeners.add(listener);
            return () => void listeners.delete(listener);
          },
        },
        reached: () => reachedBy(proc),
        owner: proc,
        meet: (at) => meet(proc, at),
        mayHold,
        notify: (onCommit) =>
          void loop.after(1 + chance.below(40), () => deafSince(proc) === undefined && onCommit(), proc),
        hearing: () => ({
          connection: connections.get(proc) ?? 0,
          ageMs: loop.now() - (deafSince(proc) ?? loop.now()),
        }),
      });
    },
    forget: (proc) => {
      engine.forget(proc);
      former?.forget(proc);
      misled.delete(proc);
    },
    committed: engine.committed,
    at: engine.at,
    head: engine.head,
    timeline: engine.timeline,
    versionOf: (table, id) => {
      const lines = viewOfCommitted(engine.committed()).all('sync_change') as ChangeLine[];
      return String(lines.find((line) => line.entity === table && line.entity_id === id)?.shelf_version ?? 0);
    },
    arm: (fault) => void faults.push({ ...fault }),
    dawdle: (forMs, maxMs) => void (slow = { until: loop.now() + forMs, maxMs }),
    deafen: (proc, forMs) =>
      void spells.set(proc, { ...spells.get(proc), deaf: { since: loop.now(), until: loop.now() + forMs } }),
    silence: (proc, forMs) => void spells.set(proc, { ...spells.get(proc), silentUntil: loop.now() + forMs }),
    makeReadOnly: (forMs) => void (readOnlyUntil = loop.now() + forMs),
    promote: (behind) => {
      former = engine.fork();
      former.onCommit(tell(former));
      former.onWrites((written) => formerWrites.forEach((hear) => hear(written)));
      misled.clear();
      const standing = engine.committed().get('users')?.size;
      // A sign-up is on no device: without it the standby would have lost the person.
      const old = downFrom(behind)
        .map(engine.lagging)
        .find((state) => state.get('users')?.size === standing);
      engine.restore(old ?? engine.committed(), undefined, farAbove);
      reconnect(new Set([...listeners].map(({ proc }) => proc)));
    },
    hasFormer: () => former !== undefined,
    isMisled: (proc) => misled.has(proc),
    mislead: (proc, forMs) => {
      misleads(proc, forMs);
      reconnect([proc]);
    },
    misleadNext: (forMs) => void (misleadsNextForMs = forMs),
    onFormerWrites: (hear) => void formerWrites.push(hear),
    disarm: () => {
      const back = [...misled];
      misled.clear();
      misleadsNextForMs = undefined;
      reconnect(back);
      faults.splice(0);
      spells.clear();
      readOnlyUntil = 0;
    },
    removeJob: async (jobId) => {
      const tx = engine.begin(createProcess('operator'), 'write');
      try {
        await tx.hold(`jobs/${jobId}`);
        for (const table of ['interests', 'marks'])
          for (const row of tx.all(table).filter((each) => each['jobId'] === jobId)) {
            await tx.hold(`${table}/${String(row['id'])}`);
            tx.remove(table, String(row['id']));
          }
        tx.remove('jobs', jobId);
        engine.commit(tx);
      } catch (error) {
        engine.rollback(tx);
        throw error;
      }
    },
    backup: async () => void (kept = engine.committed()),
    restore: async () => {
      if (kept !== undefined) engine.restore(kept);
      return kept;
    },
    onKill: (hear) => void (kill = hear),
    onWrites: engine.onWrites,
    close: async () => {},
  };
}
