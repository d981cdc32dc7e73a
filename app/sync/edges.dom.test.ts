import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { mustBeInFlight, openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import { memoryCollections } from '../testing/memory-collections.ts';
import { packRequest } from './pack-request.ts';

/* Edges of the loop that recover by themselves when they are wrong, so that only these tests would notice. */

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
beforeEach(async () => {
  clock = manualClock();
  // A network that seems to be there: what is tried on it counts as sent (C7).
  harness = await openDeviceHarness({ clock, ports: { seemsOnline: () => true } });
  phone = await harness.as(harness.addHomeowner());
});
afterEach(() => harness.close());

const question = { versions: {}, timelines: {}, marks: {} };
test('[C6][C7] a tab that no longer leads packs nothing: what waits is not marked as sent, and can still be cancelled', async () => {
  phone.goOffline();
  await phone.sync.stop();
  const { uid } = await postGate(phone);
  const epoch = must((await phone.db.meta.get('leader'))?.value as { epoch: number } | undefined, 'a leader').epoch;
  const options = {
    userId: phone.userId,
    collections: question,
    limit: 10,
    paging: undefined,
    seemsOnline: () => true,
    heardOffline: false,
  };
  const before = await phone.db.outbox.toArray();
  expect(await packRequest(phone.db, { ...options, epoch: epoch - 1 })).toBeUndefined();
  expect(await packRequest(phone.db, { ...options, epoch: epoch + 1 })).toBeUndefined();
  expect(await phone.db.outbox.toArray()).toEqual(before);
  expect(await phone.sync.cancel(uid)).toMatchObject({ kind: 'cancelled' });
});

/** The phone of a person whose session can end for good. */
async function openEndingSession(session: { isHere: boolean }): Promise<void> {
  await harness.close();
  const refresh = async () => 'signed-out' as const;
  harness = await openDeviceHarness({ clock, ports: { session: { isReady: async () => session.isHere, refresh } } });
  phone = await harness.as(harness.addHomeowner());
}

test('[C7] the session ended while a change was on its way: nothing of it was read, and it can still be cancelled', async () => {
  await openEndingSession({ isHere: true });
  phone.hold();
  const { uid } = await postGate(phone);
  await phone.settle();
  harness.network.expireTokens(phone.userId);
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect(phone.sync.status.current().phase).toBe('needs-sign-in');
  expect(await phone.db.outbox.toArray()).toMatchObject([{ uid, state: 'new', attempts: 0 }]);
  expect(await phone.sync.cancel(uid)).toMatchObject({ kind: 'cancelled' });
  expect(harness.server.decisions).toEqual([]);
});

test('[C7] a change of which an earlier request may have been read stays sent, though the next one was answered with 401', async () => {
  await openEndingSession({ isHere: true });
  phone.hold();
  const { uid } = await postGate(phone);
  await phone.settle();
  await mustBeInFlight(phone).dropAnswer();
  await phone.settle();
  harness.network.expireTokens(phone.userId);
  phone.sync.sendNow();
  await phone.settle();
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect(phone.sync.status.current().phase).toBe('needs-sign-in');
  expect(await phone.sync.cancel(uid)).toEqual({ kind: 'already-sent' });
  expect(harness.server.decisions).toMatchObject([{ uid }]);
});

test('[C7] where the session has ended already no request leaves, and no change counts as sent', async () => {
  const session = { isHere: true };
  await openEndingSession(session);
  session.isHere = false;
  phone.hold();
  const { uid } = await postGate(phone);
  await phone.settle();
  expect(phone.sync.status.current().phase).toBe('needs-sign-in');
  expect(phone.inFlight()).toEqual([]);
  expect(await phone.sync.cancel(uid)).toMatchObject({ kind: 'cancelled' });
});

test('[P4][P6] a reset between two pages ends the paging: what waits is sent again, and not only awaited', async () => {
  phone.goOffline();
  const { uid } = await postGate(phone);
  for (let at = 0; at < 5; at += 1) {
    harness.server.write((rows) => {
      const job = makeJob({ userId: phone.userId });
      rows.jobs.set(job.id, job);
    });
  }
  harness.server.setPageSize(2);
  phone.hold();
  phone.sync.sendNow();
  await phone.settle();
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect(mustBeInFlight(phone).request).toMatchObject({ mutations: [], awaiting: [uid] });
  harness.server.changeTimeline();
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect(mustBeInFlight(phone).request).toMatchObject({ cookie: null, mutations: [{ uid }], awaiting: [] });
});

test('[C8] a poke that comes while it asks is not forgotten, though nothing waits to be sent', async () => {
  phone.hold();
  phone.sync.sendNow();
  await phone.settle();
  phone.sync.wakeUp('poke');
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect(phone.inFlight()).toHaveLength(1);
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect(phone.inFlight()).toHaveLength(0);
});

test('[I5] a mutation that no longer applies does not hide the effects of those after it', async () => {
  const [gone, kept] = [makeJob({ userId: phone.userId }), makeJob({ userId: phone.userId })];
  harness.server.write((rows) => [gone, kept].forEach((job) => rows.jobs.set(job.id, job)));
  await harness.sync(phone);
  phone.goOffline();
  for (const job of [gone, kept])
    await phone.sync.mutate('job.edit', { id: job.id, set: { title: 'Mine' }, base: { title: job.title } });
  harness.server.write((rows) => rows.jobs.set(gone.id, { ...gone, status: 'closed', closedAt: harness.server.now() }));
  // An answer that decides neither: its rows are written under what waits.
  harness.server.setFault(() => true);
  phone.goOnline();
  await harness.sync(phone);
  expect(await phone.db.outbox.count()).toBe(2);
  expect(await phone.db.jobs.get(gone.id)).toMatchObject({ status: 'closed', title: gone.title });
  expect(await phone.db.jobs.get(kept.id)).toMatchObject({ title: 'Mine' });
});

test('[C6] each leader has an epoch of its own, also where the one before has ended well', async () => {
  const epochNow = async () =>
    must((await phone.db.meta.get('leader'))?.value as { epoch: number } | undefined, 'a leader').epoch;
  const seen = [await epochNow()];
  for (let round = 0; round < 3; round += 1) {
    await phone.reopen();
    seen.push(await epochNow());
  }
  expect(new Set(seen).size).toBe(4);
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
});

test('[C8][C13] the watchdog restarts the loop where a question hangs before it was ever sent', async () => {
  await harness.close();
  let hangs = false;
  const collections = memoryCollections(() => undefined);
  const asked = () => (hangs ? new Promise<never>(() => undefined) : collections.asked());
  harness = await openDeviceHarness({ clock, collections: () => ({ ...collections, asked }) });
  phone = await harness.as(harness.addHomeowner());
  hangs = true;
  const { uid } = await postGate(phone);
  expect(phone.sync.status.current().phase).toBe('exchanging');
  hangs = false;
  for (let tick = 0; tick < 3; tick += 1) clock.advance(30_000);
  expect(await phone.sync.waitFor(uid, Infinity)).toEqual({ kind: 'applied' });
  expect(phone.events).toContainEqual({ kind: 'log', event: 'watchdog', detail: 'exchanging' });
});
