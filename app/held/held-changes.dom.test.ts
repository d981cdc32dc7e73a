import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Job } from '../../shared/tables/index.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { systemClock } from '../db/clock.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { openDeviceHarness, type DeviceHarness, type Phone, type Tab } from '../testing/open-device-harness.ts';
import { createHeldChanges, heldIn, holdMs, carryOutHeld, type HeldChanges, type Made } from './held-changes.ts';

type Mutate = Tab['sync']['mutate'];
let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
let job: Job;
const random = seededRandom(3);
const open: HeldChanges[] = [];

beforeEach(async () => {
  clock = manualClock();
  harness = await openDeviceHarness();
  const owner = harness.addHomeowner();
  job = makeJob({ userId: owner.id, title: 'Roof leak' });
  harness.server.write((rows) => rows.jobs.set(job.id, job));
  phone = await harness.as(owner);
  await harness.sync(phone);
});
afterEach(async () => {
  vi.restoreAllMocks();
  open.splice(0).forEach((held) => held.stop());
  await harness.close();
});

/** One tab's held changes; `made`: what it was told; `logged`: which errors it wrote to its log. */
function openHeld(
  { db, sync }: Tab,
  mutate: Mutate = sync.mutate,
): { held: HeldChanges; made: Made[]; logged: string[] } {
  const logged: string[] = [];
  const held = createHeldChanges({ db, clock, random, mutate, log: (event) => logged.push(event) });
  const made: Made[] = [];
  held.onMade((one) => made.push(one));
  open.push(held);
  return { held, made, logged };
}

/** Held, and seen by these tabs. Its key. */
async function hold(...tabs: [{ held: HeldChanges }, ...{ held: HeldChanges }[]]): Promise<string> {
  await tabs[0].held.hold('job.close', { id: job.id }, job.title);
  await untilSeen(1, ...tabs.map(({ held }) => held));
  return must((await heldIn(phone.db))[0], 'what is held').key;
}

const isLost = () => new DOMException('Connection to Indexed Database server lost', 'UnknownError');
const closings = () => harness.server.decisions.filter(({ name }) => name === 'job.close').length;
const count = (held: HeldChanges) => {
  const read = held.now.current();
  return read.state === 'ready' ? read.value.length : -1;
};
/** Until every tab has seen what is on the disk, so that its timers are set. */
async function untilSeen(number: number, ...tabs: HeldChanges[]): Promise<void> {
  await expect.poll(() => tabs.map(count)).toEqual(tabs.map(() => number));
}

test('a job that is being closed is still open for ten seconds, here and on the server, and then closed once', async () => {
  const { held, made } = openHeld(phone);
  await held.hold('job.close', { id: job.id }, job.title);
  await untilSeen(1, held);
  clock.advance(holdMs - 1);
  await harness.sync(phone);
  expect([await phone.db.outbox.count(), closings(), (await phone.db.jobs.get(job.id))?.status]).toEqual([
    0,
    0,
    'active',
  ]);
  clock.advance(1);
  await untilSeen(0, held);
  await harness.sync(phone);
  expect([closings(), harness.server.rows.jobs.get(job.id)?.status]).toEqual([1, 'closed']);
  expect(made).toMatchObject([{ name: 'job.close', uid: expect.any(String) }]);
});

test('taken back in time, nothing is ever sent, and the answer is true', async () => {
  const { held, made } = openHeld(phone);
  await held.hold('job.close', { id: job.id }, job.title);
  await untilSeen(1, held);
  const [{ key } = { key: '' }] = await heldIn(phone.db);
  expect(await held.takeBack(key)).toBe(true);
  await untilSeen(0, held);
  clock.advance(2 * holdMs);
  await harness.sync(phone);
  expect([closings(), made, await phone.db.outbox.count()]).toEqual([0, [], 0]);
});

test('taken back in the moment in which it is made, it is one of the two and never both', async () => {
  harness.goOffline(phone);
  for (let round = 0; round < 10; round += 1) {
    const { held } = openHeld(phone);
    await held.hold('job.close', { id: job.id }, job.title);
    await untilSeen(1, held);
    const [{ key } = { key: '' }] = await heldIn(phone.db);
    clock.advance(holdMs);
    for (let later = 0; later < round; later += 1) await Promise.resolve();
    const isBack = await held.takeBack(key);
    await untilSeen(0, held);
    await expect.poll(() => phone.db.outbox.count()).toBe(isBack ? 0 : 1);
    if (!isBack) return;
    held.stop();
  }
  throw new Error('it was taken back in time each time: the moment was never met');
});

test('two tabs hold the same closing: it is sent once, and each tab hears what became of it', async () => {
  const tab = await phone.openTab();
  const here = openHeld(phone);
  const there = openHeld(tab);
  await here.held.hold('job.close', { id: job.id }, job.title);
  await untilSeen(1, here.held, there.held);
  clock.advance(holdMs);
  await expect.poll(() => [...here.made, ...there.made].length).toBe(2);
  await harness.sync(phone);
  expect(closings()).toBe(1);
  const uids = [...here.made, ...there.made].map((made) => ('uid' in made ? made.uid : ''));
  const decisions = await Promise.all(uids.map((uid) => phone.sync.waitFor(uid, 5_000)));
  expect(decisions.map(({ kind }) => kind)).toEqual(['applied', 'applied']);
});

test('pressed twice, or in two tabs at once, it is held once', async () => {
  const here = openHeld(phone);
  const there = openHeld(await phone.openTab());
  await Promise.all([here, there].map(({ held }) => held.hold('job.close', { id: job.id }, job.title)));
  expect(await heldIn(phone.db)).toHaveLength(1);
});

test('the phone is killed while it is held: opened again it goes on with the time that was left, or at once', async () => {
  const { held } = openHeld(phone);
  await held.hold('job.close', { id: job.id }, job.title);
  held.stop();
  clock.advance(6_000);
  await phone.reopen();
  const again = openHeld(phone);
  await untilSeen(1, again.held);
  clock.advance(3_999);
  expect(await phone.db.outbox.count()).toBe(0);
  clock.advance(1);
  await untilSeen(0, again.held);
  await harness.sync(phone);
  expect(closings()).toBe(1);
});

test('a clock that is set back by a year while it is held keeps it no longer than the ten seconds', async () => {
  const { held } = openHeld(phone);
  await held.hold('job.close', { id: job.id }, job.title);
  held.stop();
  clock.jump(-365 * 24 * 3_600_000);
  const again = openHeld(phone);
  await untilSeen(1, again.held);
  clock.advance(holdMs);
  await untilSeen(0, again.held);
  await harness.sync(phone);
  expect(closings()).toBe(1);
});

test('without signal it becomes a change that waits, and what was made meanwhile does not wait for it', async () => {
  const { held } = openHeld(phone);
  await held.hold('job.close', { id: job.id }, job.title);
  await untilSeen(1, held);
  const set = { title: 'Roof leak over the porch' };
  await phone.sync.mutate('job.edit', { id: job.id, set, base: { title: job.title } });
  await harness.sync(phone);
  expect(harness.server.rows.jobs.get(job.id)).toMatchObject({ ...set, status: 'active' });
  harness.goOffline(phone);
  clock.advance(holdMs);
  await untilSeen(0, held);
  expect((await phone.db.outbox.toArray()).map(({ name }) => name)).toEqual(['job.close']);
  expect((await phone.db.jobs.get(job.id))?.status).toBe('closed');
  harness.goOnline(phone);
  await expect.poll(() => harness.server.rows.jobs.get(job.id)?.status).toBe('closed');
});

test('the worker, woken while it is held, waits for it and makes it once, also beside an open app', async () => {
  const { held } = openHeld(phone);
  await held.hold('job.close', { id: job.id }, job.title);
  await untilSeen(1, held);
  let timers = 0;
  const setTimer: ManualClock['setTimer'] = (ms, fire) => {
    timers += 1;
    return clock.setTimer(ms, fire);
  };
  const waiting = carryOutHeld({ db: phone.db, clock: { ...clock, setTimer }, mutate: phone.sync.mutate });
  await expect.poll(() => timers).toBe(1);
  clock.advance(holdMs);
  expect(await waiting).toBe(true);
  await harness.sync(phone);
  expect([closings(), await heldIn(phone.db)]).toEqual([1, []]);
  expect(await carryOutHeld({ db: phone.db, clock: systemClock, mutate: phone.sync.mutate })).toBe(false);
});

test('the worker is quicker than the open app, which hears what became of it all the same', async () => {
  const { held, made } = openHeld(phone);
  await held.hold('job.close', { id: job.id }, job.title);
  await untilSeen(1, held);
  const early = manualClock();
  const waiting = carryOutHeld({ db: phone.db, clock: early, mutate: phone.sync.mutate });
  await expect.poll(() => (early.advance(holdMs), heldIn(phone.db))).toEqual([]);
  await waiting;
  await expect.poll(() => made).toHaveLength(1);
  await harness.sync(phone);
  expect(made).toMatchObject([{ uid: expect.any(String) }]);
  expect(await phone.sync.waitFor((made[0] as { uid: string }).uid, 5_000)).toEqual({ kind: 'applied' });
});

test('a job that is gone when the time is over cannot be closed: that is told, and nothing is held for ever', async () => {
  const { held, made } = openHeld(phone);
  await held.hold('job.close', { id: job.id }, job.title);
  await untilSeen(1, held);
  harness.server.write((rows) => rows.jobs.delete(job.id));
  await harness.sync(phone);
  clock.advance(holdMs);
  await untilSeen(0, held);
  await expect.poll(() => made).toMatchObject([{ error: { code: 'not-found' } }]);
  expect(await phone.db.outbox.count()).toBe(0);
});

test('Undo tapped twice, or in two tabs at once, is undone for each', async () => {
  const here = openHeld(phone);
  const there = openHeld(await phone.openTab());
  const key = await hold(here, there);
  expect(await Promise.all([here, here, there].map(({ held }) => held.takeBack(key)))).toEqual([true, true, true]);
  expect(await there.held.takeBack(key)).toBe(true);
});

test('Undo whose answer was lost with the connection is undone', async () => {
  const { held } = openHeld(phone);
  const key = await hold({ held });
  const remove = () => phone.db.drafts.delete(key).then(() => Promise.reject(isLost()));
  const where = vi.spyOn(phone.db.drafts, 'where');
  where.mockImplementationOnce(() => ({ equals: () => ({ delete: remove }) }) as never);
  expect(await held.takeBack(key)).toBe(true);
  expect(await heldIn(phone.db)).toEqual([]);
});

test('Undo of a closing that waits, or was decided, is too late, also where another tab made it', async () => {
  const { held } = openHeld(phone);
  harness.goOffline(phone);
  const key = await hold({ held });
  clock.advance(holdMs);
  await untilSeen(0, held);
  const there = openHeld(await phone.openTab());
  expect(await Promise.all([held, there.held].map((one) => one.takeBack(key)))).toEqual([false, false]);
  harness.goOnline(phone);
  await expect.poll(closings).toBe(1);
  await expect.poll(() => phone.db.outbox.count()).toBe(0);
  expect(await Promise.all([held, there.held].map((one) => one.takeBack(key)))).toEqual([false, false]);
});

test('a closing that is on the disk, though its answer was lost, is told as made and not as failed', async () => {
  const mutate: Mutate = (...asked) => phone.sync.mutate(...asked).then(() => Promise.reject(isLost()));
  const { held, made } = openHeld(phone, mutate);
  await hold({ held });
  clock.advance(holdMs);
  await expect.poll(() => made).toMatchObject([{ uid: expect.any(String) }]);
  await harness.sync(phone);
  expect([closings(), made.length]).toEqual([1, 1]);
});

test('a tab that cannot close the job, while another one closes it, tells that it is made', async () => {
  const tab = await phone.openTab();
  const here = openHeld(phone);
  const isMadeHere = async () => {
    await expect.poll(() => here.made).toHaveLength(1);
  };
  const there = openHeld(tab, () => isMadeHere().then(() => Promise.reject(isLost())));
  await hold(here, there);
  clock.advance(holdMs);
  await expect.poll(() => there.made).toMatchObject([{ uid: expect.any(String) }]);
  await harness.sync(phone);
  expect(closings()).toBe(1);
});

test('a closing that can be neither made nor taken back just now is not called failed, and is tried again', async () => {
  const mutate = vi.fn<Mutate>(phone.sync.mutate).mockRejectedValueOnce(new Error('disk'));
  const { held, made, logged } = openHeld(phone, mutate);
  await hold({ held });
  const where = vi.spyOn(phone.db.drafts, 'where').mockImplementation(() => {
    throw new Error('disk');
  });
  clock.advance(holdMs);
  await expect.poll(() => logged).toEqual(['held-unmade', 'held-unread']);
  expect([made, await phone.db.drafts.count()]).toEqual([[], 1]);
  where.mockRestore();
  clock.advance(holdMs);
  await expect.poll(() => made).toMatchObject([{ uid: expect.any(String) }]);
  await harness.sync(phone);
  expect(closings()).toBe(1);
});

test('what cannot be read of a change that is held no more is logged', async () => {
  const { held, made, logged } = openHeld(phone);
  const key = await hold({ held });
  vi.spyOn(phone.db.outbox, 'get').mockRejectedValue(new Error('disk'));
  await held.takeBack(key);
  await expect.poll(() => logged).toEqual(['held-unread']);
  expect(made).toEqual([]);
});
