import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import type { CancelTimer } from '../db/clock.ts';
import type { RejectedEntry } from '../db/person-db.ts';
import { connectDb } from '../db/connection.ts';
import { isQuotaExceeded } from '../db/storage-errors.ts';
import { change, createCell, type Watched } from '../lib/cell.ts';
import { backoffMs } from './backoff.ts';
import { createEngine } from './engine.ts';
import { createLeader } from './leader.ts';
import { createLog } from './log.ts';
import { mutate, type CompanionWrites } from './mutate.ts';
import { cancel, discard, retryRejected, unsentOf, type Cancelled, type Unsent } from './outbox.ts';
import type { SyncPorts, WakeReason } from './ports.ts';
import { relieveStorage } from './relieve-storage.ts';
import { initialStatus, type Reach, type SyncStatus } from './status.ts';
import type { Phase } from './state.ts';
import { waitFor, type Decision } from './wait-for.ts';
import { watchDisk } from './watch-disk.ts';
import { watchEviction } from './watch-eviction.ts';

export interface Sync {
  /** See `mutate.ts`: resolves when it is safe to say "Saved on this phone". */
  mutate<Name extends MutationName>(
    name: Name,
    args: ArgsOf<Name>,
    companions?: CompanionWrites,
  ): Promise<{ uid: string }>;
  /** Opens the database, queues for leadership, and syncs from then on. Does not wait for any of it: see `status`. */
  start(): void;
  /** Resolves when every part has stopped. */
  stop(): Promise<void>;
  wakeUp(reason: WakeReason): void;
  /** The person's tap: syncs now, and forgets the back-off. */
  sendNow(): void;
  status: Watched<SyncStatus>;
  dismissEviction(): void;
  waitFor(uid: string, ms: number): Promise<Decision>;
  cancel(uid: string): Promise<Cancelled>;
  /** Sends a rejected one again, unchanged; undefined where it is not there any more. */
  retryRejected(uid: string): Promise<{ uid: string } | undefined>;
  /** A rejected one, to open in its form again; then `mutate(…, { dropRejected: uid })`. */
  findRejected(uid: string): Promise<RejectedEntry | undefined>;
  discard(uid: string): Promise<void>;
  unsent(): Promise<Unsent>;
  /**
   * For a service worker's `sync` event (C9): leads if no tab does, sends what waits, and resolves with how many still
   * wait. Starts and stops the engine; at most `ms` milliseconds, and until `signal` aborts.
   */
  drain(ms: number, signal?: AbortSignal): Promise<number>;
}

/** From `start` to `stop`, also while the database does not open yet. */
interface Running {
  end(): void;
  cancelOpening?: CancelTimer;
}

interface State {
  running?: Running;
  /** While this tab leads. */
  leading?: { end(): void };
  hasAskedToPersist: boolean;
  /** The device's mark is written, and the data that it is for is still here. */
  isMarked: boolean;
}

/** The sync engine of one person on one device, or in one tab of it. Engines share nothing but their ports. */
export function createSync(ports: SyncPorts): Sync {
  const { db, clock, channel } = ports;
  const emit = (event: Parameters<NonNullable<SyncPorts['onEvent']>>[0]) => ports.onEvent?.(event);
  /** Reports an event without the log on the device. */
  const say = (event: string, detail: string) => emit({ kind: 'log', event, detail });
  const log = createLog(db, clock, say, (error) => say('log-lost', String(error)));
  const status = createCell<SyncStatus>(initialStatus);
  const setStatus = (changes: Partial<SyncStatus>) => change(status, changes);
  const atRest = new Set<() => void>();
  const state: State = { hasAskedToPersist: false, isMarked: false };

  const eviction = watchEviction(ports, {
    isRunning: () => state.running !== undefined,
    wasHere: () => status.current().evictions > 0 || status.current().lastSynced !== null,
    onCleared: (isOpen) => {
      log.add('storage-cleared');
      state.isMarked = false;
      setStatus({ evictions: status.current().evictions + 1, lastSynced: null });
      if (isOpen) wakeUp('tap');
    },
    onUnread: (error) => log.add('storage-unread', String(error)),
  });

  const engine = createEngine(ports, {
    log,
    status,
    setStatus,
    onDeposed: () => leader.stepDown(),
    onRest: () => atRest.forEach((hear) => hear()),
    onTick: () => void relieve(),
    checkDevice: eviction.checkAfterLoss,
  });

  const leader = createLeader({
    ...ports,
    log,
    onElected: (epoch) => {
      const pokes = new AbortController();
      const stopTelling = status.subscribe(tellOthers);
      state.leading = {
        end: () => {
          pokes.abort();
          stopTelling();
        },
      };
      ports.pokes?.(() => engine.wake('poke'), pokes.signal, engine.take);
      engine.lead(epoch);
      setStatus({ isLeader: true });
    },
    onDeposed: () => {
      state.leading?.end();
      delete state.leading;
      engine.halt();
      setStatus({ isLeader: false });
    },
    onBlocked: sayBlocked,
  });

  const tellOthers = () => {
    const { phase, reach, isStorageFull } = status.current();
    channel.post({ kind: 'status', phase, reach, isStorageFull });
  };

  function hearFromOthers(): () => void {
    return channel.listen((message) => {
      if (message.kind === 'wake') engine.wake(message.reason);
      if (message.kind === 'status' && !status.current().isLeader) {
        setStatus({
          phase: message.phase as Phase,
          reach: message.reach as Reach,
          isStorageFull: message.isStorageFull ?? false,
        });
        void readLastSynced();
      }
    });
  }

  async function readLastSynced(): Promise<void> {
    try {
      const lastSynced = (await db.meta.get('lastSynced'))?.value;
      if (typeof lastSynced === 'string') setStatus({ lastSynced });
    } catch (error) {
      log.add('storage-unread', String(error));
    }
  }

  async function open(running: Running, attempt: number): Promise<void> {
    try {
      await connectDb(db, clock, {
        onReplaced: () => {
          setStatus({ isReplaced: true });
          emit({ kind: 'replaced' });
          void stop();
        },
        onBlocked: () => {
          setStatus({ isOpenBlocked: true });
          emit({ kind: 'open-blocked' });
        },
      });
      await eviction.checkAtStart((await ports.deviceMark?.read()) ?? false);
      setStatus({ isOpenBlocked: false });
      await readLastSynced();
      if (state.running === running) leader.start();
    } catch (error) {
      sayBlocked(error);
      if (state.running !== running) return;
      const again = () => void open(running, attempt + 1);
      running.cancelOpening = clock.setTimer(backoffMs(attempt, ports.random.next()), again);
    }
  }

  /** Unreadable is not empty, nor is a full phone an idle one (C4): report it, and go on trying. */
  function sayBlocked(error: unknown): void {
    setStatus({ phase: 'storage-blocked', isStorageFull: isQuotaExceeded(error) });
    say('storage-blocked', String(error));
  }

  async function relieve(): Promise<void> {
    if (ports.storage === undefined) return;
    try {
      const relief = await relieveStorage(db, ports.storage);
      if (relief !== 'roomy') log.add('storage', relief);
      if (relief === 'tight') emit({ kind: 'storage-tight' });
    } catch (error) {
      log.add('storage-unknown', String(error));
    }
  }

  /** Asks after the first queued write (C11): the browser may say no, and then the data is no less safe than before. */
  function askToPersist(): void {
    if (state.hasAskedToPersist || ports.storage === undefined) return;
    state.hasAskedToPersist = true;
    ports.storage.persist().then(
      (isKept) => log.add('persist', String(isKept)),
      (error: unknown) => log.add('persist-failed', String(error)),
    );
  }

  function wakeUp(reason: WakeReason): void {
    engine.wake(reason);
    // Each tab is told of that by its own browser window; a leader of an earlier version does not know the word.
    if (reason !== 'offline' && !status.current().isLeader) channel.post({ kind: 'wake', reason });
  }

  function start(): void {
    if (state.running !== undefined) return;
    const stopWatching = watchDisk(clock, db.underWay, (isDiskSilent) => {
      setStatus({ isDiskSilent });
      // The log on the device is left out: that write would wait as well.
      say(isDiskSilent ? 'storage-silent' : 'storage-answers', '');
    });
    const stopListening = hearFromOthers();
    const running: Running = {
      end: () => {
        running.cancelOpening?.();
        stopListening();
        stopWatching();
      },
    };
    state.running = running;
    void open(running, 1);
  }

  async function stop(): Promise<void> {
    state.running?.end();
    delete state.running;
    leader.stop();
    engine.halt();
    await log.flush();
  }

  /** The install marker outlives the database; written once there is data to miss, and again where it was cleared. */
  status.subscribe(() => {
    if (state.isMarked || status.current().lastSynced === null || ports.deviceMark === undefined) return;
    state.isMarked = true;
    ports.deviceMark.write().catch((error: unknown) => log.add('mark-failed', String(error)));
  });

  async function enqueue<T extends { uid: string } | undefined>(work: Promise<T>): Promise<T> {
    const queued = await work;
    if (queued !== undefined) {
      askToPersist();
      wakeUp('enqueue');
    }
    return queued;
  }

  return {
    start,
    stop,
    wakeUp,
    status,
    sendNow: () => wakeUp('tap'),
    dismissEviction: () => setStatus({ evictions: 0 }),
    mutate: (name, args, companions) =>
      enqueue(mutate({ ...ports, goesNext: engine.goesNext }, name, args, companions)),
    retryRejected: (uid) => enqueue(retryRejected(ports, uid)),
    waitFor: (uid, ms) => waitFor(db, clock, uid, ms),
    cancel: (uid) => cancel(ports, uid),
    findRejected: (uid) => db.refused.get(uid),
    discard: (uid) => discard(db, uid),
    unsent: () => unsentOf(db),
    drain: (ms, signal) =>
      new Promise((resolve, reject) => {
        const end = () => {
          atRest.delete(end);
          signal?.removeEventListener('abort', end);
          stopHearing();
          cancelTimer();
          stop()
            .then(() => db.outbox.count())
            .then(resolve, reject);
        };
        const cancelTimer = clock.setTimer(ms, end);
        signal?.addEventListener('abort', end);
        // The tab that leads has sent it: a worker that stays in the queue for the lock would only delay a new version
        // of itself.
        const stopHearing = channel.listen((message) => {
          if (message.kind !== 'status') return;
          db.outbox.count().then(
            (left) => left === 0 && atRest.has(end) && end(),
            // What cannot be read now is read, or reported, at the end.
            () => undefined,
          );
        });
        atRest.add(end);
        start();
        // A tab that leads and was only asleep may do it before the lock comes to this one.
        channel.post({ kind: 'wake', reason: 'sync' });
      }),
  };
}
