import type { Deps } from '../../ports/deps.ts';
import type { ExchangeSeen } from '../../sync/exchange-route.ts';
import { openDeviceLog } from './device-log.ts';
import { createExchangeStats, type ExchangeStats } from './exchange-stats.ts';

export interface Watch {
  stats: ExchangeStats;
  observe(seen: ExchangeSeen): void;
  /** Before the database is closed. */
  close(): Promise<void>;
}

/** Observes every exchange: for this instance's metrics, and for the log of devices. */
export function openWatch(parts: Pick<Deps, 'database' | 'clock' | 'log'>): Watch {
  const stats = createExchangeStats(parts.clock);
  const devices = openDeviceLog(parts);
  return {
    stats,
    observe: (seen) => {
      stats.observe(seen);
      devices.observe(seen);
    },
    close: () => devices.close(),
  };
}
