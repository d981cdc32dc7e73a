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
/** Another tab of the same browser, in the hand of the test. */
let hand: ChannelPort;
let heard: ChannelMessage[];
let pokes: AbortSignal[];
beforeEach(() => {
  clock = manualClock();
});
afterEach(() => harness.close());

async function open(ports: Partial<SyncPorts> = {}): Promise<void> {
  const faces = fakeChannel();
  hand = faces();
  heard = [];
  pokes = [];
  hand.listen((message) => void heard.push(message));
  harness = await openDeviceHarness({
    clock,
    ports: { channel: faces(), random: { ...seededRandom(7), next: () => 0.9 }, pokes: (_onPoke, signal) => void pokes.push(signal), ...ports },
  });
  phone = await harness.as(harness.addHomeowner());
}
const said = (event: string, tab: Tab = phone) => tab.events.flatMap((each) => (each.kind === 'log' && each.event === event ? [each.detail] : []));
const status = (tab: Tab = phone) => tab.sync.status.get();
/** Lets what is under way on the disk come to its end. */
const rest = async () => {
  for (let turn = 0; turn < 10; turn += 1) await phone.db.meta.count();
};
const diskError = () => Promise.reject(new DOMException('Disk error', 'UnknownError'));

describe('between the tabs of one person', () => {
  test('who leads tells how it stands until it leads no more, and is told nothing about that', async () => {
    await open();
    phone.goOffline();
    phone.sync.sendNow();
    await phone.settle();
    await expect.poll(() => heard.at(-1)).toEqual({ kind: 'status', phase: 'waiting', reach: 'offline', isStorageFull: false });
    hand.post({ kind: 'status', phase: 'idle', reach: 'online', isStorageFull: true });
    await rest();
    expect(status()).toMatchObject({ phase: 'waiting', reach: 'offline', isStorageFull: false });
    const other = await phone.openTab();
    await phone.sync.stop();
    expect([status().phase, pokes.map(({ aborted }) => aborted)]).toEqual(['idle', [true]]);
    await expect.poll(() => (clock.advance(100), status(other).isLeader)).toBe(true);
    phone.sync.start();
    await rest();
    hand.post({ kind: 'status', phase: 'needs-update', reach: 'slow' });
    await expect.poll(() => status().phase).toBe('needs-update');
    await rest();
    expect(heard.filter((message) => message.kind === 'status' && message.phase === 'needs-update')).toEqual([]);
  });

  test('who does not lead shows what it is told, also by a tab of before that says nothing of the room', async () => {
    await open();
    const other = await phone.openTab();
    await phone.db.meta.put({ key: 'lastSynced', value: '2026-04-01T00:00:00.000Z' });
    hand.post({ kind: 'status', phase: 'storage-blocked', reach: 'slow', isStorageFull: true });
    await expect.poll(() => status(other)).toMatchObject({ phase: 'storage-blocked', reach: 'slow', isStorageFull: true, lastSynced: '2026-04-01T00:00:00.000Z' });
    hand.post({ kind: 'status', phase: 'waiting', reach: 'offline' });
    await expect.poll(() => status(other)).toMatchObject({ phase: 'waiting', reach: 'offline', isStorageFull: false });
    hand.post({ kind: 'may-i-lead' });
    hand.post({ kind: 'wake', reason: 'poke' });
    await rest();
    expect(status(other)).toMatchObject({ phase: 'waiting', reach: 'offline' });
    await other.sync.stop();
    hand.post({ kind: 'status', phase: 'idle', reach: 'online' });
    await rest();
    expect(status(other).reach).toBe('offline');
  });

  test('[C4] where it cannot read when that was, it says so in its log and goes on', async () => {
    await open();
    const other = await phone.openTab();
    await expect.poll(() => status(other).lastSynced).not.toBeNull();
    Object.assign(other.db.meta, { get: diskError });
    hand.post({ kind: 'status', phase: 'waiting', reach: 'offline' });
    await expect.poll(() => said('storage-unread', other)).toEqual(['UnknownError: Disk error']);
    expect(status(other).phase).toBe('waiting');
  });

  test('a wish to send goes to who leads, and from there to nobody', async () => {
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
    hand.post({ kind: 'wake', reason: 'tap' });
    await expect.poll(() => phone.inFlight().length).toBe(1);
  });
});

describe('C11: room', () => {
  const storage = (changes: Partial<StoragePort> = {}): StoragePort => ({ persist: async () => true, estimate: async () => ({ usage: 90, quota: 100 }), ...changes });
  const sent: PhotoEntry = { id: makeTestId(), jobId: 'j', path: 'p', bytes: new ArrayBuffer(1), type: 'image/jpeg', name: 'n', state: 'uploaded', attempts: 0, error: null, addedAt: '' };
  const tick = async () => {
    clock.advance(30_000);
    await rest();
  };
  const tightnesses = () => phone.events.filter(({ kind }) => kind === 'storage-tight').length;

  test('is looked at twice a minute: sent photos go first, and images are next where there are none', async () => {
    await open({ storage: storage() });
    await phone.db.photos.add(sent);
    await tick();
    expect([await phone.db.photos.count(), said('storage'), tightnesses()]).toEqual([0, ['relieved'], 0]);
    await tick();
    expect([said('storage'), tightnesses()]).toEqual([['relieved', 'tight'], 1]);
  });

  test('of which there is enough is not spoken of, nor is what the browser does not tell more than in the log', async () => {
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
    ['nothing that could be understood', diskError, 'persist-failed', 'UnknownError: Disk error'],
  ])('asked to keep the data, the browser says %s; it is not asked where nothing was queued', async (_what, persist, event, detail) => {
    let asked = 0;
    await open({ storage: storage({ persist: () => ((asked += 1), persist()) }) });
    expect(await phone.sync.retry(makeTestId())).toBeUndefined();
    expect(asked).toBe(0);
    await postGate(phone);
    await postGate(phone);
    await expect.poll(() => said(event)).toEqual([detail]);
    expect(asked).toBe(1);
  });
});

test('an entry that the log on the device cannot take is told all the same', async () => {
  await open();
  Object.assign(phone.db.log, { add: diskError });
  harness.server.changeTimeline();
  await harness.sync(phone);
  await rest();
  expect(said('log-lost')).toEqual([expect.stringContaining('Disk error')]);
  expect(said('reset')).toEqual(['lineage']);
});

describe('C9: a worker', () => {
  /** Its engine stands in the queue behind a tab that leads and does not answer. */
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

  test('wakes the tab that leads, goes after its time though something waits, and says how much', async () => {
    const worker = await behindTab();
    const left = worker.sync.drain(30_000);
    await expect.poll(() => heard).toContainEqual({ kind: 'wake', reason: 'sync' });
    // No word of a tab ends it while something waits.
    hand.post({ kind: 'status', phase: 'waiting', reach: 'offline' });
    expect(await isOver(left)).toBeUndefined();
    clock.advance(29_000);
    expect(await isOver(left)).toBeUndefined();
    clock.advance(1_000);
    expect(await left).toBe(1);
    hand.post({ kind: 'status', phase: 'idle', reach: 'online' });
    await rest();
    expect(status(worker).reach).toBe('offline');
  });

  test('hears of nothing but how the tab stands: another word is no reason to look, nor to go', async () => {
    const worker = await behindTab();
    const left = worker.sync.drain(30_000);
    await phone.db.outbox.clear();
    hand.post({ kind: 'may-i-lead' });
    expect(await isOver(left)).toBeUndefined();
    hand.post({ kind: 'status', phase: 'idle', reach: 'online' });
    expect(await left).toBe(0);
  });

  test('[C4] that cannot read how much is left does not go for that, and says so in the end', async () => {
    const worker = await behindTab();
    const left = worker.sync.drain(30_000);
    Object.assign(worker.db.outbox, { count: diskError });
    hand.post({ kind: 'status', phase: 'idle', reach: 'online' });
    expect(await isOver(left)).toBeUndefined();
    clock.advance(30_000);
    await expect(left).rejects.toThrow('Disk error');
  });
});
