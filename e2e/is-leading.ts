import type { Tab } from './engines/tab.ts';

/** Does this tab hold the leader's lock? */
export function isLeading(page: Tab): Promise<boolean> {
  return page.evaluate(() => {
    const mark = `who-am-i-${crypto.randomUUID()}`;
    return navigator.locks.request(mark, async () => {
      const { held = [] } = await navigator.locks.query();
      const me = held.find(({ name }) => name === mark)?.clientId;
      return held.some(({ name, clientId }) => name?.startsWith('dwang-sync-') === true && clientId === me);
    });
  });
}
