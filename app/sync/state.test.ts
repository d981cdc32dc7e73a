import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { backoffMs } from './backoff.ts';
import { next, transitions, type LoopEvent, type State } from './state.ts';

const states = Object.keys(transitions) as State[];
const events = Object.keys(transitions.idle) as LoopEvent[];

describe('C8: the loop', () => {
  test('asks exactly where it says it is exchanging', () => {
    for (const state of states) {
      for (const event of events) {
        const { to, act } = next(state, event);
        if (act === 'exchange' || act === 'exchange-afresh' || act === 'go-again') expect(to).toBe('exchanging');
        // Into `exchanging` only by asking: or the state would say so without a request.
        if (to === 'exchanging' && state !== 'exchanging') expect(act).toMatch(/^exchange/);
      }
    }
  });

  test('a state that waits has a timer: each way into it sets one', () => {
    for (const waiting of ['waiting', 'storage-blocked'] as const) {
      for (const state of states.filter((from) => from !== waiting)) {
        for (const event of events)
          if (next(state, event).to === waiting) expect(next(state, event).act).toBe('back-off');
      }
      expect(next(waiting, 'due').act).toBe('exchange');
    }
  });

  test('I15: from every state there is a way back that needs no tap', () => {
    for (const state of states) {
      const freely = (['timer', 'hint', 'due', 'settled'] as const).map((event) => next(state, event).to);
      expect(freely.some((to) => to === 'exchanging' || to === 'idle')).toBe(true);
    }
  });

  test('a tap always asks, whatever the obstacle', () => {
    for (const state of states)
      expect(next(state, 'tap').act).toBe(state === 'exchanging' ? 'go-again' : 'exchange-afresh');
  });

  test('the late report of an exchange that was given up on changes nothing', () => {
    for (const state of states.filter((at) => at !== 'exchanging')) {
      for (const event of ['settled', 'more', 'fault', 'unauthorized', 'too-old'] as const) {
        expect(next(state, event)).toEqual({ to: state, act: 'none' });
      }
    }
  });

  test('a new write does not hammer a network that has just failed', () => {
    expect(next('waiting', 'wake')).toEqual({ to: 'waiting', act: 'none' });
    expect(next('needs-sign-in', 'wake')).toEqual({ to: 'needs-sign-in', act: 'none' });
  });
});

test('C8: back-off is 1 s to 60 s with full jitter', () => {
  const random = seededRandom(5);
  for (let failures = 1; failures < 200; failures += 1) {
    const ceiling = Math.min(60_000, 1_000 * 2 ** Math.min(failures - 1, 10));
    const wait = backoffMs(failures, random.next());
    expect(wait).toBeGreaterThanOrEqual(ceiling / 10);
    expect(wait).toBeLessThanOrEqual(ceiling);
  }
  expect([backoffMs(1, 0.999_999), backoffMs(3, 0.5), backoffMs(50, 0.999_999_9)]).toEqual([1_000, 2_000, 60_000]);
});
