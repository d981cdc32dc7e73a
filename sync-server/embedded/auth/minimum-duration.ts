import { setTimeout as wait } from 'node:timers/promises';

/** Does the work, and answers no sooner than `ms`, whether there was work or not. */
export async function withMinimumDuration(ms: number, work: () => Promise<void>): Promise<void> {
  const [done] = await Promise.allSettled([work(), wait(ms)]);
  if (done.status === 'rejected') throw done.reason;
}
