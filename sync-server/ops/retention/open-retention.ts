import { hour, minute } from '../../../shared/lib/durations.ts';
import { runRetention, type RetentionParts } from './run-retention.ts';

const every = 6 * hour;
/** Not while people wait for a server that has just started. */
const first = 5 * minute;

/**
 * Runs the retention four times a day until the server stops. Before the database is closed, `close` lets a run finish.
 */
export function openRetention(parts: RetentionParts): { close(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = runRetention(parts, { dryRun: false }).catch((error: unknown) =>
      parts.log.error({ err: error }, 'retention did not run'),
    );
  };
  const start = setTimeout(run, first).unref();
  const timer = setInterval(run, every).unref();
  return {
    async close() {
      clearTimeout(start);
      clearInterval(timer);
      await running;
    },
  };
}
