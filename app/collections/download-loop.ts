import { minute } from '../../shared/lib/durations.ts';
import type { CancelTimer, Clock } from '../db/clock.ts';
import { downloadSegments, type DownloadPorts } from './download-segments.ts';

const firstRetryMs = 2_000;
const maxRetryMs = minute;

interface DownloadLoop {
  /** Downloads what is missing, after a download that runs. Harmless at any time. */
  resume(): void;
  /** Resolves when no download is running; one that waits for its next try does not count. */
  settled(): Promise<void>;
}

/** One download after the other, and again after a wait where one broke off; until `stopped`. */
export function createDownloadLoop(
  ports: DownloadPorts & {
    clock: Clock;
    /** A number between 0 and 1, for the back-off. */
    chance(): number;
  },
  stopped: AbortSignal,
): DownloadLoop {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let failures = 0;
  let cancelRetry: CancelTimer = () => undefined;
  stopped.addEventListener('abort', () => cancelRetry());

  function resume(): void {
    isWanted = true;
    if (running !== undefined || stopped.aborted) return;
    cancelRetry();
    running = run().finally(() => {
      running = undefined;
    });
  }

  async function run(): Promise<void> {
    while (isWanted && !stopped.aborted) {
      isWanted = false;
      let hasBrought = false;
      const onDownloaded: typeof ports.onDownloaded = (...segment) => {
        hasBrought = true;
        ports.onDownloaded?.(...segment);
      };
      let isWhole = false;
      try {
        isWhole = await downloadSegments({ ...ports, onDownloaded }, stopped);
      } catch (error) {
        if (stopped.aborted) return;
        ports.log('shelf-download', error instanceof Error ? error.message : String(error));
      }
      // Where a line breaks now and then each attempt brings something, and the next is worth making soon.
      if (isWhole) failures = 0;
      else failures = hasBrought ? 1 : failures + 1;
    }
    if (failures > 0 && !stopped.aborted) {
      const longest = Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1));
      cancelRetry = ports.clock.setTimer(longest * (0.5 + ports.chance() / 2), resume);
    }
  }

  return {
    resume,
    settled: async () => {
      while (running !== undefined) await running;
    },
  };
}
