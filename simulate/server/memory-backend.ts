import type { Backend, DatabaseFault } from '../world/backend.ts';
import type { SeededRandom } from '../../shared/testing/random-source.ts';
import type { Counters } from '../world/counters.ts';
import { newLife, type Life, type Loop } from '../time/loop.ts';
import { memoryDatabase, type Strike, type UnknownStatement } from './memory-database.ts';
import { createMemoryStore, type VersionRule } from './memory-store.ts';
import type { Committed } from './memory-tables.ts';

export interface MemoryBackendParts {
  loop: Loop;
  clock: () => Date;
  chance: SeededRandom;
  counters: Counters;
  versionRule?: VersionRule;
}

const timelineOf = (chance: SeededRandom) => `lineage-${chance.below(1_000_000_000)}`;

/** The fast double of PostgreSQL: every process of the server overlaps with the others, statement by statement, as the seed has it. */
export function createMemoryBackend({ loop, clock, chance, counters, versionRule }: MemoryBackendParts): Backend {
  const spells = new Map<Life, { deaf?: { since: number; until: number }; silentUntil?: number }>();
  let readOnlyUntil = 0;
  const store = createMemoryStore(loop, clock, versionRule, () => loop.now() < readOnlyUntil);
  const faults: DatabaseFault[] = [];
  let kept: Committed | undefined;
  let unknown: UnknownStatement | undefined;
  let kill: (life: Life) => boolean = () => false;
  let slow = { until: 0, maxMs: 0 };
  const tripMs = () =>
    loop.now() < slow.until && chance.below(5) === 0 ? chance.below(slow.maxMs) : chance.below(4) / 4;

  const deafSince = (life: Life) => {
    const deaf = spells.get(life)?.deaf;
    return deaf !== undefined && loop.now() < deaf.until ? deaf.since : undefined;
  };
  const isSilent = (life: Life) => loop.now() < (spells.get(life)?.silentUntil ?? 0);

  const begin = store.begin(newLife('migration'), 'write');
  begin.put('sync_meta', 'only', { lineage: timelineOf(chance), tombstone_floor: 0 });
  store.commit(begin);

  const strike: Strike = (life, at) => {
    const index = faults.findIndex((fault) => fault.at === at);
    const fault = faults[index];
    if (fault === undefined) return undefined;
    if (fault.after > 0) {
      fault.after -= 1;
      return undefined;
    }
    faults.splice(index, 1);
    if (fault.code === 'kill') {
      if (!kill(life)) return undefined;
      counters.count(`fault: server killed at a ${at === 'committed' ? 'commit that counted' : at}`);
      return 'killed';
    }
    counters.count(`fault: database ${fault.code} at ${fault.at}`);
    return Object.assign(new Error('said by the simulator'), { code: fault.code });
  };

  return {
    databaseFor: (life) =>
      memoryDatabase(
        {
          loop,
          store,
          strike,
          onUnknown: (error) => void (unknown ??= error),
          tripMs,
          noticeMs: () => 1 + chance.below(40),
          deafSince,
          isSilent,
        },
        life,
      ),
    forget: store.forget,
    committed: store.committed,
    at: store.at,
    head: store.head,
    timeline: () => String(store.committed().get('sync_meta')?.get('only')?.['lineage']),
    arm: (fault) => void faults.push({ ...fault }),
    dawdle: (forMs, maxMs) => void (slow = { until: loop.now() + forMs, maxMs }),
    deafen: (life, forMs) =>
      void spells.set(life, { ...spells.get(life), deaf: { since: loop.now(), until: loop.now() + forMs } }),
    silence: (life, forMs) => void spells.set(life, { ...spells.get(life), silentUntil: loop.now() + forMs }),
    makeReadOnly: (forMs) => void (readOnlyUntil = loop.now() + forMs),
    disarm: () => {
      faults.splice(0);
      spells.clear();
      readOnlyUntil = 0;
    },
    removeJob: async (jobId) => {
      const tx = store.begin(newLife('operator'), 'write');
      try {
        await tx.hold(`jobs/${jobId}`);
        for (const interest of tx.all('interests').filter((row) => row['jobId'] === jobId)) {
          await tx.hold(`interests/${String(interest['id'])}`);
          tx.remove('interests', String(interest['id']));
        }
        tx.remove('jobs', jobId);
        store.commit(tx);
      } catch (error) {
        store.rollback(tx);
        throw error;
      }
    },
    backup: async () => void (kept = store.committed()),
    restore: async () => {
      if (kept !== undefined) store.restore(kept, timelineOf(chance));
      return kept;
    },
    onKill: (hear) => void (kill = hear),
    onWrites: store.onWrites,
    fault: () => unknown,
    close: async () => {},
  };
}
