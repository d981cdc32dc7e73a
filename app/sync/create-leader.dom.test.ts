import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDeferred } from '../testing/deferred.ts';
import { openLeaders, type LeaderHouse } from '../testing/leader-harness.ts';
import type { LocksPort } from './ports.ts';

let house: LeaderHouse;
let { db, clock, locks, hand, openTab, rest, pass, reign, asks, pending } = {} as LeaderHouse;
beforeEach(() => {
  house = openLeaders();
  ({ db, clock, locks, hand, openTab, rest, pass, reign, asks, pending } = house);
});
afterEach(() => house.close());

describe('a leader', () => {
  test('writes no heartbeat while nobody waits for its lock, and one each 3 s while somebody does', async () => {
    openTab();
    await rest();
    // Somebody waits for something else.
    for (let times = 0; times < 2; times += 1) void locks.request('another lock', {}, () => new Promise(() => undefined));
    await pass(3_000, 3_000);
    expect(await reign()).toEqual({ epoch: 1, beat: 0 });
    openTab({ isVisible: false });
    await rest();
    await pass(2_999);
    expect(await reign()).toEqual({ epoch: 1, beat: 0 });
    await pass(1);
    expect(await reign()).toEqual({ epoch: 1, beat: 1 });
    await pass(3_000);
    expect(await reign()).toEqual({ epoch: 1, beat: 2 });
  });

  test('that finds another number on the disk at its next heartbeat lets go, and what it found stays', async () => {
    const [first, second] = [openTab(), openTab()];
    await rest();
    await db.meta.put({ key: 'leader', value: { epoch: 7, beat: 3 } });
    await pass(3_000);
    expect([first.log, first.story, second.story]).toEqual([['leading 1', 'deposed 1'], ['leads 1', 'led'], ['leads 8']]);
    // It stands in the queue again, and writes nothing any more.
    await pass(100, 3_000);
    expect([await pending(), await reign()]).toEqual([1, { epoch: 8, beat: 1 }]);
    first.stop();
    await rest();
    expect(await pending()).toBe(0);
  });

  test('[C4] that finds no number any more, because the device was cleared, lets go as well', async () => {
    const [first, second] = [openTab(), openTab()];
    await rest();
    await db.meta.clear();
    await pass(3_000);
    expect([first.log, first.story, second.story]).toEqual([['leading 1', 'deposed 1'], ['leads 1', 'led'], ['leads 1']]);
  });

  test('whose heartbeat fails says so in the log, and goes on', async () => {
    let fails = true;
    const of: LocksPort = { request: locks.request, query: async () => (fails ? Promise.reject(new TypeError('no')) : {}) };
    const tab = openTab({ of });
    await rest();
    await pass(3_000);
    expect(tab.log).toEqual(['leading 1', 'heartbeat-failed TypeError: no']);
    fails = false;
    // A browser that names nobody who waits.
    await pass(3_000, 3_000);
    expect([tab.log.length, tab.story]).toEqual([2, ['leads 1']]);
  });

  test('lets go where a visible tab asks and it is hidden; not while it is looked at, nor for another word', async () => {
    const tab = openTab();
    await rest();
    hand.post({ kind: 'may-i-lead' });
    tab.isVisible = false;
    hand.post({ kind: 'wake', reason: 'tap' });
    tab.isVisible = true;
    await rest();
    expect(tab.story).toEqual(['leads 1']);
    tab.isVisible = false;
    hand.post({ kind: 'wake', reason: 'tap' });
    await rest();
    expect(tab.story).toEqual(['leads 1']);
    hand.post({ kind: 'may-i-lead' });
    await rest();
    expect(tab.story).toEqual(['leads 1', 'led']);
    // Not straight back: whoever asked goes first.
    await pass(99);
    expect(tab.story).toHaveLength(2);
    await pass(1);
    expect(tab.story).toEqual(['leads 1', 'led', 'leads 2']);
  });

  test('that steps down stands in the queue again, behind who waits; stopped, it hears and does nothing any more', async () => {
    const [first, second] = [openTab(), openTab({ isVisible: false })];
    await rest();
    first.stepDown();
    await rest();
    await pass(100);
    expect([first.story, second.story, await pending()]).toEqual([['leads 1', 'led'], ['leads 2'], 1]);
    second.stop();
    await pass(100);
    expect([first.story.at(-1), second.story, await pending()]).toEqual(['leads 3', ['leads 2', 'led'], 0]);
    first.stop();
    await rest();
    expect(clock.next()).toBeUndefined();
    first.isVisible = false;
    hand.post({ kind: 'may-i-lead' });
    await pass(60_000);
    expect([first.story.at(-1), await reign()]).toEqual(['led', { epoch: 3, beat: 0 }]);
  });

  test('started twice leads once', async () => {
    const tab = openTab();
    tab.start();
    await pass(100);
    expect([tab.story, await pending()]).toEqual([['leads 1'], 0]);
  });

  test('stopped before its turn in the queue came leaves the queue', async () => {
    openTab();
    const second = openTab();
    await rest();
    expect(await pending()).toBe(1);
    second.stop();
    await rest();
    expect([await pending(), second.log, second.story]).toEqual([0, [], []]);
    await pass(20_000);
    expect(asks()).toBe(0);
  });
});

describe('storage that does not let it lead', () => {
  const failClaims = (times: number) => {
    const put = db.meta.put.bind(db.meta);
    let left = times;
    Object.assign(db.meta, { put: (...given: Parameters<typeof put>) => ((left -= 1) >= 0 ? Promise.reject(new RangeError('no')) : put(...given)) });
  };

  test('is said each time, and asked again after 1 s, 2 s, 4 s, 8 s and then each 10 s; once it leads, that is forgotten', async () => {
    failClaims(6);
    const tab = openTab();
    await rest();
    let times = 1;
    for (const wait of [1_000, 2_000, 4_000, 8_000, 10_000]) {
      expect(tab.story.filter((line) => line.startsWith('blocked'))).toHaveLength(times);
      await pass(wait - 1);
      expect(tab.story.filter((line) => line.startsWith('blocked'))).toHaveLength(times);
      await pass(1);
      times += 1;
    }
    expect(tab.story.filter((line) => line.startsWith('blocked'))).toHaveLength(6);
    expect(tab.story.at(0)).toMatch(/^blocked RangeError/);
    await pass(10_000);
    expect(tab.story.at(-1)).toBe('leads 1');
    tab.stepDown();
    await rest();
    await pass(100);
    expect(tab.story.slice(-2)).toEqual(['led', 'leads 2']);
  });

  test('is not said by a tab that was stopped meanwhile', async () => {
    const claimed = createDeferred<void>();
    const transaction = db.transaction.bind(db);
    Object.assign(db, { transaction: async () => (await claimed.promise, Promise.reject(new RangeError('no'))) });
    const tab = openTab();
    await rest();
    tab.stop();
    claimed.resolve();
    await rest();
    Object.assign(db, { transaction });
    expect(tab.story).toEqual(['led']);
    await pass(60_000);
    expect(tab.story).toEqual(['led']);
  });

  test('stopped while it writes its number down, it does not lead', async () => {
    const written = createDeferred<void>();
    const transaction = db.transaction.bind(db);
    Object.assign(db, { transaction: async (...given: Parameters<typeof transaction>) => (await written.promise, transaction(...given)) });
    const tab = openTab();
    await rest();
    tab.stop();
    written.resolve();
    await rest();
    expect([tab.story, tab.log, await reign()]).toEqual([['led'], [], { epoch: 1, beat: 0 }]);
  });

  test('stopped before it has the lock in its hand, it writes nothing down; started again, it leads', async () => {
    const tab = openTab();
    tab.stop();
    await pass(200);
    expect([tab.story, await reign()]).toEqual([[], undefined]);
    tab.start();
    await pass(200);
    expect(tab.story.filter((line) => line.startsWith('leads'))).toHaveLength(1);
  });
});
