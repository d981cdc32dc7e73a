import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb, type PersonDb } from './person-db.ts';
import { watchLive } from './watch-live.ts';

let db: PersonDb;
beforeEach(async () => {
  db = openPersonDb(makeTestId());
  await db.open();
});
afterEach(() => db.delete());

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
