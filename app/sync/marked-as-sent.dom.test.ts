import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { deltaWith, failed, unwell } from '../testing/answers.ts';
import { createDeferred } from '../testing/deferred.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { memoryCollections } from '../testing/memory-collections.ts';
import {
  openDeviceHarness,
  type DeviceHarness,
  type DeviceHarnessOptions,
  type Phone,
} from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import type { TransportResult } from './ports.ts';

/* What the browser says of the network decides what counts as sent (C7), until an answer shows that it is wrong. */

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
let asked: ExchangeRequest[];
/** The next answers, in order; the last one repeats. */
let answers: (TransportResult | Promise<TransportResult>)[];
let respond: (() => TransportResult) | undefined;
beforeEach(() => {
  clock = manualClock();
  asked = [];
  answers = [deltaWith()];
  respond = undefined;
});
afterEach(() => harness.close());

/** An answer that applies everything sent. */
const appliesAll = () =>
  deltaWith({ outcomes: must(asked.at(-1), 'a question').mutations.map(({ uid }) => ({ uid, status: 'applied' })) });

async function open(options: DeviceHarnessOptions): Promise<void> {
  harness = await openDeviceHarness({
    clock,
    ...options,
    ports: {
      transport: async (request) => {
        asked.push(request);
        return respond?.() ?? must(answers.length > 1 ? answers.shift() : answers[0], 'an answer');
      },
      ...options.ports,
    },
  });
  phone = await harness.as(harness.addHomeowner());
  asked = [];
}

test('[C7] opened without a network, it probes the server before any mutation counts as sent', async () => {
  await open({ ports: { seemsOnline: () => false } });
  await phone.sync.stop();
  await postGate(phone);
  asked = [];
  answers = [failed({ kind: 'network', heard: false, why: '' })];
  await phone.reopen();
  expect([
    asked.map(({ mutations }) => mutations.length),
    (await phone.db.outbox.toArray()).map(({ state }) => state),
  ]).toEqual([[0], ['new']]);
});

test('[C7] made after the network was lost, a mutation can still be cancelled: the server was heard while there was one', async () => {
  let isOnline = true;
  await open({ ports: { seemsOnline: () => isOnline } });
  isOnline = false;
  asked = [];
  answers = [failed({ kind: 'network', heard: false, why: '' })];
  await postGate(phone);
  await phone.settle();
  const [entry] = await phone.db.outbox.toArray();
  expect([asked.map(({ mutations }) => mutations.length), entry?.state]).toEqual([[0], 'new']);
});

test('[C7] made as the network goes, while the exchange before is under way, a mutation can still be cancelled', async () => {
  let isOnline = true;
  await open({ ports: { seemsOnline: () => isOnline } });
  const underWay = createDeferred<TransportResult>();
  answers = [underWay.promise, failed({ kind: 'network', heard: false, why: '' })];
  phone.sync.sendNow();
  await expect.poll(() => asked.length).toBe(1);
  isOnline = false;
  await postGate(phone);
  underWay.resolve(deltaWith());
  await phone.settle();
  const [entry] = await phone.db.outbox.toArray();
  expect([asked.map(({ mutations }) => mutations.length), entry?.state]).toEqual([[0, 0], 'new']);
});

test('[C7] so can one that is made before the exchange has looked at what waits', async () => {
  let isOnline = true;
  const looked = createDeferred<undefined>();
  const begun = createDeferred<undefined>();
  let isHeld = false;
  const collections = memoryCollections(() => undefined);
  await open({
    ports: { seemsOnline: () => isOnline },
    collections: () => ({
      ...collections,
      asked: async () => {
        if (isHeld) {
          begun.resolve(undefined);
          await looked.promise;
        }
        return collections.asked();
      },
    }),
  });
  isHeld = true;
  answers = [failed({ kind: 'network', heard: false, why: '' })];
  phone.sync.sendNow();
  await begun.promise;
  isOnline = false;
  await postGate(phone);
  looked.resolve(undefined);
  await phone.settle();
  const [entry] = await phone.db.outbox.toArray();
  expect(entry?.state).toBe('new');
});

test('an answer overrides what the browser says of the network', async () => {
  await open({ ports: { seemsOnline: () => false } });
  expect(phone.sync.status.current().phase).toBe('idle');
  respond = appliesAll;
  await postGate(phone);
  await phone.settle();
  expect(asked.map(({ mutations }) => mutations.length)).toEqual([1]);
  respond = undefined;
  answers = [unwell, deltaWith(), deltaWith()];
  await postGate(phone);
  await phone.settle();
  asked = [];
  respond = appliesAll;
  clock.advance(1_000);
  await phone.settle();
  // After an error it probes, with what was sent before.
  expect(asked.map(({ mutations }) => mutations.length)).toEqual([1]);
});

const states = async () => [
  ...new Set((await phone.db.outbox.toArray()).map(({ state, attempts }) => `${state} ${attempts}`)),
];

/** Twelve are made without a network; now there is one. */
async function openWithMany(): Promise<void> {
  let isOnline = true;
  await open({ ports: { seemsOnline: () => isOnline } });
  isOnline = false;
  answers = [failed({ kind: 'network', heard: false, why: '' })];
  for (let at = 0; at < 12; at += 1) await postGate(phone);
  await phone.settle();
  asked = [];
  isOnline = true;
}

async function sendMany(answer: () => TransportResult): Promise<void> {
  await openWithMany();
  respond = answer;
  phone.sync.sendNow();
  await phone.settle();
  expect(asked[0]?.mutations).toHaveLength(12);
}

test('[C7] a long queue whose request a 401 turned back counts as never sent', async () => {
  await sendMany(() => failed({ kind: 'unauthorized' }));
  expect(await states()).toEqual(['new 0']);
});

test('[C7] one whose answer was lost counts as sent', async () => {
  await sendMany(() => failed({ kind: 'network', heard: false, why: '' }));
  expect(await states()).toEqual(['sent 1']);
});

test('[C7] what the server did not decide of it counts as sent', async () => {
  await sendMany(() => {
    const uids = asked[0]!.mutations.map(({ uid }) => uid);
    return deltaWith({
      outcomes: uids.slice(0, 5).map((uid) => ({ uid, status: 'applied' })),
      stopped: { uid: uids[5]!, retryAfterMs: 60_000 },
    });
  });
  expect([await states(), await phone.db.outbox.count()]).toEqual([['sent 1'], 7]);
  expect(await phone.db.meta.get('sending')).toBeUndefined();
});

test('[C7] while its answer takes its time, each is shown as being sent', async () => {
  const underWay = createDeferred<TransportResult>();
  await openWithMany();
  answers = [underWay.promise];
  phone.sync.sendNow();
  await expect.poll(() => asked.length).toBe(1);
  expect(await states()).toEqual(['new 0']);
  clock.advance(500);
  await expect.poll(states).toEqual(['sent 1']);
  underWay.resolve(appliesAll());
  await phone.settle();
  expect(await phone.db.outbox.count()).toBe(0);
});
