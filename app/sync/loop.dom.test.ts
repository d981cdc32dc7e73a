import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { deltaWith, failed, resetFor, unwell } from '../testing/answers.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { memoryCollections } from '../testing/memory-collections.ts';
import {
  openDeviceHarness,
  type DeviceHarness,
  type DeviceHarnessOptions,
  type Phone,
} from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import type { Decided, SessionPort, TransportResult } from './ports.ts';

/* The loop against answers that the test gives. */

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
let asked: ExchangeRequest[];
/** The next answers, in order; the last one repeats. */
let answers: TransportResult[];
beforeEach(() => {
  clock = manualClock();
  asked = [];
  answers = [deltaWith()];
});
afterEach(() => harness.close());

/** An answer that applies everything sent. */
const appliesAll = () =>
  deltaWith({ outcomes: must(asked.at(-1), 'a question').mutations.map(({ uid }) => ({ uid, status: 'applied' })) });

const sessionWith = (refresh: SessionPort['refresh']): SessionPort => ({ isReady: async () => true, refresh });

let respond: (() => TransportResult) | undefined;
async function open(options: DeviceHarnessOptions = {}): Promise<void> {
  respond = undefined;
  harness = await openDeviceHarness({
    clock,
    ...options,
    ports: {
      random: { ...seededRandom(7), next: () => 0.9 },
      transport: async (request) => {
        asked.push(request);
        return respond === undefined ? must(answers.length > 1 ? answers.shift() : answers[0], 'an answer') : respond();
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
/** The details of this event in the device's log. */
const said = (event: string) =>
  phone.events.flatMap((each) => (each.kind === 'log' && each.event === event ? [each.detail] : []));
const pass = async (ms: number) => {
  clock.advance(ms);
  await phone.settle();
};

describe('C8: back-off', () => {
  /** Sends the next request after exactly this time. */
  async function expectAskedAfter(ms: number): Promise<void> {
    const before = asked.length;
    await pass(ms - 1);
    expect(asked.length).toBe(before);
    await pass(1);
    expect(asked.length).toBe(before + 1);
  }

  test('doubles from 1 s to 60 s, and restarts after a success, a tap and a new session', async () => {
    await open();
    phone.setVisible(false);
    answers = [unwell];
    await tap();
    for (const wait of [900, 1_800, 3_600, 7_200, 14_400, 28_800, 54_000, 54_000]) await expectAskedAfter(wait);
    await tap();
    await expectAskedAfter(900);
    await expectAskedAfter(1_800);
    phone.sync.wakeUp('signed-in');
    await phone.settle();
    await expectAskedAfter(900);
    answers = [deltaWith(), unwell];
    await pass(1_800);
    expect(status().phase).toBe('idle');
    phone.sync.wakeUp('poke');
    await phone.settle();
    await expectAskedAfter(900);
  });

  test.each([
    [20_000, 20_000],
    [3_600_000, 60_000],
    [0, 900],
  ])('a Retry-After of %i ms is a wait of %i', async (retryAfterMs, wait) => {
    await open();
    phone.setVisible(false);
    answers = [failed({ kind: 'busy', retryAfterMs })];
    await tap();
    await expectAskedAfter(wait);
  });

  test('a tap replaces the scheduled retry', async () => {
    await open();
    phone.setVisible(false);
    answers = [failed({ kind: 'busy', retryAfterMs: 20_000 })];
    await tap();
    await pass(15_000);
    await tap();
    await expectAskedAfter(20_000);
  });

  test('a wake retries at once, unless the server has said when', async () => {
    await open();
    phone.setVisible(false);
    answers = [unwell];
    await tap();
    answers = [failed({ kind: 'busy', retryAfterMs: 20_000 })];
    phone.sync.wakeUp('visible');
    await phone.settle();
    expect(asked).toHaveLength(2);
    phone.sync.wakeUp('visible');
    phone.sync.wakeUp('enqueue');
    await phone.settle();
    expect(asked).toHaveLength(2);
    answers = [failed({ kind: 'too-old' })];
    await expectAskedAfter(20_000);
    // Another obstacle than Retry-After: a wake counts again.
    phone.sync.wakeUp('online');
    await phone.settle();
    expect(asked).toHaveLength(4);
  });
});

describe('what keeps the loop from running for ever, and from stopping too soon', () => {
  test('L2: after an answer that decides nothing of what was sent the loop backs off, and the person may see why', async () => {
    await open();
    answers = [deltaWith()];
    await postGate(phone);
    await phone.settle();
    expect([asked.length, status().phase, said('loop-waiting')]).toEqual([1, 'waiting', ['nothing was decided']]);
    expect(must(await phone.db.outbox.toCollection().first(), 'the post').lastError).toMatch(/not decided this yet/);
    respond = appliesAll;
    await pass(900);
    expect([await phone.db.outbox.count(), status().phase]).toEqual([0, 'idle']);
    // The log has the one failure of the loop, and nothing of its successes.
    expect(
      phone.events.flatMap((event) => (event.kind === 'log' && event.event.startsWith('loop-') ? [event.event] : [])),
    ).toEqual(['loop-waiting']);
  });

  test('L3: a whole answer sets the count of resets back', async () => {
    await open();
    for (let round = 0; round < 4; round += 1) {
      answers = [resetFor('lineage'), deltaWith()];
      await tap();
      expect(status().phase).toBe('idle');
    }
    expect(said('reset')).toEqual(['lineage', 'lineage', 'lineage', 'lineage']);
    expect(said('loop-waiting')).toEqual([]);
  });

  test('L4: a session is renewed once until an answer has been applied', async () => {
    let renewals = 0;
    await open({ ports: { session: sessionWith(async () => ((renewals += 1), 'refreshed')) } });
    for (let round = 1; round <= 2; round += 1) {
      answers = [failed({ kind: 'unauthorized' }), deltaWith()];
      await tap();
      expect([status().phase, renewals]).toEqual(['idle', round]);
    }
    answers = [failed({ kind: 'unauthorized' })];
    await tap();
    expect([status().phase, renewals]).toEqual(['needs-sign-in', 3]);
    // A later attempt may renew again.
    await pass(60_000);
    expect(renewals).toBe(4);
  });

  test('L4: so is one that had expired before the app was opened', async () => {
    let renewals = 0;
    answers = [failed({ kind: 'unauthorized' }), deltaWith()];
    await open({ ports: { session: sessionWith(async () => ((renewals += 1), 'refreshed')) } });
    expect([status().phase, renewals]).toEqual(['idle', 1]);
  });

  test('a renewal without an answer counts as no network, and a rejected one ends the session', async () => {
    let outcome: 'network' | 'signed-out' = 'network';
    await open({ ports: { session: sessionWith(async () => outcome) } });
    answers = [failed({ kind: 'unauthorized' })];
    await tap();
    expect([status().phase, said('loop-waiting')]).toEqual(['waiting', ['session not renewed']]);
    outcome = 'signed-out';
    await pass(900);
    expect(status().phase).toBe('needs-sign-in');
  });

  test('L5: after a 400 fewer mutations are sent, after a 500 as many; the limit grows again with what is decided', async () => {
    await open();
    answers = [failed({ kind: 'network', heard: false, why: '' })];
    for (const title of ['1', '2', '3', '4', '5', '6', '7', '8']) await postGate(phone, title);
    await phone.settle();
    asked = [];
    answers = [unwell];
    await tap();
    const bad = failed({ kind: 'server', status: 400, why: 'invalid' });
    answers = [bad, bad, bad, deltaWith()];
    respond = undefined;
    await tap();
    expect(asked.map(({ mutations }) => mutations.length)).toEqual([8, 8, 4, 2, 1]);
    asked = [];
    respond = appliesAll;
    await tap();
    expect(asked.map(({ mutations }) => mutations.length)).toEqual([1, 2, 4, 1]);
  });

  test('L8: collections that always have more to ask get two more exchanges, and again at the next wake', async () => {
    const collections = memoryCollections(() => undefined);
    let hasMore = true;
    await open({ collections: () => ({ ...collections, hasMoreToAsk: async () => hasMore }) });
    await tap();
    // Three exchanges while it opened; after the third, hasMoreToAsk is ignored.
    expect(asked).toHaveLength(1);
    hasMore = false;
    await tap();
    hasMore = true;
    asked = [];
    await tap();
    expect([asked.length, status().phase]).toEqual([3, 'idle']);
  });
});

describe('notifications', () => {
  test('the upload queues hear of each outcome and each whole answer, the screens of rejections; neither of an empty list', async () => {
    const decided: (readonly Decided[])[] = [];
    let exchanges = 0;
    await open({
      ports: { uploads: { onDecided: (each) => void decided.push(each), afterExchange: () => void (exchanges += 1) } },
    });
    const before = exchanges;
    await tap();
    expect([decided, exchanges - before]).toEqual([[], 1]);
    answers = [unwell];
    const uids = [await postGate(phone, 'One'), await postGate(phone, 'Two'), await postGate(phone, 'Three')].map(
      ({ uid }) => uid,
    );
    await phone.settle();
    answers = [
      deltaWith({ more: true, cookie: 'p1' }),
      deltaWith({
        outcomes: [
          { uid: uids[0] ?? '', status: 'applied' },
          { uid: uids[1] ?? '', status: 'refused', code: 'invalid' },
          { uid: uids[2] ?? '', status: 'parked' },
        ],
      }),
    ];
    await tap();
    expect(decided.map((each) => each.map(({ outcome }) => outcome.status))).toEqual([
      ['applied', 'refused', 'parked'],
    ]);
    // No decision is told after a page, nor after an error.
    expect(exchanges - before).toBe(2);
    expect(phone.events.filter(({ kind }) => kind === 'rejected')).toEqual([
      { kind: 'rejected', uid: uids[1], code: 'invalid' },
      { kind: 'rejected', uid: uids[2], code: 'parked' },
    ]);
    expect(phone.events.filter(({ kind }) => kind === 'decided')).toEqual([{ kind: 'decided', decided: decided[0] }]);
    expect([said('applied'), said('refused'), said('parked')]).toEqual([[], [`${uids[1]} invalid`], [`${uids[2]} `]]);
  });
});
