import type { Clock } from './clock.ts';

/** The result of `work`, or `otherwise` where it takes longer. What it does later still happens. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>, otherwise: T): Promise<T> {
  let cancel = () => undefined as void;
  const timeout = new Promise<T>((resolve) => {
    cancel = clock.setTimer(ms, () => resolve(otherwise));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    cancel();
  }
}
