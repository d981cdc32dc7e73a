import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { backoffMs } from './backoff.ts';
import { onReport, onSignal, type Next, type Phase, type Signal } from './state.ts';

const states = Object.keys(onSignal) as Phase[];
const signals = Object.keys(onSignal.idle) as Signal[];

describe('C8: the loop', () => {
  test('is woken meanwhile where it asks, and there alone; no signal begins a second exchange', () => {
    const statesThat = (act: Next['act']) =>
      states.filter((state) => signals.some((signal) => onSignal[state][signal].act === act));
    expect(statesThat('go-again')).toEqual(['exchanging']);
    expect(statesThat('exchange')).toEqual(states.filter((state) => state !== 'exchanging'));
  });

  test('a state with a timer asks when it is over', () => {
    const timed = Object.values(onReport).flatMap((next) => (next.act === 'back-off' ? [next.to] : []));
    expect(timed.map((state) => onSignal[state].due)).toEqual([{ act: 'exchange' }, { act: 'exchange' }]);
  });

  test('I15: from every state there is a way back that needs no tap', () => {
    for (const state of states.filter((at) => at !== 'exchanging')) {
      const freely = (['timer', 'hint', 'due'] as const).map((signal) => onSignal[state][signal].act);
      expect(freely).toContain('exchange');
    }
    expect(onReport.settled).toEqual({ act: 'rest', to: 'idle' });
  });

  test('a tap always asks, whatever the obstacle', () => {
    for (const state of states) expect(onSignal[state].tap.act).toBe(state === 'exchanging' ? 'go-again' : 'exchange');
  });

  test('a new write does not hammer a network that has just failed', () => {
    expect([onSignal.waiting.wake, onSignal['needs-sign-in'].wake]).toEqual([{ act: 'none' }, { act: 'none' }]);
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
