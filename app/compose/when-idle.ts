import type { Clock } from '../db/clock.ts';

/** The part of `window` that this needs; Safari has no `requestIdleCallback` before 26. */
export interface IdlePage {
  readonly document: Pick<Document, 'readyState'>;
  addEventListener(type: 'load', listener: () => void, options: { once: true }): void;
  requestIdleCallback?(callback: () => void, options: { timeout: number }): unknown;
}

/** By then the first screen and its data are through. */
const quietAfterMs = 3_000;

/**
 * Resolves when the page has had time to show itself and its thread is idle: from then on work that no screen waits for
 * may run.
 */
export async function whenIdle(page: IdlePage, clock: Pick<Clock, 'setTimer'>): Promise<void> {
  if (page.document.readyState !== 'complete')
    await new Promise<void>((resolve) => page.addEventListener('load', resolve, { once: true }));
  await new Promise<void>((resolve) => void clock.setTimer(quietAfterMs, resolve));
  // The work is not put off for ever: a page that is never idle is still to start without signal one day.
  await new Promise<void>(
    (resolve) => void (page.requestIdleCallback?.(resolve, { timeout: quietAfterMs }) ?? resolve()),
  );
}
