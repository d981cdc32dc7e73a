import { expect, test } from 'vitest';
import { whenIdle, type IdlePage } from './when-idle.ts';

/** A page whose loading, time and idleness come when the test says so. */
function openPage(readyState: DocumentReadyState, canIdle = true) {
  const due = new Map<string, () => void>();
  const page: IdlePage = {
    document: { readyState },
    addEventListener: (type, listener) => void due.set(type, listener),
    ...(canIdle ? { requestIdleCallback: (callback: () => void) => due.set('idle', callback) } : {}),
  };
  const clock = { setTimer: (_ms: number, fire: () => void) => (due.set('timer', fire), () => undefined) };
  let isQuiet = false;
  void whenIdle(page, clock).then(() => (isQuiet = true));
  return {
    isQuiet: () => isQuiet,
    waitsFor: () => [...due.keys()],
    come: async (what: string) => {
      due.get(what)?.();
      due.delete(what);
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
  };
}

test('a page is quiet once it is loaded, has had its time, and idles, in this order', async () => {
  const page = openPage('interactive');
  for (const next of ['load', 'timer', 'idle']) {
    expect([page.waitsFor(), page.isQuiet()]).toEqual([[next], false]);
    await page.come(next);
  }
  expect(page.isQuiet()).toBe(true);
});

test('a page that was loaded already, in a browser that says nothing of idling, has its time and no more', async () => {
  const page = openPage('complete', false);
  expect(page.waitsFor()).toEqual(['timer']);
  await page.come('timer');
  expect(page.isQuiet()).toBe(true);
});
