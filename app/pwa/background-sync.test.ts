import { expect, test } from 'vitest';
import { setAppBadge } from './app-badge.ts';
import { askForBackgroundSync, syncTag } from './background-sync.ts';

const container = (registration: unknown) => ({
  getRegistration: async () => registration as ServiceWorkerRegistration,
});

test('asks to be woken where the browser can do that, and says where it cannot', async () => {
  const tags: string[] = [];
  expect(
    await askForBackgroundSync(container({ sync: { register: async (tag: string) => void tags.push(tag) } })),
  ).toBe(true);
  expect(tags).toEqual([syncTag]);
  expect(await askForBackgroundSync(container({}))).toBe(false);
  expect(await askForBackgroundSync(container({ sync: { register: () => Promise.reject(new Error('denied')) } }))).toBe(
    false,
  );
  expect(await askForBackgroundSync(undefined)).toBe(false);
});

test('the badge shows what needs the person and goes when nothing does [§offline]', async () => {
  const told: (number | 'clear' | undefined)[] = [];
  const navigator = {
    setAppBadge: async (count?: number) => void told.push(count),
    clearAppBadge: async () => void told.push('clear'),
  };
  await setAppBadge(navigator, 2);
  await setAppBadge(navigator, 0);
  await setAppBadge({}, 3);
  expect(told).toEqual([2, 'clear']);
});
