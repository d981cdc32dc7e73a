import type { KnownFiles } from '../../../shared/mutations/own-file.ts';
import type { ListenState } from '../../db/database.ts';
import { DatabaseRestored } from '../../db/notice-restore.ts';
import { createTimelineFence, TimelineEnded, type TimelineFence, type TimelineSeen } from '../../db/timeline-fence.ts';
import type { SyncStore, SyncTx } from '../../store/sync-store.ts';
import { memoryChanges } from './memory-changes.ts';
import { memoryCollections } from './memory-collections.ts';
import { sqlError, type MemoryEngine, type MemoryTx } from './memory-engine.ts';
import { memoryOutcomes } from './memory-outcomes.ts';
import { memoryRows } from './memory-rows.ts';
import type { Row } from './memory-tables.ts';

/** Where in a transaction a connection may be slow, or fail. */
export type TxStage = 'begin' | 'call' | 'called' | 'commit' | 'committed';

export interface MemoryStoreParts {
  engine: MemoryEngine;
  /** The database that this process's address leads to now, where that is another. */
  reached?(): MemoryEngine;
  /** Which timelines have ended, as far as this process has seen. */
  fence?: TimelineFence;
  /** The process whose connections these are. */
  owner?: object;
  /** Called at each moment of each transaction: what it throws is thrown there. */
  meet?(at: TxStage): Promise<void>;
  /** Calls `onCommit` when this process hears of a commit. */
  notify?(onCommit: () => void): void;
  hearing?(): ListenState | undefined;
  /** Throws where the database would turn down a row that is written. */
  mayHold?(row: Row): void;
  findFiles?(refs: readonly string[]): Promise<KnownFiles | undefined>;
}

/**
 * The store in memory: one process's connections to the engine. The same promises as in PostgreSQL
 * (store/sync-store.ts).
 */
export function createMemoryStore({
  engine,
  reached = () => engine,
  fence = createTimelineFence(),
  owner = {},
  meet = async () => {},
  notify = (onCommit) => onCommit(),
  hearing = () => ({ connection: 0, ageMs: 0 }),
  mayHold = () => {},
  findFiles = async () => undefined,
}: MemoryStoreParts): SyncStore {
  /** The calls of one transaction. After an error it is of no use until it is rolled back, as in PostgreSQL. */
  function createCalls(tx: MemoryTx, engine: MemoryEngine) {
    let isAborted = false;
    let before: Promise<unknown> = Promise.resolve();

    const asked = <T>(call: () => Promise<T> | T): Promise<T> =>
      always(() => {
        if (isAborted) throw sqlError('25P02', 'current transaction is aborted');
        return call();
      });

    /** Calls are carried out one after the other, in the order in which they were made. */
    function always<T>(call: () => Promise<T> | T): Promise<T> {
      const done = before.then(() => alone(call));
      before = done.catch(() => undefined);
      return done;
    }

    async function alone<T>(call: () => Promise<T> | T): Promise<T> {
      try {
        await meet('call');
        const answer = await call();
        await meet('called');
        return answer;
      } catch (error) {
        isAborted = true;
        throw error;
      }
    }

    const plain: Omit<SyncTx, 'savepoint'> = {
      ...memoryRows(tx, engine, mayHold),
      ...memoryOutcomes(tx),
      ...memoryChanges(tx),
      ...memoryCollections(tx),
      findFiles,
    };
    const calls = Object.fromEntries(
      Object.entries(plain).map(([name, call]) => [
        name,
        (...given: never[]) => asked(() => (call as (...args: never[]) => Promise<unknown>)(...given)),
      ]),
    ) as unknown as Omit<SyncTx, 'savepoint'>;

    return {
      isAborted: () => isAborted,
      /** Once all calls that were made are carried out. */
      settled: () => before,
      calls: {
        ...calls,
        savepoint: () =>
          asked(() => {
            const undo = tx.savepoint();
            return {
              rollback: () =>
                always(() => {
                  undo();
                  isAborted = false;
                }),
              release: () => asked(() => {}),
            };
          }),
      } satisfies SyncTx,
    };
  }

  async function within<T>(mode: 'write' | 'snapshot', work: (tx: SyncTx) => Promise<T>): Promise<T> {
    await meet('begin');
    const at = reached();
    fence.check(timelineSeenOf(at));
    const tx = at.begin(owner, mode);
    const { calls, isAborted, settled } = createCalls(tx, at);
    try {
      const done = await work(calls);
      await settled();
      await meet('commit');
      // PostgreSQL answers such a COMMIT without an error, and rolls back.
      if (isAborted()) at.rollback(tx);
      else at.commit(tx);
      await meet('committed');
      return done;
    } catch (error) {
      await settled();
      at.rollback(tx);
      throw error;
    }
  }

  const write: SyncStore['write'] = (work) => within('write', work);
  const single = new Proxy({} as SyncTx, {
    get:
      (_none, name) =>
      (...given: never[]) =>
        write((tx) => (tx[name as keyof SyncTx] as (...args: never[]) => Promise<unknown>)(...given)),
  });

  return {
    write,
    snapshot: (work) => within('snapshot', work),
    single,
    listen: async (onCommit) => {
      let isListening = true;
      const stop = engine.onCommit(() => notify(() => isListening && onCommit()));
      return async () => {
        isListening = false;
        stop();
      };
    },
    hearing,
    noticeRestore: async (log, seen) => {
      const at = reached();
      fence.check(timelineSeenOf(at));
      if (seen?.timeline !== at.timeline() || at.head() >= Number(seen.head)) return false;
      at.restore(at.committed(), seen.known);
      log.warn('the database was restored: every device begins anew');
      return true;
    },
    noticeLater: async (log, later, timeline) => {
      const at = reached();
      if (at.timeline() !== timeline || at.head() >= Number(later.head)) throw new DatabaseRestored();
      at.supersede(Number(later.head));
      log.error({ timeline, later }, 'this database is an earlier one: a later timeline has begun elsewhere');
      fence.check({ timeline: later.timeline, ended: [timeline] });
      throw new TimelineEnded();
    },
    noticeTimeline: (seen) => fence.check(seen),
  };
}

/** What a new connection reads (db/admit-connection.ts). */
function timelineSeenOf(engine: MemoryEngine): TimelineSeen {
  const meta = engine.committed().get('sync_meta')?.get('only');
  const before = [...(engine.committed().get('sync_timeline')?.values() ?? [])];
  return {
    timeline: engine.timeline(),
    ended: before.map(({ previous }) => String(previous)),
    isSuperseded: (meta?.['later_version'] ?? null) !== null,
  };
}
