import { mutations } from '../../../shared/mutations/index.ts';
import type { ExchangeSeen } from '../../sync/exchange-route.ts';

/** Upper bounds of the latency classes, in milliseconds; the last one is open. */
export const latencyBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const;

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
  /** Over the last five minutes. */
  now(): { perSecond: number; failures: number; p50: number | null; p95: number | null; p99: number | null };
  /** The last half hour, oldest first. */
  history(): Minute[];
  /** Since this process began. */
  totals(): {
    exchanges: number;
    failures: number;
    resets: ReadonlyMap<string, number>;
    latencies: readonly number[];
    totalMs: number;
    decided: ReadonlyMap<string, number>;
  };
}

const none = () => latencyBounds.map(() => 0).concat(0);

/** Counts this process's exchanges in fixed classes: memory does not grow with traffic. */
export function createExchangeStats(clock: () => Date): ExchangeStats {
  const kept: Slice[] = [];
  const began = clock().getTime();
  const all = {
    exchanges: 0,
    failures: 0,
    resets: new Map<string, number>(),
    latencies: none(),
    totalMs: 0,
    decided: new Map<string, number>(),
  };
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
      for (const counted of [current, all]) {
        counted.exchanges += 1;
        if (answer === undefined) counted.failures += 1;
        counted.latencies[at] = (counted.latencies[at] ?? 0) + 1;
      }
      all.totalMs += ms;
      if (answer?.kind === 'reset') add(all.resets, answer.reason);
      if (answer?.kind !== 'delta') return;
      const names = new Map(request.mutations.map(({ uid, name }) => [uid, name]));
      for (const { uid, status, code } of answer.outcomes) {
        const name = names.get(uid);
        if (name !== undefined) add(all.decided, [knownName(name), status, code ?? ''].join(' '));
      }
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
    totals: () => all,
  };
}

/** Clients can send any name: an unknown one must not become a series of its own, whatever the outcome was. */
export function knownName(name: string): string {
  return Object.hasOwn(mutations, name) ? name : 'unknown';
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
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
