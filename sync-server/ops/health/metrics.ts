import { Gauge, Registry } from 'prom-client';
import type { Checks } from './readiness.ts';
import type { ExchangeStats } from './exchange-stats.ts';
import type { Safety } from './safety.ts';
import type { Memory } from '../../sync/poke.ts';
import type { SyncOverview } from './sync-overview.ts';

interface Measured {
  stats: Pick<ExchangeStats, 'registry'>;
  overview: SyncOverview | undefined;
  safety: Safety | undefined;
  checks: Checks;
  listeners: number;
  oldestUnsentMs: number;
  memory: Memory;
}

type Labels = Readonly<Record<string, string | number>>;

/**
 * Prometheus' text format, version 0.0.4. Counters are this instance's; what is read from the database is the same at
 * every instance. What was measured for this answer is in a registry that lives as long as it.
 */
export function metricsText({
  stats,
  overview,
  safety,
  checks,
  listeners,
  oldestUnsentMs,
  memory,
}: Measured): Promise<string> {
  const measured = new Registry();
  /** Absent without a sample: a gauge that was never set would say 0. */
  function gauge(name: string, help: string, samples: readonly [Labels, number][]): void {
    const [first] = samples;
    if (first === undefined) return;
    const metric = new Gauge({
      name: `dwang_${name}`,
      help,
      labelNames: Object.keys(first[0]),
      registers: [measured],
    });
    for (const [labels, value] of samples) metric.set(labels, value);
  }
  gauge('poke_listeners', 'Devices listening through this instance.', [[{}, listeners]]);
  gauge('poke_oldest_unsent_seconds', 'Age of the oldest commit not passed on to devices yet.', [
    [{}, oldestUnsentMs / 1_000],
  ]);
  gauge('memory_fresh', 'Whether exchanges may be answered from memory: 0 where commits may have been missed.', [
    [{}, memory.isFresh ? 1 : 0],
  ]);
  gauge(
    'head_age_seconds',
    'Time since the head was read from the database.',
    memory.headAgeMs === null ? [] : [[{}, memory.headAgeMs / 1_000]],
  );
  gauge(
    'notice_proof_age_seconds',
    'Time since it was proved that notices arrive; absent where nothing listens.',
    memory.proofAgeMs === null ? [] : [[{}, memory.proofAgeMs / 1_000]],
  );
  gauge(
    'check_up',
    'Whether something the server leans on is there.',
    Object.entries(checks).map(([check, { state }]) => [{ check }, state === 'ok' ? 1 : 0]),
  );
  gauge(
    'check_duration_seconds',
    'Time it took to answer.',
    Object.entries(checks).map(([check, { ms }]) => [{ check }, ms / 1_000]),
  );
  const { rss, heapUsed } = process.memoryUsage();
  gauge('memory_bytes', 'Memory of this process.', [
    [{ of: 'resident' }, rss],
    [{ of: 'heap' }, heapUsed],
  ]);
  gauge('uptime_seconds', 'Since this process began.', [[{}, Math.round(process.uptime())]]);
  if (overview !== undefined) {
    gauge('devices', 'Devices heard of lately, of all instances.', [
      [{ within: '5m' }, overview.devices.lastFiveMinutes],
      [{ within: '24h' }, overview.devices.lastDay],
    ]);
    gauge(
      'mutations_decided_24h',
      'Mutations decided in the last 24 hours, of all instances.',
      overview.mutations.map(({ name, status, code, count }) => [{ name, status, code: code ?? '' }, count]),
    );
    gauge('parked', 'Mutations waiting for an operator.', [[{}, overview.parked]]);
    gauge('failing', 'Mutations failing and being tried again.', [[{}, overview.failing]]);
    gauge('version_head', 'Newest commit version.', [[{}, Number(overview.headVersion)]]);
    gauge('tombstone_floor', 'Version below which removals are forgotten.', [[{}, Number(overview.tombstoneFloor)]]);
    gauge('change_table_rows', 'Lines of the change table.', [
      [{ kind: 'live' }, overview.changeTable.rows - overview.changeTable.removals],
      [{ kind: 'removal' }, overview.changeTable.removals],
    ]);
    gauge('change_table_bytes', 'The change table on disk, with its indexes.', [[{}, overview.changeTable.bytes]]);
    gauge('effects_waiting', 'Effects (mails, alerts) due and still to be done, for the first time or again.', [
      [{}, overview.effects.waiting],
    ]);
    gauge('effects_oldest_waiting_seconds', 'Age of the oldest effect still to be done.', [
      [{}, overview.effects.oldestSeconds],
    ]);
    const { byPhone, byMail, phones } = overview.alerts;
    gauge('alerts_24h', 'Alerts to phones and mails about new jobs in the last 24 hours: sent, failed, phone gone.', [
      [{ by: 'phone', became: 'sent' }, byPhone.sent],
      [{ by: 'phone', became: 'failed' }, byPhone.failed],
      [{ by: 'phone', became: 'gone' }, byPhone.gone],
      [{ by: 'mail', became: 'sent' }, byMail.sent],
      [{ by: 'mail', became: 'failed' }, byMail.failed],
    ]);
    gauge('alerts_waiting', 'Alerts to phones and mails about new jobs, due and still to be sent.', [
      [{ by: 'phone' }, byPhone.waiting],
      [{ by: 'mail' }, byMail.waiting],
    ]);
    gauge('alert_phones', 'Phones and browsers that have alerts turned on.', [[{}, phones]]);
    gauge('effects_given_up_24h', 'Effects given up in the last 24 hours.', [[{}, overview.effects.givenUp]]);
  }
  if (safety !== undefined) {
    gauge('not_safe', 'Changes that the loss of the database would take, but for the phones that made them.', [
      [{}, safety.notSafe],
    ]);
    const { safeSince, restore } = safety;
    gauge(
      'safe_until_timestamp_seconds',
      'What was decided by then outlives the loss of the database; absent where nothing does.',
      safeSince === null ? [] : [[{}, safeSince.getTime() / 1_000]],
    );
    gauge(
      'restored_changes',
      'What phones sent again since the last restore, by what became of it (at least so much is waiting); absent where there was none.',
      restore === null
        ? []
        : (
            [
              ['applied', restore.sentAgain.applied],
              ['refused', restore.sentAgain.refused],
              ['parked', restore.sentAgain.parked],
              ['waiting', restore.sentAgain.waitingAtLeast],
            ] as const
          ).map(([became, count]) => [{ became }, count]),
    );
  }
  return Registry.merge([stats.registry, measured]).metrics();
}
