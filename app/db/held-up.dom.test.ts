import type { Dexie } from 'dexie';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keptPagesPath } from '../../shared/lib/kept-pages.ts';
import { openDb } from './abort-on-pagehide.ts';
import { watchForHoldUps } from './held-up.ts';

/* That a browser gives up such pages when it is told to is seen in WebKit (`webkit-left-page.spec.ts`). */

let sleeping: IDBDatabase | undefined;
let isAsleep = true;
let db: Dexie;
let asked: string[];

beforeEach(() => {
  isAsleep = true;
  asked = [];
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    asked.push(`${method} ${path}`);
    // As the browser does it.
    isAsleep = false;
    return new Response(null, { status: 204 });
  });
  db = openDb('held-up', {}, new EventTarget());
  db.version(1).stores({ entries: 'key' });
});
afterEach(async () => {
  isAsleep = false;
  vi.unstubAllGlobals();
  sleeping?.close();
  await db.delete();
});

/** A page that was left while it made the database, and of whose going no other page heard. */
function makeHalf(): Promise<void> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('held-up', 10);
    opening.addEventListener('upgradeneeded', () => {
      sleeping = opening.result;
      const entries = sleeping.createObjectStore('entries', { keyPath: 'key' });
      const goOn = () => {
        if (isAsleep) entries.count().addEventListener('success', goOn);
        else sleeping?.close();
      };
      goOn();
      resolve();
    });
  });
}

it('a page that waits for its database while one that sleeps is making it has that one given up, and opens', async () => {
  await makeHalf();
  await db.open();
  expect(asked).toEqual([`POST ${keptPagesPath}`]);
});

it('a page whose write waits for one that sleeps has that one given up, and writes', async () => {
  await db.open();
  let begin = () => {};
  const began = new Promise<void>((resolve) => (begin = resolve));
  const raw = indexedDB.open('held-up');
  raw.addEventListener('success', () => {
    sleeping = raw.result;
    const entries = sleeping.transaction('entries', 'readwrite').objectStore('entries');
    const again = () => {
      if (isAsleep) entries.count().addEventListener('success', again);
    };
    again();
    begin();
  });
  await began;
  await db.table('entries').put({ key: 'one' });
  expect(asked).toEqual([`POST ${keptPagesPath}`]);
});

it('storage that answers has nothing given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await db.open();
    await db.table('entries').put({ key: 'one' });
    vi.advanceTimersByTime(60_000);
    expect(asked).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

const agents = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'an iPhone’s Chrome':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
  Chromium:
    'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  Firefox: 'Mozilla/5.0 (Android 15; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0',
};

describe('storage that does not answer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it.each([
    ['iphone', 1],
    ['an iPhone’s Chrome', 1],
    ['Chromium', 0],
    ['Firefox', 0],
  ] as const)(
    'in %s has pages given up %i times: no other engine keeps one that holds up others',
    async (name, times) => {
      vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agents[name]);
      watchForHoldUps()(new EventTarget(), 'end');
      await wait(60_000);
      expect(asked).toHaveLength(times);
    },
  );

  it('without signal is asked about again as soon as the signal is back, as long as it does not answer', async () => {
    const ask = vi.fn().mockRejectedValue(new TypeError('Load failed'));
    const waiting = new EventTarget();
    watchForHoldUps(ask)(waiting, 'end');
    await wait(3_000);
    expect(ask).toHaveBeenCalledTimes(1);
    window.dispatchEvent(new Event('online'));
    expect(ask).toHaveBeenCalledTimes(2);
    // Before the line is really there again.
    await wait(10_000);
    expect(ask).toHaveBeenCalledTimes(3);
    waiting.dispatchEvent(new Event('end'));
    await wait(60_000);
    window.dispatchEvent(new Event('online'));
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('on a line that answers nothing is asked about again, not waited for without end', async () => {
    const limits: number[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms);
      return AbortSignal.abort();
    });
    vi.stubGlobal('fetch', async (path: string, { signal }: RequestInit) => {
      asked.push(path);
      signal?.throwIfAborted();
      return new Promise(() => undefined);
    });
    watchForHoldUps()(new EventTarget(), 'end');
    await wait(3_000);
    expect(asked).toHaveLength(1);
    await wait(10_000);
    expect(asked).toHaveLength(2);
    expect(limits).toEqual([10_000, 10_000]);
  });
});
