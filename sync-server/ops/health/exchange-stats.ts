import type { Registry } from 'prom-client';
import type { ExchangeSeen } from '../../sync/exchange-route.ts';
import { createExchangeMetrics, latencyBounds } from './exchange-metrics.ts';

/** Milliseconds a slice of time lasts, and how many are kept: half an hour. */
export const slices = { ms: 30_000, kept: 60 } as const;

interface Slice {
  /** Which slice since the epoch. */
  nth: number;
  exchanges: number;
  failures: number;
  latencies: number[];
}

export interface Minute {
  at: string;
  perSecond: number;
  failures: number;
  /** Milliseconds; null without an exchange. */
  p95: number | null;
}

export interface ExchangeStats {
  observe(seen: ExchangeSeen): void;
  /** The figures of the last five minutes. */
  now(): { perSecond: number; failures: number; p50: number | null; p95: number | null; p99: number | null };
  /** The last half hour, oldest first. */
  history(): Minute[];
  /** The figures for Prometheus, since this process began. */
  registry: Registry;
}

const none = () => latencyBounds.map(() => 0).concat(0);

/** Counts this process's exchanges in fixed classes: memory does not grow with traffic. */
export function createExchangeStats(clock: () => Date): ExchangeStats {
  const kept: Slice[] = [];
  const began = clock().getTime();
  const metrics = createExchangeMetrics();
  const nthNow = () => Math.floor(clock().getTime() / slices.ms);

  function slice(): Slice {
    const nth = nthNow();
    const last = kept.at(-1);
    if (last?.nth === nth) return last;
    const fresh = { nth, exchanges: 0, failures: 0, latencies: none() };
    kept.push(fresh);
    if (kept.length > slices.kept) kept.shift();
    return fresh;
  }

  return {
    observe({ ms, request, answer }) {
      const current = slice();
      const place = latencyBounds.findIndex((bound) => ms <= bound);
      const at = place === -1 ? latencyBounds.length : place;
      current.exchanges += 1;
      if (answer === undefined) current.failures += 1;
      current.latencies[at] = (current.latencies[at] ?? 0) + 1;
      metrics.observe({ ms, request, answer });
    },
    now() {
      const from = nthNow() - 10;
      const recent = kept.filter(({ nth }) => nth > from);
      const seconds = Math.max(1, Math.min((10 * slices.ms) / 1_000, (clock().getTime() - began) / 1_000));
      const latencies = recent.reduce((sum, one) => sum.map((count, at) => count + (one.latencies[at] ?? 0)), none());
      const total = (of: 'exchanges' | 'failures') => recent.reduce((sum, one) => sum + one[of], 0);
      return {
        perSecond: total('exchanges') / seconds,
        failures: total('failures'),
        p50: quantile(latencies, 0.5),
        p95: quantile(latencies, 0.95),
        p99: quantile(latencies, 0.99),
      };
    },
    history() {
      const last = nthNow();
      return Array.from({ length: slices.kept }, (_, back) => {
        const nth = last - slices.kept + 1 + back;
        const found = kept.find((one) => one.nth === nth);
        return {
          at: new Date(nth * slices.ms).toISOString(),
          perSecond: (found?.exchanges ?? 0) / (slices.ms / 1_000),
          failures: found?.failures ?? 0,
          p95: found === undefined ? null : quantile(found.latencies, 0.95),
        };
      });
    },
    registry: metrics.registry,
  };
}

/** The quantile of counts in classes, even within a class; null where nothing was counted. */
export function quantile(counts: readonly number[], q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [at, count] of counts.entries()) {
    if (below + count >= q * total && count > 0) {
      const from = at === 0 ? 0 : (latencyBounds[at - 1] ?? 0);
      const to = latencyBounds[at] ?? from;
      return Math.round((from + ((q * total - below) / count) * (to - from)) * 10) / 10;
    }
    below += count;
  }
  return latencyBounds.at(-1) ?? null;
}
