import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { createDeferred } from '../testing/deferred.ts';
import { deltaWith, failed, unwell } from '../testing/answers.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import {
  openDeviceHarness,
  type DeviceHarness,
  type DeviceHarnessOptions,
  type Phone,
} from '../testing/open-device-harness.ts';
import type { TransportFailure, TransportResult } from './ports.ts';

/* What the status bar says of the network and of obstacles, with answers that the test gives. */

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
let asked: ExchangeRequest[];
/** The next answers, in order; the last one repeats. */
let answers: (TransportResult | Promise<TransportResult>)[];
beforeEach(() => {
  clock = manualClock();
  asked = [];
  answers = [deltaWith()];
});
afterEach(() => harness.close());

async function open(options: DeviceHarnessOptions = {}): Promise<void> {
  harness = await openDeviceHarness({
    clock,
    ...options,
    ports: {
      transport: async (request) => {
        asked.push(request);
        return must(answers.length > 1 ? answers.shift() : answers[0], 'an answer');
      },
      ...options.ports,
    },
  });
  phone = await harness.as(harness.addHomeowner());
  asked = [];
}
const status = () => phone.sync.status.current();
const tap = async () => {
  phone.sync.sendNow();
  await phone.settle();
};
const pass = async (ms: number) => {
  clock.advance(ms);
  await phone.settle();
};

describe('reach', () => {
  test.each<[TransportFailure, string]>([
    [{ kind: 'network', heard: true, why: 'not ours, 200' }, 'unreachable'],
    [{ kind: 'network', heard: false, why: 'TypeError' }, 'offline'],
    [{ kind: 'server', status: 500, why: 'internal' }, 'unreachable'],
    [{ kind: 'busy', retryAfterMs: 1_000 }, 'unreachable'],
    [{ kind: 'unauthorized' }, 'online'],
    [{ kind: 'too-large' }, 'online'],
    [{ kind: 'profile-missing' }, 'online'],
  ])('%o', async (failure, reach) => {
    await open();
    answers = [failed(failure)];
    await tap();
    expect(status()).toMatchObject({ reach, isProfileMissing: failure.kind === 'profile-missing' });
    answers = [deltaWith()];
    await tap();
    expect(status()).toMatchObject({ reach: 'online', isProfileMissing: false });
  });

  /** A request without an answer so far. */
  async function ask() {
    const answer = createDeferred<TransportResult>();
    answers = [answer.promise];
    phone.sync.sendNow();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    return answer;
  }

  test('a phone that lies there and loses its signal says so at once, and not at the next question a minute later', async () => {
    await open();
    answers = [failed({ kind: 'network', heard: false, why: 'TypeError' })];
    phone.sync.wakeUp('offline');
    await phone.settle();
    expect([status().reach, asked.length]).toEqual(['offline', 1]);
    phone.sync.wakeUp('offline');
    await phone.settle();
    expect(asked).toHaveLength(1);
  });

  test('an answer that takes 4 s or more is slow, a faster one is not', async () => {
    await open();
    const answer = await ask();
    clock.advance(3_999);
    expect(status().reach).toBe('online');
    clock.advance(1);
    expect(status().reach).toBe('slow');
    clock.advance(1);
    answer.resolve(deltaWith());
    await phone.settle();
    expect(status().reach).toBe('slow');
    answers = [deltaWith()];
    await tap();
    expect(status().reach).toBe('online');
    await pass(5_000);
    expect(status().reach).toBe('online');
  });

  test.each<[TransportFailure, string]>([
    [{ kind: 'network', heard: false, why: '' }, 'offline'],
    [{ kind: 'network', heard: true, why: '' }, 'unreachable'],
  ])('a server that last failed with %o is not called slow', async (failure, reach) => {
    await open();
    answers = [failed(failure)];
    await tap();
    asked = [];
    const answer = await ask();
    clock.advance(5_000);
    expect(status().reach).toBe(reach);
    answer.resolve(deltaWith());
    await phone.settle();
  });

  test.each([
    [true, 'slow'],
    [false, 'unknown'],
  ])('just opened, where navigator.onLine is %s, 4 s without an answer are: %s', async (seemsOnline, reach) => {
    await open({ ports: { seemsOnline: () => seemsOnline } });
    const answer = createDeferred<TransportResult>();
    answers = [answer.promise];
    const opening = phone.reopen();
    await expect.poll(() => asked.length).toBe(1);
    clock.advance(3_999);
    expect(status().reach).toBe('unknown');
    clock.advance(1);
    expect(status().reach).toBe(reach);
    answer.resolve(deltaWith());
    await opening;
  });
});

describe('an obstacle stays shown while a background attempt checks whether it is still there, and no longer', () => {
  test.each<[string, TransportResult]>([
    ['needs-sign-in', failed({ kind: 'other-person' })],
    ['needs-update', failed({ kind: 'too-old' })],
  ])('%s', async (phase, answer) => {
    await open();
    answers = [answer];
    await tap();
    expect(status()).toMatchObject({ phase, isAsking: false });
    const next = createDeferred<TransportResult>();
    answers = [next.promise];
    phone.sync.wakeUp('online');
    expect(status()).toMatchObject({ phase, isAsking: true });
    next.resolve(unwell);
    await phone.settle();
    expect(status()).toMatchObject({ phase: 'waiting', isAsking: false });
    const last = createDeferred<TransportResult>();
    answers = [last.promise];
    phone.sync.sendNow();
    expect(status()).toMatchObject({ phase: 'exchanging', isAsking: true });
    last.resolve(deltaWith());
    await phone.settle();
    expect(status()).toMatchObject({ phase: 'idle', isAsking: false });
  });

  test('storage-blocked', async () => {
    await open();
    const transaction = phone.db.transaction.bind(phone.db);
    Object.assign(phone.db, { transaction: () => Promise.reject(new DOMException('Disk error', 'UnknownError')) });
    await tap();
    expect(status()).toMatchObject({ phase: 'storage-blocked', isAsking: false, isStorageFull: false });
    Object.assign(phone.db, { transaction });
    const next = createDeferred<TransportResult>();
    answers = [next.promise];
    phone.sync.sendNow();
    expect(status()).toMatchObject({ phase: 'storage-blocked', isAsking: true });
    next.resolve(deltaWith());
    await expect.poll(status).toMatchObject({ phase: 'idle', isAsking: false });
  });
});
