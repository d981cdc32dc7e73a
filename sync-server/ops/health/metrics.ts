import type { Checks } from './readiness.ts';
import { latencyBounds, type ExchangeStats } from './exchange-stats.ts';
import type { Memory } from '../../sync/poke.ts';
import type { SyncOverview } from './sync-overview.ts';

interface Measured {
  stats: ExchangeStats;
  overview: SyncOverview | undefined;
  checks: Checks;
  listeners: number;
  oldestUnsentMs: number;
  memory: Memory;
}

type Labels = Readonly<Record<string, string | number>>;

/**
 * Prometheus' text format, version 0.0.4. Written here: it is a name, a type and numbers, and a client library would bring a registry
 * of the whole process with it. Counters are this instance's; what is read from the database is the same at every instance.
 */
export function metricsText({ stats, overview, checks, listeners, oldestUnsentMs, memory }: Measured): string {
  const lines: string[] = [];
  function metric(
    name: string,
    type: 'counter' | 'gauge' | 'histogram',
    help: string,
    samples: readonly [Labels, number, suffix?: string][],
  ): void {
    lines.push(`# HELP dwang_${name} ${help}`, `# TYPE dwang_${name} ${type}`);
    for (const [labels, value, suffix = ''] of samples)
      lines.push(`dwang_${name}${suffix}${labelText(labels)} ${value}`);
  }
  const { exchanges, failures, resets, latencies, totalMs, decided } = stats.totals();
  metric('exchanges_total', 'counter', 'Exchanges answered or failed by this instance.', [[{}, exchanges]]);
  metric('exchange_failures_total', 'counter', 'Exchanges that got no answer of ours.', [[{}, failures]]);
  metric(
    'exchange_resets_total',
    'counter',
    'Devices told to begin anew, by reason.',
    [...resets].map(([reason, count]) => [{ reason }, count]),
  );
  let below = 0;
  const buckets = [...latencyBounds, Infinity].map((bound, at): [Labels, number, string] => {
    below += latencies[at] ?? 0;
    return [{ le: bound === Infinity ? '+Inf' : bound / 1_000 }, below, '_bucket'];
  });
  metric('exchange_duration_seconds', 'histogram', 'Time an exchange took inside this instance.', [
    ...buckets,
    [{}, totalMs / 1_000, '_sum'],
    [{}, exchanges, '_count'],
  ]);
  metric(
    'mutations_answered_total',
    'counter',
    'Outcomes this instance answered mutations with, repeats included.',
    [...decided].map(([key, count]) => {
      const [name = '', status = '', code = ''] = key.split(' ');
      return [{ name, status, code }, count];
    }),
  );
  metric('poke_listeners', 'gauge', 'Devices listening through this instance.', [[{}, listeners]]);
  metric('poke_oldest_unsent_seconds', 'gauge', 'Age of the oldest commit not passed on to devices yet.', [
    [{}, oldestUnsentMs / 1_000],
  ]);
  metric(
    'memory_fresh',
    'gauge',
    'Whether exchanges may be answered from memory: 0 where commits may have been missed.',
    [[{}, memory.isFresh ? 1 : 0]],
  );
  metric(
    'head_age_seconds',
    'gauge',
    'Time since the head was read from the database.',
    memory.headAgeMs === null ? [] : [[{}, memory.headAgeMs / 1_000]],
  );
  metric(
    'notice_proof_age_seconds',
    'gauge',
    'Time since it was proved that notices arrive; absent where nothing listens.',
    memory.proofAgeMs === null ? [] : [[{}, memory.proofAgeMs / 1_000]],
  );
  metric(
    'check_up',
    'gauge',
    'Whether something the server leans on is there.',
    Object.entries(checks).map(([check, { state }]) => [{ check }, state === 'ok' ? 1 : 0]),
  );
  metric(
    'check_duration_seconds',
    'gauge',
    'Time it took to answer.',
    Object.entries(checks).map(([check, { ms }]) => [{ check }, ms / 1_000]),
  );
  const { rss, heapUsed } = process.memoryUsage();
  metric('memory_bytes', 'gauge', 'Memory of this process.', [
    [{ of: 'resident' }, rss],
    [{ of: 'heap' }, heapUsed],
  ]);
  metric('uptime_seconds', 'gauge', 'Since this process began.', [[{}, Math.round(process.uptime())]]);
  if (overview !== undefined) {
    metric('devices', 'gauge', 'Devices heard of lately, of all instances.', [
      [{ within: '5m' }, overview.devices.lastFiveMinutes],
      [{ within: '24h' }, overview.devices.lastDay],
    ]);
    metric(
      'mutations_decided_24h',
      'gauge',
      'Mutations decided in the last 24 hours, of all instances.',
      overview.mutations.map(({ name, status, code, count }) => [{ name, status, code: code ?? '' }, count]),
    );
    metric('parked', 'gauge', 'Mutations waiting for an operator.', [[{}, overview.parked]]);
    metric('failing', 'gauge', 'Mutations failing and being tried again.', [[{}, overview.failing]]);
    metric('version_head', 'gauge', 'Newest commit version.', [[{}, Number(overview.headVersion)]]);
    metric('tombstone_floor', 'gauge', 'Version below which removals are forgotten.', [
      [{}, Number(overview.tombstoneFloor)],
    ]);
    metric('change_table_rows', 'gauge', 'Lines of the change table.', [
      [{ kind: 'live' }, overview.changeTable.rows - overview.changeTable.removals],
      [{ kind: 'removal' }, overview.changeTable.removals],
    ]);
    metric('change_table_bytes', 'gauge', 'The change table on disk, with its indexes.', [
      [{}, overview.changeTable.bytes],
    ]);
    metric('effects_waiting', 'gauge', 'Effects (mails) still to be done, for the first time or again.', [
      [{}, overview.effects.waiting],
    ]);
    metric('effects_oldest_waiting_seconds', 'gauge', 'Age of the oldest effect still to be done.', [
      [{}, overview.effects.oldestSeconds],
    ]);
    metric('effects_given_up_24h', 'gauge', 'Effects given up in the last 24 hours.', [[{}, overview.effects.givenUp]]);
  }
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
