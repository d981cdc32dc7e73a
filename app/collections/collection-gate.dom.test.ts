import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { day } from '../../shared/lib/durations.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { Watched } from '../lib/cell.ts';
import { openPersonDb } from '../db/person-db.ts';
import { openSubscriptionGate } from './collection-gate.ts';
import { openCollections, userId } from './testing/open-collections.ts';

/* Whether this person may see the feed, and until when, without a network. */

let device: Awaited<ReturnType<typeof openCollections>>;
let gate: ReturnType<typeof openSubscriptionGate> | undefined;
let now: number;
let timers: { at: number; fire: () => void }[];
const clock = {
  now: () => now,
  setTimer: (ms: number, fire: () => void) => {
    const timer = { at: now + ms, fire };
    timers.push(timer);
    return () => void (timers = timers.filter((other) => other !== timer));
  },
};

beforeEach(async () => {
  device = await openCollections();
  now = Date.UTC(2026, 10, 21);
  timers = [];
});
afterEach(async () => {
  gate?.close();
  vi.restoreAllMocks();
  await device.close();
});

function until<T>(watched: Watched<T>, wanted: T): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (watched.current() !== wanted) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = watched.subscribe(look);
    look();
  });
}
/** Waits until everything left needs a timer. */
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
};

const paysUntil = (instant: number | null, changes = {}) =>
  device.personDb.users.put(
    makeUser({
      id: userId,
      tradieId: makeTradie().id,
      subscriptionStatus: 'active',
      subscriptionValidUntil: instant === null ? null : new Date(instant).toISOString(),
      ...changes,
    }),
  );
const open = () => (gate = openSubscriptionGate({ db: device.personDb, userId, clock }));

test('one timer waits for the end of a subscription, also after a renewal, and none after close()', async () => {
  await paysUntil(now + day);
  const opened = open();
  await until(opened, 'open');
  await paysUntil(now + 2 * day);
  await turns();
  expect(timers.map(({ at }) => at)).toEqual([now + 2 * day]);
  opened.close();
  expect(timers).toEqual([]);
  await paysUntil(now - 1);
  await turns();
  expect(opened.current()).toBe('open');
});

test('a subscription longer than the longest timer is checked again in between, and closes the gate at its end', async () => {
  const end = now + 40 * day;
  await paysUntil(end);
  const opened = open();
  await until(opened, 'open');
  expect(timers.map(({ at }) => at - now)).toEqual([2 ** 31 - 1]);
  const [first] = timers;
  now = first!.at;
  first!.fire();
  await turns();
  expect([opened.current(), timers.map(({ at }) => at)]).toEqual(['open', [end]]);
  now = end;
  timers[0]!.fire();
  await until(opened, 'closed');
  expect(timers).toEqual([]);
});

test('a subscription without an end opens the gate and sets no timer; an unpaid one closes it and sets none', async () => {
  await paysUntil(null);
  const opened = open();
  await until(opened, 'open');
  expect(timers).toEqual([]);
  await paysUntil(now + day, { subscriptionStatus: 'canceled' });
  await until(opened, 'closed');
  expect(timers).toEqual([]);
});

test('a phone that slept past the end closes the feed at the next check', async () => {
  await paysUntil(now + day);
  const opened = open();
  await until(opened, 'open');
  now += 2 * day;
  await turns();
  expect(opened.current()).toBe('open');
  opened.look();
  await until(opened, 'closed');
});

test('without the person’s row the gate is unknown again; a row that cannot be read closes it', async () => {
  await paysUntil(now + day);
  const opened = open();
  await until(opened, 'open');
  await device.personDb.users.clear();
  await until(opened, 'unknown');
  expect(timers).toEqual([]);
  await paysUntil(now + day);
  await until(opened, 'open');
  opened.close();
  const unread = openPersonDb(userId);
  vi.spyOn(unread, 'transaction').mockRejectedValue(new DOMException('disk', 'UnknownError'));
  gate = openSubscriptionGate({ db: unread, userId, clock });
  await until(gate, 'closed');
});
