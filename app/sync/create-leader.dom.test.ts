import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDeferred } from '../testing/deferred.ts';
import { openLeaderHarness, type LeaderHarness } from '../testing/leader-harness.ts';
import type { LocksPort } from './ports.ts';

let harness: LeaderHarness;
let { db, clock, locks, otherTab, openTab, rest, pass, leadership, asks, pending } = {} as LeaderHarness;
beforeEach(() => {
  harness = openLeaderHarness();
  ({ db, clock, locks, otherTab, openTab, rest, pass, leadership, asks, pending } = harness);
});
afterEach(() => harness.close());

describe('a leader', () => {
  test('writes a heartbeat every 3 s while another tab waits for its lock, and none otherwise', async () => {
    openTab();
    await rest();
    // A waiter for another lock does not count.
    for (let times = 0; times < 2; times += 1)
      void locks.request('another lock', {}, () => new Promise(() => undefined));
    await pass(3_000, 3_000);
    expect(await leadership()).toEqual({ epoch: 1, beat: 0 });
    openTab({ isVisible: false });
    await rest();
    await pass(2_999);
    expect(await leadership()).toEqual({ epoch: 1, beat: 0 });
    await pass(1);
    expect(await leadership()).toEqual({ epoch: 1, beat: 1 });
    await pass(3_000);
    expect(await leadership()).toEqual({ epoch: 1, beat: 2 });
  });

  test('that finds another epoch on the disk at its next heartbeat releases the lock, and does not overwrite it', async () => {
    const [first, second] = [openTab(), openTab()];
    await rest();
    await db.meta.put({ key: 'leader', value: { epoch: 7, beat: 3 } });
    await pass(3_000);
    expect([first.log, first.events, second.events]).toEqual([
      ['leading 1', 'deposed 1'],
      ['leads 1', 'led'],
      ['leads 8'],
    ]);
    // It waits in the queue again, and writes nothing more.
    await pass(100, 3_000);
    expect([await pending(), await leadership()]).toEqual([1, { epoch: 8, beat: 1 }]);
    first.stop();
    await rest();
    expect(await pending()).toBe(0);
  });

  test('[C4] that finds no epoch, because the device was cleared, releases the lock as well', async () => {
    const [first, second] = [openTab(), openTab()];
    await rest();
    await db.meta.clear();
    await pass(3_000);
    expect([first.log, first.events, second.events]).toEqual([
      ['leading 1', 'deposed 1'],
      ['leads 1', 'led'],
      ['leads 1'],
    ]);
  });

  test('whose heartbeat fails logs it, and continues', async () => {
    let fails = true;
    const of: LocksPort = {
      request: locks.request,
      query: async () => (fails ? Promise.reject(new TypeError('no')) : {}),
    };
    const tab = openTab({ of });
    await rest();
    await pass(3_000);
    expect(tab.log).toEqual(['leading 1', 'heartbeat-failed TypeError: no']);
    fails = false;
    // A browser whose query() lists no pending requests.
    await pass(3_000, 3_000);
    expect([tab.log.length, tab.events]).toEqual([2, ['leads 1']]);
  });

  test('releases the lock when asked while hidden; not while visible, nor for another message', async () => {
    const tab = openTab();
    await rest();
    otherTab.post({ kind: 'may-i-lead' });
    tab.isVisible = false;
    otherTab.post({ kind: 'wake', reason: 'tap' });
    tab.isVisible = true;
    await rest();
    expect(tab.events).toEqual(['leads 1']);
    tab.isVisible = false;
    otherTab.post({ kind: 'wake', reason: 'tap' });
    await rest();
    expect(tab.events).toEqual(['leads 1']);
    otherTab.post({ kind: 'may-i-lead' });
    await rest();
    expect(tab.events).toEqual(['leads 1', 'led']);
    // The tab does not ask again at once: the tab that asked goes first.
    await pass(99);
    expect(tab.events).toHaveLength(2);
    await pass(1);
    expect(tab.events).toEqual(['leads 1', 'led', 'leads 2']);
  });

  test('that steps down queues again behind the tab that waits; stopped, it ignores messages and does nothing more', async () => {
    const [first, second] = [openTab(), openTab({ isVisible: false })];
    await rest();
    first.stepDown();
    await rest();
    await pass(100);
    expect([first.events, second.events, await pending()]).toEqual([['leads 1', 'led'], ['leads 2'], 1]);
    second.stop();
    await pass(100);
    expect([first.events.at(-1), second.events, await pending()]).toEqual(['leads 3', ['leads 2', 'led'], 0]);
    first.stop();
    await rest();
    expect(clock.next()).toBeUndefined();
    first.isVisible = false;
    otherTab.post({ kind: 'may-i-lead' });
    await pass(60_000);
    expect([first.events.at(-1), await leadership()]).toEqual(['led', { epoch: 3, beat: 0 }]);
  });

  test('started twice leads once', async () => {
    const tab = openTab();
    tab.start();
    await pass(100);
    expect([tab.events, await pending()]).toEqual([['leads 1'], 0]);
  });

  test('stopped while it waits in the queue leaves the queue', async () => {
    openTab();
    const second = openTab();
    await rest();
    expect(await pending()).toBe(1);
    second.stop();
    await rest();
    expect([await pending(), second.log, second.events]).toEqual([0, [], []]);
    await pass(20_000);
    expect(asks()).toBe(0);
  });
});

describe('storage that does not let it lead', () => {
  const failClaims = (times: number) => {
    const put = db.meta.put.bind(db.meta);
    let left = times;
    Object.assign(db.meta, {
      put: (...given: Parameters<typeof put>) =>
        (left -= 1) >= 0 ? Promise.reject(new RangeError('no')) : put(...given),
    });
  };

  test('is reported each time, and retried after 1 s, 2 s, 4 s, 8 s and then every 10 s; leading resets the wait', async () => {
    failClaims(6);
    const tab = openTab();
    await rest();
    let times = 1;
    for (const wait of [1_000, 2_000, 4_000, 8_000, 10_000]) {
      expect(tab.events.filter((line) => line.startsWith('blocked'))).toHaveLength(times);
      await pass(wait - 1);
      expect(tab.events.filter((line) => line.startsWith('blocked'))).toHaveLength(times);
      await pass(1);
      times += 1;
    }
    expect(tab.events.filter((line) => line.startsWith('blocked'))).toHaveLength(6);
    expect(tab.events.at(0)).toMatch(/^blocked RangeError/);
    await pass(10_000);
    expect(tab.events.at(-1)).toBe('leads 1');
    tab.stepDown();
    await rest();
    await pass(100);
    expect(tab.events.slice(-2)).toEqual(['led', 'leads 2']);
  });

  test('is not reported by a tab that was stopped meanwhile', async () => {
    const claimed = createDeferred<void>();
    const transaction = db.transaction.bind(db);
    Object.assign(db, { transaction: async () => (await claimed.promise, Promise.reject(new RangeError('no'))) });
    const tab = openTab();
    await rest();
    tab.stop();
    claimed.resolve();
    await rest();
    Object.assign(db, { transaction });
    expect(tab.events).toEqual(['led']);
    await pass(60_000);
    expect(tab.events).toEqual(['led']);
  });

  test('stopped while it writes its epoch, a tab does not lead', async () => {
    const written = createDeferred<void>();
    const transaction = db.transaction.bind(db);
    Object.assign(db, {
      transaction: async (...given: Parameters<typeof transaction>) => (await written.promise, transaction(...given)),
    });
    const tab = openTab();
    await rest();
    tab.stop();
    written.resolve();
    await rest();
    expect([tab.events, tab.log, await leadership()]).toEqual([['led'], [], { epoch: 1, beat: 0 }]);
  });

  test('stopped before it holds the lock, a tab writes nothing; started again, it leads', async () => {
    const tab = openTab();
    tab.stop();
    await pass(200);
    expect([tab.events, await leadership()]).toEqual([[], undefined]);
    tab.start();
    await pass(200);
    expect(tab.events.filter((line) => line.startsWith('leads'))).toHaveLength(1);
  });
});
