import { Counter, Histogram, Registry } from 'prom-client';
import { mutations } from '../../../shared/mutations/index.ts';
import type { ExchangeSeen } from '../../sync/exchange-route.ts';

/** Upper bounds of the latency classes, in milliseconds; the last one is open. */
export const latencyBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const;

interface ExchangeMetrics {
  registry: Registry;
  observe(seen: Pick<ExchangeSeen, 'ms' | 'request' | 'answer'>): void;
}

/**
 * Counts this process's exchanges for Prometheus, in a registry of their own: a test opens several servers in one
 * process.
 */
export function createExchangeMetrics(): ExchangeMetrics {
  const registry = new Registry();
  const registers = [registry];
  const exchanges = new Counter({
    name: 'dwang_exchanges_total',
    help: 'Exchanges answered or failed by this instance.',
    registers,
  });
  const failures = new Counter({
    name: 'dwang_exchange_failures_total',
    help: 'Exchanges that got no answer of ours.',
    registers,
  });
  const resets = new Counter({
    name: 'dwang_exchange_resets_total',
    help: 'Devices told to begin anew, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const duration = new Histogram({
    name: 'dwang_exchange_duration_seconds',
    help: 'Time an exchange took inside this instance.',
    buckets: latencyBounds.map((bound) => bound / 1_000),
    registers,
  });
  const answered = new Counter({
    name: 'dwang_mutations_answered_total',
    help: 'Outcomes this instance answered mutations with, repeats included.',
    labelNames: ['name', 'status', 'code'],
    registers,
  });

  return {
    registry,
    observe({ ms, request, answer }) {
      exchanges.inc();
      duration.observe(ms / 1_000);
      if (answer === undefined) failures.inc();
      if (answer?.kind === 'reset') resets.inc({ reason: answer.reason });
      if (answer?.kind !== 'delta') return;
      const names = new Map(request.mutations.map(({ uid, name }) => [uid, name]));
      for (const { uid, status, code = '' } of answer.outcomes) {
        const name = names.get(uid);
        if (name !== undefined) answered.inc({ name: knownName(name), status, code });
      }
    },
  };
}

/** Clients can send any name: an unknown one must not become a series of its own, whatever the outcome was. */
function knownName(name: string): string {
  return Object.hasOwn(mutations, name) ? name : 'unknown';
}
