import { minute } from '../../shared/lib/durations.ts';
import type { CancelTimer, Clock } from '../db/clock.ts';
import { errorName } from '../db/storage-errors.ts';
import { backoffMs } from '../sync/backoff.ts';

export interface UploadQueue {
  /** Sends what waits, now. */
  wake(): void;
  /** The engine's half: its `UploadQueuePort`. */
  onDecided(): void;
  afterExchange(): void;
  /** Resolves when nothing is under way; what waits for its next try does not count. Never rejects. */
  settled(): Promise<void>;
  stop(): void;
}

/** One go through what waits. */
export interface Round {
  isStopping(): boolean;
  /** One upload; given up on after two minutes, and when the queue stops. */
  inTime<T>(upload: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface UploadQueuePorts {
  clock: Clock;
  random: { next(): number };
  log(event: string, detail: string): void;
}

const uploadTimeoutMs = 2 * minute;

/**
 * One round at a time: again at once where it was woken meanwhile, after a back-off where `run` says that no answer
 * came. `event` names the queue in the device's log.
 */
export function createUploadQueue(
  { clock, random, log }: UploadQueuePorts,
  event: string,
  run: (round: Round) => Promise<boolean>,
): UploadQueue {
  const stopping = new AbortController();
  const round: Round = { isStopping: () => stopping.signal.aborted, inTime };
  let running: Promise<void> | undefined;
  let isWanted = false;
  let failures = 0;
  let cancelRetry: CancelTimer = () => undefined;

  function wake(): void {
    isWanted = true;
    if (running !== undefined || stopping.signal.aborted) return;
    isWanted = false;
    cancelRetry();
    running = run(round)
      .then(
        (isAnswered) => void (failures = isAnswered ? 0 : failures + 1),
        (error: unknown) => {
          // The device's storage could not be read: the next exchange, or the timer, tries again.
          failures += 1;
          log(event, errorName(error));
        },
      )
      .finally(() => {
        running = undefined;
        if (stopping.signal.aborted) return;
        if (isWanted) wake();
        else if (failures > 0) cancelRetry = clock.setTimer(backoffMs(failures, random.next()), wake);
      });
  }

  async function inTime<T>(upload: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    // One that began with the queue's end would go on for two minutes, and so would a log-out.
    if (stopping.signal.aborted) abort();
    stopping.signal.addEventListener('abort', abort);
    const cancel = clock.setTimer(uploadTimeoutMs, abort);
    try {
      return await upload(attempt.signal);
    } finally {
      cancel();
      stopping.signal.removeEventListener('abort', abort);
    }
  }

  return {
    wake,
    onDecided: wake,
    afterExchange: wake,
    settled: async () => {
      while (running !== undefined) await running;
    },
    stop: () => {
      stopping.abort();
      cancelRetry();
    },
  };
}
