import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { holdTimers } from '../testing/hold-timers.ts';
import { openPersonDb, type PersonDb } from './person-db.ts';
import { watchLive } from './watch-live.ts';

let db: PersonDb;
beforeEach(async () => {
  db = openPersonDb(makeTestId());
  await db.open();
});
afterEach(() => {
  vi.restoreAllMocks();
  return db.delete();
});

const note = (seq: number) => ({ seq, at: '2026-11-21T00:00:00.000Z', event: 'noted', detail: '' });

test('one query serves many subscribers, and again when it changes', async () => {
  const read = vi.fn(() => db.log.count());
  const watched = watchLive(read);
  expect(watched.current()).toEqual({ state: 'reading' });
  const heard: string[] = [];
  const stops = ['one', 'two', 'three'].map((who) =>
    watched.subscribe(() => heard.push(`${who} ${JSON.stringify(watched.current())}`)),
  );
  await vi.waitFor(() => expect(heard).toHaveLength(3), 30_000);
  expect(read).toHaveBeenCalledTimes(1);
  await db.log.add(note(1));
  await vi.waitFor(() => expect(watched.current()).toEqual({ state: 'ready', value: 1 }), 30_000);
  expect(read).toHaveBeenCalledTimes(2);
  stops.forEach((stop) => stop());
});

test('nothing is read without subscribers, and a subscriber that comes back is given the value again', async () => {
  const watched = watchLive(() => db.log.count());
  const stop = watched.subscribe(() => undefined);
  await vi.waitFor(() => expect(watched.current()).toEqual({ state: 'ready', value: 0 }), 30_000);
  stop();
  await db.log.add(note(1));
  expect(watched.current()).toEqual({ state: 'ready', value: 0 });
  watched.subscribe(() => undefined);
  await vi.waitFor(() => expect(watched.current()).toEqual({ state: 'ready', value: 1 }), 30_000);
});

test('what cannot be read is not empty', async () => {
  const watched = watchLive(() => Promise.reject(new Error('broken')));
  watched.subscribe(() => undefined);
  await vi.waitFor(() => expect(watched.current()).toEqual({ state: 'failed', error: new Error('broken') }), 30_000);
});

/** A query of the log whose time, by the clock that it is measured with, is an hour. */
function slowCount(): () => Promise<number> {
  let time = Math.ceil(performance.now());
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  return vi.fn(async () => {
    const count = await db.log.count();
    time += 3_600_000;
    return count;
  });
}

test('a query that takes long rests before it runs again, once for all that changed meanwhile', async () => {
  const read = slowCount();
  const watched = watchLive(read);
  watched.subscribe(() => undefined);
  await vi.waitFor(() => expect(watched.current()).toEqual({ state: 'ready', value: 0 }), 30_000);
  const rests = holdTimers(4 * 3_600_000);
  for (let seq = 1; seq <= 20; seq += 1) await db.log.add(note(seq));
  await vi.waitFor(() => expect(rests.count()).toBe(1), 30_000);
  expect([vi.mocked(read).mock.calls.length, watched.current()]).toEqual([1, { state: 'ready', value: 0 }]);
  rests.fire();
  await vi.waitFor(() => expect(watched.current()).toEqual({ state: 'ready', value: 20 }), 30_000);
  expect(read).toHaveBeenCalledTimes(2);
});

test('a rest ends with the last subscriber, and the next one is given the value at once', async () => {
  const watched = watchLive(slowCount());
  const stop = watched.subscribe(() => undefined);
  await vi.waitFor(() => expect(watched.current()).toEqual({ state: 'ready', value: 0 }), 30_000);
  await db.log.add(note(1));
  stop();
  watched.subscribe(() => undefined);
  await vi.waitFor(() => expect(watched.current()).toEqual({ state: 'ready', value: 1 }), 30_000);
});
