import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import type { PhotoEntry } from '../db/person-db.ts';
import { fakeChannel } from '../testing/fake-channel.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { openDeviceHarness, type DeviceHarness, type Phone, type Tab } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import type { ChannelMessage, ChannelPort, StoragePort, SyncPorts } from './ports.ts';

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
/** The channel of another tab of the same browser, which the test controls. */
let otherTab: ChannelPort;
let heard: ChannelMessage[];
let pokes: AbortSignal[];
beforeEach(() => {
  clock = manualClock();
});
afterEach(() => harness.close());

async function open(ports: Partial<SyncPorts> = {}): Promise<void> {
  const faces = fakeChannel();
  otherTab = faces();
  heard = [];
  pokes = [];
  otherTab.listen((message) => void heard.push(message));
  harness = await openDeviceHarness({
    clock,
    ports: {
      channel: faces(),
      random: { ...seededRandom(7), next: () => 0.9 },
      pokes: (_onPoke, signal) => void pokes.push(signal),
      ...ports,
    },
  });
  phone = await harness.as(harness.addHomeowner());
}
const said = (event: string, tab: Tab = phone) =>
  tab.events.flatMap((each) => (each.kind === 'log' && each.event === event ? [each.detail] : []));
const status = (tab: Tab = phone) => tab.sync.status.current();
/** Waits until nothing is under way on the disk. */
const rest = async () => {
  for (let turn = 0; turn < 10; turn += 1) await phone.db.meta.count();
};
const diskError = () => Promise.reject(new DOMException('Disk error', 'UnknownError'));

describe('between the tabs of one person', () => {
  test('the leader posts its status until it is deposed, and ignores the status of others', async () => {
    await open();
    phone.goOffline();
    phone.sync.sendNow();
    await phone.settle();
    await expect
      .poll(() => heard.at(-1))
      .toEqual({ kind: 'status', phase: 'waiting', reach: 'offline', isStorageFull: false });
    otherTab.post({ kind: 'status', phase: 'idle', reach: 'online', isStorageFull: true });
    await rest();
    expect(status()).toMatchObject({ phase: 'waiting', reach: 'offline', isStorageFull: false });
    const other = await phone.openTab();
    await phone.sync.stop();
    expect([status().phase, pokes.map(({ aborted }) => aborted)]).toEqual(['idle', [true]]);
    await expect.poll(() => (clock.advance(100), status(other).isLeader)).toBe(true);
    phone.sync.start();
    await rest();
    otherTab.post({ kind: 'status', phase: 'needs-update', reach: 'slow' });
    await expect.poll(() => status().phase).toBe('needs-update');
    await rest();
    expect(heard.filter((message) => message.kind === 'status' && message.phase === 'needs-update')).toEqual([]);
  });

  test('a follower shows the status it receives, also from an earlier release that does not say whether storage is full', async () => {
    await open();
    const other = await phone.openTab();
    await phone.db.meta.put({ key: 'lastSynced', value: '2026-04-01T00:00:00.000Z' });
    otherTab.post({ kind: 'status', phase: 'storage-blocked', reach: 'slow', isStorageFull: true });
    await expect
      .poll(() => status(other))
      .toMatchObject({
        phase: 'storage-blocked',
        reach: 'slow',
        isStorageFull: true,
        lastSynced: '2026-04-01T00:00:00.000Z',
      });
    otherTab.post({ kind: 'status', phase: 'waiting', reach: 'offline' });
    await expect.poll(() => status(other)).toMatchObject({ phase: 'waiting', reach: 'offline', isStorageFull: false });
    otherTab.post({ kind: 'may-i-lead' });
    otherTab.post({ kind: 'wake', reason: 'poke' });
    await rest();
    expect(status(other)).toMatchObject({ phase: 'waiting', reach: 'offline' });
    await other.sync.stop();
    otherTab.post({ kind: 'status', phase: 'idle', reach: 'online' });
    await rest();
    expect(status(other).reach).toBe('offline');
  });

  test('[C4] a follower that cannot read the time of the last sync logs it and continues', async () => {
    await open();
    const other = await phone.openTab();
    await expect.poll(() => status(other).lastSynced).not.toBeNull();
    Object.assign(other.db.meta, { get: diskError });
    otherTab.post({ kind: 'status', phase: 'waiting', reach: 'offline' });
    await expect.poll(() => said('storage-unread', other)).toEqual(['UnknownError: Disk error']);
    expect(status(other).phase).toBe('waiting');
  });

  test('a tap on "send now" is posted to the leader, which posts it to no other tab', async () => {
    await open();
    const other = await phone.openTab();
    heard.length = 0;
    other.sync.sendNow();
    await expect.poll(() => heard).toEqual([{ kind: 'wake', reason: 'tap' }]);
    phone.hold();
    heard.length = 0;
    phone.sync.sendNow();
    await phone.settle();
    expect(heard.filter(({ kind }) => kind === 'wake')).toEqual([]);
    harness.network.setMode(phone.name, 'offline');
    await phone.settle();
    phone.hold();
    otherTab.post({ kind: 'wake', reason: 'tap' });
    await expect.poll(() => phone.inFlight().length).toBe(1);
  });
});

describe('C11: free storage', () => {
  const storage = (changes: Partial<StoragePort> = {}): StoragePort => ({
    persist: async () => true,
    estimate: async () => ({ usage: 90, quota: 100 }),
    ...changes,
  });
  const sent: PhotoEntry = {
    id: makeTestId(),
    jobId: 'j',
    path: 'p',
    bytes: new ArrayBuffer(1),
    type: 'image/jpeg',
    name: 'n',
    state: 'uploaded',
    attempts: 0,
    error: null,
    addedAt: '',
  };
  const tick = async () => {
    clock.advance(30_000);
    await rest();
  };
  const tightnesses = () => phone.events.filter(({ kind }) => kind === 'storage-tight').length;

  test('is checked twice a minute: sent photos are deleted first, and only then is storage reported as tight', async () => {
    await open({ storage: storage() });
    await phone.db.photos.add(sent);
    await tick();
    expect([await phone.db.photos.count(), said('storage'), tightnesses()]).toEqual([0, ['relieved'], 0]);
    await tick();
    expect([said('storage'), tightnesses()]).toEqual([['relieved', 'tight'], 1]);
  });

  test('is not reported while there is enough; an estimate that fails is only logged', async () => {
    let isKnown = true;
    await open({ storage: storage({ estimate: async () => (isKnown ? { usage: 1, quota: 100 } : diskError()) }) });
    await tick();
    expect([said('storage'), said('storage-unknown'), tightnesses()]).toEqual([[], [], 0]);
    isKnown = false;
    await tick();
    expect([said('storage'), said('storage-unknown'), tightnesses()]).toEqual([[], ['UnknownError: Disk error'], 0]);
  });

  test.each([
    ['yes', async () => true, 'persist', 'true'],
    ['no', async () => false, 'persist', 'false'],
    ['an error', diskError, 'persist-failed', 'UnknownError: Disk error'],
  ])(
    'persist() is called with the first queued mutation, and its answer is logged: %s',
    async (_what, persist, event, detail) => {
      let asked = 0;
      await open({ storage: storage({ persist: () => ((asked += 1), persist()) }) });
      expect(await phone.sync.retryRejected(makeTestId())).toBeUndefined();
      expect(asked).toBe(0);
      await postGate(phone);
      await postGate(phone);
      await expect.poll(() => said(event)).toEqual([detail]);
      expect(asked).toBe(1);
    },
  );
});

test('an entry that the log on the device cannot store is still emitted as an event', async () => {
  await open();
  Object.assign(phone.db.log, { add: diskError });
  harness.server.changeTimeline();
  await harness.sync(phone);
  await rest();
  expect(said('log-lost')).toEqual([expect.stringContaining('Disk error')]);
  expect(said('reset')).toEqual(['lineage']);
});

describe('C9: a worker', () => {
  /** Its engine waits behind a leader that does not answer. */
  async function behindTab(): Promise<Tab> {
    await open();
    const worker = await phone.openTab();
    await worker.db.open();
    await worker.sync.stop();
    phone.hold();
    await postGate(phone);
    await phone.settle();
    clock.advance(100);
    heard.length = 0;
    return worker;
  }
  const isOver = (left: Promise<number>) => Promise.race([left, rest().then(() => undefined)]);

  test('wakes the leader, ends at its time limit though mutations wait, and returns how many', async () => {
    const worker = await behindTab();
    const left = worker.sync.drain(30_000);
    await expect.poll(() => heard).toContainEqual({ kind: 'wake', reason: 'sync' });
    // No status of a tab ends it while a mutation waits.
    otherTab.post({ kind: 'status', phase: 'waiting', reach: 'offline' });
    expect(await isOver(left)).toBeUndefined();
    clock.advance(29_000);
    expect(await isOver(left)).toBeUndefined();
    clock.advance(1_000);
    expect(await left).toBe(1);
    otherTab.post({ kind: 'status', phase: 'idle', reach: 'online' });
    await rest();
    expect(status(worker).reach).toBe('offline');
  });

  test('ends at once where a new version of the worker is to take over, and returns how many wait', async () => {
    const worker = await behindTab();
    const ending = new AbortController();
    const left = worker.sync.drain(30_000, ending.signal);
    expect(await isOver(left)).toBeUndefined();
    ending.abort();
    expect(await left).toBe(1);
    // Nothing of it is left to end a second time.
    clock.advance(30_000);
    expect(status(worker).isLeader).toBe(false);
  });

  test('checks what is left only after a status message', async () => {
    const worker = await behindTab();
    const left = worker.sync.drain(30_000);
    await phone.db.outbox.clear();
    otherTab.post({ kind: 'may-i-lead' });
    expect(await isOver(left)).toBeUndefined();
    otherTab.post({ kind: 'status', phase: 'idle', reach: 'online' });
    expect(await left).toBe(0);
  });

  test('[C4] that cannot read how much is left runs to its time limit, and then rejects', async () => {
    const worker = await behindTab();
    const left = worker.sync.drain(30_000);
    Object.assign(worker.db.outbox, { count: diskError });
    otherTab.post({ kind: 'status', phase: 'idle', reach: 'online' });
    expect(await isOver(left)).toBeUndefined();
    clock.advance(30_000);
    await expect(left).rejects.toThrow('Disk error');
  });
});
