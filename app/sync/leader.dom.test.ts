import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { fakeLocks } from '../testing/fake-locks.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import {
  mustBeInFlight,
  openDeviceHarness,
  type DeviceHarness,
  type Phone,
  type Tab,
} from '../testing/open-device-harness.ts';

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
beforeEach(async () => {
  clock = manualClock();
  harness = await openDeviceHarness({ clock });
  phone = await harness.as(harness.addHomeowner());
});
afterEach(() => harness.close());

const post = (tab: Tab) =>
  tab.sync.mutate('job.post', {
    id: makeTestId(),
    title: 'T',
    description: 'D',
    locationId: 'l',
    urgency: 'soon',
    categoryId: 'c',
  });

/** Passes time in small steps, letting the disk keep up, until the condition holds. */
async function until(isSo: () => boolean | Promise<boolean>, maxMs = 30_000): Promise<number> {
  for (let passed = 0; passed <= maxMs; passed += 500) {
    for (let turn = 0; turn < 20; turn += 1) {
      if (await isSo()) return passed;
      await phone.db.meta.get('leader');
    }
    clock.advance(500);
  }
  throw new Error('It did not come to that.');
}

const leads = (tab: Tab) => tab.sync.status.current().isLeader;
const epoch = async () => ((await phone.db.meta.get('leader'))?.value as { epoch: number } | undefined)?.epoch;

describe('C6: one tab syncs', () => {
  test('the first leads, the second waits; what the second writes, the first sends', async () => {
    const other = await phone.openTab();
    const { uid } = await post(other);
    expect(await other.sync.waitFor(uid, Infinity)).toEqual({ kind: 'applied' });
    expect([leads(phone), leads(other)]).toEqual([true, false]);
    expect(other.sync.status.current().lastSynced).toBe(phone.sync.status.current().lastSynced);
  });

  test('while the leader’s heartbeat is written, no tab steals its lock', async () => {
    const other = await phone.openTab();
    await expect(until(() => leads(other), 60_000)).rejects.toThrow();
    expect(leads(phone)).toBe(true);
  });

  test('when the leader’s tab is closed, the next takes over at once', async () => {
    const other = await phone.openTab();
    await phone.sync.stop();
    expect(await until(() => leads(other))).toBeLessThan(1_000);
  });

  test('stopped and started again at once, it stands in the queue once', async () => {
    const before = (await epoch()) ?? Number.NaN;
    for (let round = 0; round < 3; round += 1) {
      void phone.sync.stop();
      phone.sync.start();
    }
    await until(async () => leads(phone) && ((await epoch()) ?? 0) > before);
    await expect(until(() => !leads(phone), 10_000)).rejects.toThrow();
    const other = await phone.openTab();
    await phone.sync.stop();
    await until(() => leads(other));
    expect(await epoch()).toBeLessThanOrEqual(before + 4);
  });

  test('a hidden leader lets go when a visible tab asks', async () => {
    phone.setVisible(false);
    const other = await phone.openTab();
    expect(await until(() => leads(other))).toBeLessThan(10_000);
    expect(leads(phone)).toBe(false);
  });
});

describe('a leader that fell asleep', () => {
  const lateEvents: (() => void)[] = [];

  /**
   * Its timers fire no more, it does not hear that its lock was stolen, and what it asked before it slept is still
   * under way.
   */
  async function openWithSleeper() {
    await harness.close();
    let isAsleep = false;
    harness = await openDeviceHarness({
      locks: () => fakeLocks((tell) => lateEvents.push(tell)),
      clock: {
        now: clock.now,
        setTimer: (ms, fire) => {
          const isSleepers = !isAsleep;
          return clock.setTimer(ms, () => {
            if (!isSleepers) fire();
          });
        },
      },
    });
    phone = await harness.as(harness.addHomeowner());
    phone.hold();
    await post(phone);
    await phone.settle();
    isAsleep = true;
    return phone.openTab();
  }

  test('loses its lock within some 10 s; its late answer is discarded, and the write arrives once (C3, I1, I11)', async () => {
    const other = await openWithSleeper();
    const old = mustBeInFlight(phone);
    const before = await epoch();
    expect(await until(() => leads(other))).toBeLessThanOrEqual(15_000);
    expect(await epoch()).toBe((before ?? Number.NaN) + 1);
    harness.network.setMode(phone.name, 'online');
    await old.deliver();
    await until(() =>
      phone.events.some(
        (event) => event.kind === 'log' && event.event === 'answer-discarded' && event.detail === 'deposed',
      ),
    );
    expect(await phone.db.outbox.count()).toBe(1);
    lateEvents.forEach((tell) => tell());
    await Promise.all(phone.inFlight().map((flight) => flight.deliver()));
    await until(async () => (await phone.db.outbox.count()) === 0);
    expect(harness.server.rows.jobs.size).toBe(1);
    expect(harness.server.decisions).toHaveLength(1);
    expect(await phone.db.jobs.count()).toBe(1);
  });

  test('is left alone by hidden tabs', async () => {
    const other = await openWithSleeper();
    other.setVisible(false);
    await expect(until(() => leads(other), 40_000)).rejects.toThrow();
  });
});
