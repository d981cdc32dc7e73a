import { mkdir, statfs } from 'node:fs/promises';
import type Stripe from 'stripe';
import type { Database } from '../../db/database.ts';
import { isReadOnly } from '../../db/is-transient.ts';
import { TimelineEnded } from '../../db/timeline-fence.ts';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { ProbeFailure, type Probe } from '../../ports/readiness-probe.ts';

/** Milliseconds without a proof that notices arrive, after which it is worth saying: two pulses. */
const deafAfter = 20_000;
/** Milliseconds for which a disk counts as full after a write found it so. */
const fullFor = 30_000;

/** Milliseconds. A balancer asks again soon; other services are asked twice a minute at most. */
const keep = { own: 1_000, others: 30_000 } as const;
/** Bytes on the disk below which an embedded database is not safe any more, and below which it is worth a warning. */
export const room = { least: 64 * 1024 * 1024, little: 1024 * 1024 * 1024 } as const;

/** The database, whether it takes writes, and whether it is of this version. */
export function databaseProbes(database: Database): Probe[] {
  return [
    {
      name: 'database',
      isNeeded: true,
      keepMs: 0,
      ask: async () => {
        // The probe locks no row, and fails like any write: a read-only session is detected, and its connection not
        // used again.
        await database.sql
          .selectFrom('sync_meta')
          .select('only_row')
          .where((eb) => eb.lit(false))
          .forUpdate()
          .execute()
          .catch((error: unknown) => {
            if (error instanceof TimelineEnded) throw new ProbeFailure(error.message);
            throw isReadOnly(error) ? new ProbeFailure('it takes no writes: it is read-only') : error;
          });
        const full = database.diskFullAgeMs?.();
        if (full !== undefined && full < fullFor) throw new ProbeFailure('it takes no writes: its disk is full');
        return database.kind === 'pglite' ? 'embedded' : 'PostgreSQL';
      },
    },
    {
      name: 'migrations',
      isNeeded: true,
      keepMs: 0,
      ask: async () => {
        const pending = await pendingMigrations(database);
        if (pending.length > 0)
          throw new ProbeFailure(pending.map((name) => `migration ${name} is not applied`).join(', '));
        return 'all applied';
      },
    },
  ];
}

/**
 * Whether notices of other instances' commits arrive. While they do not, every answer comes from the database, and
 * devices are poked later.
 */
export function noticesProbe(database: Database): Probe {
  return {
    name: 'notices',
    isNeeded: false,
    keepMs: 0,
    ask: () => {
      const age = database.listenState()?.ageMs ?? Infinity;
      if (age > deafAfter) return Promise.reject(new ProbeFailure('none arrive: answers come from the database alone'));
      return Promise.resolve('they arrive');
    },
  };
}

/** Free space on the embedded data's disk; without it the next write can damage the embedded database. */
export function diskProbe(dataDir: string): Probe {
  return {
    name: 'disk',
    isNeeded: true,
    keepMs: keep.own,
    ask: async () => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(dataDir);
      const free = bavail * bsize;
      const says = `${Math.floor(free / 1024 / 1024)} MiB free`;
      if (free < room.least) throw new ProbeFailure(`the disk is full: ${says}`);
      return free < room.little ? `little room: ${says}` : says;
    },
  };
}

/** An external service with an address to request. Any answer below 500 says that it is there. */
export function hostedProbe(name: 'auth' | 'storage', url: string, apikey: string): Probe {
  return {
    name,
    isNeeded: false,
    keepMs: keep.others,
    ask: async (signal) => {
      const { status } = await fetch(url, { headers: { apikey }, signal });
      if (status >= 500) throw new ProbeFailure(`it answers ${status}`);
      return 'hosted';
    },
  };
}

/** The payment provider, asked for the product's price. */
export function billingProbe(stripe: Stripe, priceId: string, says: string): Probe {
  return {
    name: 'billing',
    isNeeded: false,
    keepMs: keep.others,
    ask: async () => {
      await stripe.prices
        .retrieve(priceId, undefined, { maxNetworkRetries: 0, timeout: 2_000 })
        .catch((error: unknown) => {
          throw new ProbeFailure(
            `the payment provider does not answer (${error instanceof Error ? error.name : 'unknown'})`,
          );
        });
      return says;
    },
  };
}
