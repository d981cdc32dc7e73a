import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDeferred } from '../testing/deferred.ts';
import { openLeaderHarness, type LeaderHarness } from '../testing/leader-harness.ts';
import type { LocksPort } from './ports.ts';

let harness: LeaderHarness;
let { db, clock, locks, lock, openTab, rest, pass, leadership, asks, pending } = {} as LeaderHarness;
beforeEach(() => {
  harness = openLeaderHarness();
  ({ db, clock, locks, lock, openTab, rest, pass, leadership, asks, pending } = harness);
});
afterEach(() => harness.close());

describe('a tab that waits for the lock', () => {
  /** A leader that is asleep: it holds the lock, and writes nothing. */
  const sleeper = () => void locks.request(lock, {}, () => new Promise(() => undefined)).catch(() => undefined);

  test('asks every 2.5 s while visible, and steals the lock after four more reads of the same heartbeat', async () => {
    sleeper();
    await db.meta.put({ key: 'leader', value: { epoch: 4, beat: 2 } });
    const tab = openTab();
    await rest();
    await pass(2_499);
    expect(asks()).toBe(0);
    await pass(1);
    expect(asks()).toBe(1);
    await pass(2_500, 2_500, 2_500, 2_499);
    expect([tab.events, tab.log]).toEqual([[], []]);
    await pass(1);
    expect([tab.events, tab.log, asks()]).toEqual([['leads 5'], ['lock-stolen', 'leading 5'], 5]);
    await pass(10_000);
    expect(asks()).toBe(5);
  });

  test('stopped while it reads, or a leader stopped while it queries the lock, does nothing more and sets no timer', async () => {
    const asked = createDeferred<{ pending: { name: string }[] }>();
    const leader = openTab({ of: { request: locks.request, query: () => asked.promise } });
    await rest();
    await pass(3_000);
    leader.stop();
    await rest();
    asked.resolve({ pending: [{ name: lock }] });
    await rest();
    expect([clock.next(), await leadership()]).toEqual([undefined, { epoch: 1, beat: 0 }]);

    sleeper();
    const tab = openTab();
    await rest();
    const read = createDeferred<void>();
    const get = db.meta.get.bind(db.meta);
    Object.assign(db.meta, { get: async (key: string) => (await read.promise, get(key as 'leader')) });
    await pass(2_500);
    tab.stop();
    read.resolve();
    await rest();
    Object.assign(db.meta, { get });
    expect([clock.next(), asks()]).toEqual([undefined, 0]);
  });

  test('is granted the lock just as it decides to steal it: it steals nothing when its own leadership ends', async () => {
    const options: { steal?: boolean }[] = [];
    // The grant was already made when the wait was aborted.
    const of: LocksPort = {
      query: locks.query,
      request: async (_name, given, hold) => {
        options.push(given);
        if (options.length === 1)
          await new Promise<void>((resolve) => given.signal?.addEventListener('abort', () => resolve()));
        await hold();
      },
    };
    const tab = openTab({ of });
    await rest();
    await pass(2_500, 2_500, 2_500, 2_500);
    expect(tab.events).toEqual(['leads 1']);
    tab.stepDown();
    await rest();
    await pass(100);
    expect([tab.events, options.map(({ steal }) => steal === true)]).toEqual([
      ['leads 1', 'led', 'leads 2'],
      [false, false],
    ]);
  });

  test.each([
    ['beat', { epoch: 4, beat: 3 }],
    ['epoch', { epoch: 5, beat: 2 }],
  ])('after a new %s it counts its reads from the beginning', async (_what, sign) => {
    sleeper();
    await db.meta.put({ key: 'leader', value: { epoch: 4, beat: 2 } });
    const tab = openTab();
    await rest();
    await pass(2_500, 2_500, 2_500, 2_500);
    await db.meta.put({ key: 'leader', value: sign });
    await pass(2_500, 2_500, 2_500, 2_500);
    expect(tab.events).toEqual([]);
    await pass(2_500);
    expect(tab.events).toEqual([`leads ${sign.epoch + 1}`]);
  });

  test('does neither while hidden, and counts its reads from the beginning when visible again', async () => {
    sleeper();
    await db.meta.put({ key: 'leader', value: { epoch: 4, beat: 2 } });
    const tab = openTab();
    await rest();
    await pass(2_500, 2_500, 2_500, 2_500);
    tab.isVisible = false;
    await pass(2_500, 2_500);
    expect(asks()).toBe(4);
    tab.isVisible = true;
    await pass(2_500, 2_500, 2_500);
    expect(tab.events).toEqual([]);
    await pass(2_500);
    expect(tab.events).toEqual(['leads 5']);
  });

  test('[C4] that cannot read the heartbeat steals nothing, logs it, and reads again', async () => {
    sleeper();
    const tab = openTab();
    await rest();
    const get = db.meta.get.bind(db.meta);
    Object.assign(db.meta, { get: () => Promise.reject(new RangeError('no')) });
    for (let look = 0; look < 6; look += 1) await pass(2_500);
    Object.assign(db.meta, { get });
    expect([tab.events, tab.log]).toEqual([[], Array.from({ length: 6 }, () => 'watch-failed RangeError: no')]);
    // There is no heartbeat at all: four reads.
    await pass(2_500, 2_500, 2_500);
    expect(tab.events).toEqual([]);
    await pass(2_500);
    expect(tab.events).toEqual(['leads 1']);
  });
});

describe('a lock manager that fails', () => {
  test.each<[string, unknown, string[]]>([
    ['with an error', new TypeError('no'), ['lock-failed TypeError: no']],
    ['with a string', 'no', ['lock-failed no']],
    ['by aborting, which is no error', new DOMException('gone', 'AbortError'), []],
    ['by aborting, as older browsers report it', Object.assign(new Error('gone'), { name: 'AbortError' }), []],
  ])('%s: it is requested again after 100 ms, and not in a busy loop', async (_what, error, log) => {
    let asked = 0;
    const of: LocksPort = {
      query: locks.query,
      request: (...given) => ((asked += 1) === 1 ? Promise.reject(error) : locks.request(...given)),
    };
    const tab = openTab({ of });
    await rest();
    await pass(99);
    expect([asked, tab.log]).toEqual([1, log]);
    await pass(1);
    expect([asked, tab.events]).toEqual([2, ['leads 1']]);
  });

  test('that takes the lock away: the former leader is deposed and queues again', async () => {
    const tab = openTab();
    await rest();
    const held = createDeferred<void>();
    const stolen = locks.request(lock, { steal: true }, () => held.promise);
    await rest();
    expect([tab.events, tab.log]).toEqual([['leads 1', 'led'], ['leading 1']]);
    await pass(100);
    expect(await pending()).toBe(1);
    held.resolve();
    await stolen;
    await rest();
    expect(tab.events).toEqual(['leads 1', 'led', 'leads 2']);
  });
});
