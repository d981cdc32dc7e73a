import { expect, it } from 'vitest';
import { minute } from '../../../shared/lib/durations.ts';
import type { ExchangeSeen } from '../../sync/exchange-route.ts';
import { latencyBounds } from './exchange-metrics.ts';
import { createExchangeStats, quantile, slices } from './exchange-stats.ts';
import { metricsText } from './metrics.ts';

function open() {
  let now = Date.UTC(2026, 10, 21);
  const stats = createExchangeStats(() => new Date(now));
  return { stats, pass: (ms: number) => void (now += ms) };
}

function seen(changes: Partial<ExchangeSeen> = {}, mutations: [string, string, string?][] = []): ExchangeSeen {
  const named = mutations.map(([name, status, code], at) => ({ name, status, code, uid: `u${at}` }));
  return {
    userId: 'p',
    device: undefined,
    ms: 15,
    request: {
      protocol: 1,
      schema: 1,
      cookie: null,
      shelves: {},
      awaiting: [],
      mutations: named.map(({ uid, name }) => ({ uid, name, args: {}, at: '' })),
    },
    answer: {
      kind: 'delta',
      puts: {},
      removes: {},
      shelves: {},
      cookie: 'c',
      more: false,
      serverTime: '',
      outcomes: named.map(({ uid, status, code }) => ({
        uid,
        status: status as 'applied',
        ...(code === undefined ? {} : { code }),
      })),
    },
    ...changes,
  };
}

it('finds quantiles within their class', () => {
  const counts = latencyBounds.map(() => 0).concat(0);
  expect(quantile(counts, 0.5)).toBeNull();
  counts[latencyBounds.indexOf(20)] = 90;
  counts[latencyBounds.indexOf(500)] = 10;
  expect(quantile(counts, 0.5)).toBeCloseTo(15.6, 1);
  expect(quantile(counts, 0.95)).toBe(350);
  counts.fill(0)[latencyBounds.length] = 3;
  expect(quantile(counts, 0.5)).toBe(10_000);
});

it('separates the last five minutes from the last half hour, and forgets what is older', async () => {
  const { stats, pass } = open();
  stats.observe(seen());
  stats.observe(seen({ answer: undefined }));
  pass(6 * minute);
  expect(stats.now()).toEqual({ perSecond: 0, failures: 0, p50: null, p95: null, p99: null });
  stats.observe(seen());
  expect(stats.now()).toMatchObject({ perSecond: 1 / 300, failures: 0 });
  expect(stats.history()).toHaveLength(slices.kept);
  expect(stats.history().filter(({ p95 }) => p95 !== null)).toHaveLength(2);
  for (let at = 0; at < 200; at += 1) {
    pass(slices.ms);
    stats.observe(seen());
  }
  expect(stats.history().every(({ perSecond }) => perSecond > 0)).toBe(true);
  const lines = (await stats.registry.metrics()).split('\n');
  expect(lines).toEqual(expect.arrayContaining(['dwang_exchanges_total 203', 'dwang_exchange_failures_total 1']));
});

it('prints the Prometheus format, and lets no client make up a series', async () => {
  const { stats } = open();
  stats.observe(
    seen({}, [
      ['job.post', 'applied'],
      ['job.edit', 'refused', 'stale'],
      ['evil"} 1\nx', 'refused', 'unknown-mutation'],
      ['made-up', 'refused', 'uid-reused'],
      ['constructor', 'applied'],
    ]),
  );
  stats.observe(seen({ ms: 700, answer: { kind: 'reset', reason: 'lineage' } }));
  const text = await metricsText({
    stats,
    overview: undefined,
    safety: {
      by: 'backup',
      safeSince: new Date(5_000),
      notSafe: 7,
      restore: {
        at: new Date(0),
        point: '1',
        sentAgain: { applied: 3, refused: 0, parked: 0, waitingAtLeast: 2, devices: 1, people: 1 },
        unheard: { devices: 0, known: 1 },
      },
    },
    checks: { disk: { state: 'down', ms: 3, isNeeded: true, says: '', at: '' } },
    listeners: 4,
    oldestUnsentMs: 1_500,
    memory: { isFresh: false, headAgeMs: 31_000, proofAgeMs: null },
  });
  for (const line of [
    'dwang_exchanges_total 2',
    'dwang_exchange_resets_total{reason="lineage"} 1',
    'dwang_exchange_duration_seconds_bucket{le="0.02"} 1',
    'dwang_exchange_duration_seconds_bucket{le="+Inf"} 2',
    'dwang_exchange_duration_seconds_count 2',
    'dwang_mutations_answered_total{name="job.post",status="applied",code=""} 1',
    'dwang_mutations_answered_total{name="job.edit",status="refused",code="stale"} 1',
    'dwang_mutations_answered_total{name="unknown",status="refused",code="unknown-mutation"} 1',
    'dwang_mutations_answered_total{name="unknown",status="refused",code="uid-reused"} 1',
    'dwang_mutations_answered_total{name="unknown",status="applied",code=""} 1',
    'dwang_check_up{check="disk"} 0',
    'dwang_poke_oldest_unsent_seconds 1.5',
    'dwang_memory_fresh 0',
    'dwang_not_safe 7',
    'dwang_safe_until_timestamp_seconds 5',
    'dwang_restored_changes{became="applied"} 3',
    'dwang_restored_changes{became="waiting"} 2',
    'dwang_head_age_seconds 31',
  ])
    expect(text.split('\n')).toContain(line);
  for (const line of text.split('\n').filter((one) => one !== ''))
    expect(line).toMatch(/^(# (HELP|TYPE) dwang_\w+ .+|dwang_\w+(\{(\w+="[^"\n]*",?)*\})? [\d.e+-]+)$/);
});
