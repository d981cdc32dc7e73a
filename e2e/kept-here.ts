import { expect } from '@playwright/test';
import type { Tab } from './engines/tab.ts';

/** The pages that are kept on this device as they were left. */
export const keptHere = (page: Pick<Tab, 'evaluate'>): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('dwang-device');
        opening.addEventListener('error', () => reject(new Error('not opened')));
        opening.addEventListener('success', () => {
          const asking = opening.result.transaction('entries').objectStore('entries').getAllKeys();
          asking.addEventListener('success', () => {
            opening.result.close();
            resolve(asking.result.map(String).filter((key) => key.startsWith('screen:')));
          });
        });
      }),
  );

/** Opens Find Jobs until the worker has found it in time, as it was left: it waits for no slow disk. */
export async function goToAsLeft(open: () => Promise<unknown>, page: Pick<Tab, 'locator'>): Promise<void> {
  await expect(async () => {
    await open();
    expect(await page.locator('script[data-entry]').count()).toBe(1);
  }).toPass();
}

/** Find Jobs is kept once it has been still for some seconds. */
export async function untilKept(page: Pick<Tab, 'evaluate'>): Promise<void> {
  await expect.poll(() => keptHere(page)).toEqual(['screen:/find-jobs']);
}
