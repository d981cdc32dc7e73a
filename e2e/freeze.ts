import type { Page } from '@playwright/test';
import type { Tab } from './engines/tab.ts';
import { engineOfRun } from './open-phone.ts';

/**
 * Stops everything in this tab, as a phone does with a tab in the background: no timer, no answer, no message from
 * another tab arrives until it is thawed. By the debugger, because a browser without a window does not freeze for
 * `Page.setWebLifecycleState`.
 */
async function freeze(page: Page): Promise<() => Promise<void>> {
  const debug = await page.context().newCDPSession(page);
  await debug.send('Debugger.enable');
  const paused = new Promise((resolve) => debug.once('Debugger.paused', resolve));
  const stopped = page.evaluate('debugger');
  await paused;
  return async () => {
    await debug.send('Debugger.resume');
    await stopped;
    await debug.detach();
  };
}

/**
 * Freezes a tab while none of its transactions is open, as a browser does: a page that holds one is not frozen.
 * `other`, a tab of the same browser, tries the person's database and the device's; while it finds one held, the tab is
 * thawed and frozen again. Chromium alone can be told to: in Firefox and WebKit the tab stays awake.
 */
export async function freezeBetweenTransactions(page: Tab, other: Tab): Promise<() => Promise<void>> {
  if (engineOfRun() !== 'chromium') return () => Promise.resolve();
  for (;;) {
    const thaw = await freeze(page as Page);
    if (await canWrite(other)) return thaw;
    await thaw();
  }
}

/** Whether a transaction over all tables of each database completes, within 3 s. */
function canWrite(page: Tab): Promise<boolean> {
  return page.evaluate(async () => {
    const open = (name: string) =>
      new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'));
      });
    const isFree = async (name: string) => {
      const db = await open(name);
      try {
        const stores = [...db.objectStoreNames];
        if (stores.length === 0) return true;
        const transaction = db.transaction(stores, 'readwrite');
        for (const store of stores) transaction.objectStore(store).count();
        return await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => transaction.abort(), 3_000);
          transaction.oncomplete = () => {
            clearTimeout(timer);
            resolve(true);
          };
          transaction.onabort = () => resolve(false);
        });
      } finally {
        db.close();
      }
    };
    const names = (await indexedDB.databases()).map(({ name = '' }) => name);
    return (await Promise.all(names.map(isFree))).every(Boolean);
  });
}
