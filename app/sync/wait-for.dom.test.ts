import { beforeEach, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb, type OutboxEntry, type PersonDb } from '../db/person-db.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { noteApplied } from './decided.ts';
import { waitFor } from './wait-for.ts';

let db: PersonDb;
let clock: ManualClock;
beforeEach(() => {
  db = openPersonDb(makeTestId());
  clock = manualClock();
});

test('an applied mutation is applied, also among others; one that left the outbox without an outcome is cancelled', async () => {
  await noteApplied(db, [
    { uid: 'one', name: 'job.post' },
    { uid: 'two', name: 'job.edit' },
  ]);
  await noteApplied(db, []);
  expect(await waitFor(db, clock, 'one', 1_000)).toEqual({ kind: 'applied' });
  expect(await waitFor(db, clock, 'two', Infinity)).toEqual({ kind: 'applied' });
  expect(await waitFor(db, clock, 'three', 1_000)).toEqual({ kind: 'cancelled' });
  expect(clock.next()).toBeUndefined();
});

test('the last thousand applied mutations are remembered', async () => {
  const notes = Array.from({ length: 1_001 }, (_none, at) => ({ uid: `u${at}`, name: 'job.post' as const }));
  await noteApplied(db, notes.slice(0, 2));
  await noteApplied(db, notes.slice(2));
  expect(await waitFor(db, clock, 'u1', 0)).toEqual({ kind: 'applied' });
  expect(await waitFor(db, clock, 'u0', 0)).toEqual({ kind: 'cancelled' });
});

test('a mutation in the outbox is waited for until it is decided, and no timer is left', async () => {
  await db.outbox.add({
    uid: 'one',
    name: 'job.post',
    args: {},
    at: '',
    state: 'new',
    attempts: 0,
    lastError: null,
    base: [],
  } as unknown as OutboxEntry);
  const decided = waitFor(db, clock, 'one', 60_000);
  clock.advance(59_999);
  await db.outbox.toCollection().modify({ state: 'sent' });
  await db.transaction('rw', ['outbox', 'meta'], async () => {
    await db.outbox.clear();
    await noteApplied(db, [{ uid: 'one', name: 'job.post' }]);
  });
  expect(await decided).toEqual({ kind: 'applied' });
  expect(clock.next()).toBeUndefined();
});

test('[C4] storage that cannot be read rejects the wait, and no timer is left', async () => {
  Object.assign(db, { transaction: () => Promise.reject(new DOMException('Disk error', 'UnknownError')) });
  await expect(waitFor(db, clock, 'one', 60_000)).rejects.toThrow('Disk error');
  expect(clock.next()).toBeUndefined();
});

test('a mutation that this tab made just after another tab wrote is not taken for a cancelled one', async () => {
  await db.meta.put({ key: 'device', value: 'a' });
  db.rows.subscribe(() => undefined);
  await db.rows.read();
  const other = openPersonDb('', { name: db.name });
  // Its message is still on the way: this tab finds that it missed something, and reads the disk.
  await other.meta.put({ key: 'device', value: 'b' });
  await db.outbox.add({ uid: 'one', name: 'job.post', args: {}, state: 'new' } as unknown as OutboxEntry);
  const decided = waitFor(db, clock, 'one', 60_000);
  await db.rows.read();
  clock.advance(60_000);
  expect(await decided).toEqual({ kind: 'still-waiting' });
});
