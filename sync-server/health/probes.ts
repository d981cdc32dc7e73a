import { mkdir, statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { Database } from '../db/database.ts';
import { pendingMigrations } from '../db/pending-migrations.ts';
import { Trouble, type Probe } from './readiness-probe.ts';

/** Milliseconds. A balancer asks again soon; whoever is elsewhere is asked twice a minute at most. */
const keep = { own: 1_000, others: 30_000 } as const;
/** Bytes on the disk below which an embedded database is not safe any more, and below which it is worth a warning. */
export const room = { least: 64 * 1024 * 1024, little: 1024 * 1024 * 1024 } as const;

/** The database, and whether it is of this version. */
export function databaseProbes(database: Database): Probe[] {
  return [
    {
      name: 'database', isNeeded: true, keepMs: 0,
      ask: async () => {
        await sql`select 1`.execute(database.sql);
        return database.kind === 'pglite' ? 'embedded' : 'PostgreSQL';
      },
    },
    {
      name: 'migrations', isNeeded: true, keepMs: 0,
      ask: async () => {
        const pending = await pendingMigrations(database);
        if (pending.length > 0) throw new Trouble(pending.map((name) => `migration ${name} is not applied`).join(', '));
        return 'all applied';
      },
    },
  ];
}

/** Room where embedded data lies; without it the embedded database can be damaged by its next write. */
export function diskProbe(dataDir: string): Probe {
  return {
    name: 'disk', isNeeded: true, keepMs: keep.own,
    ask: async () => {
      await mkdir(dataDir, { recursive: true });
      const { bavail, bsize } = await statfs(dataDir);
      const free = bavail * bsize;
      const says = `${Math.floor(free / 1024 / 1024)} MiB free`;
      if (free < room.least) throw new Trouble(`the disk is full: ${says}`);
      return free < room.little ? `little room: ${says}` : says;
    },
  };
}

/** A service of somebody else's that has an address to ask. Any answer below 500 says that it is there. */
export function hostedProbe(name: 'auth' | 'storage', url: string, apikey: string): Probe {
  return {
    name, isNeeded: false, keepMs: keep.others,
    ask: async (signal) => {
      const { status } = await fetch(url, { headers: { apikey }, signal });
      if (status >= 500) throw new Trouble(`it answers ${status}`);
      return 'hosted';
    },
  };
}

/** The payment provider, asked for the price that is sold. */
export function billingProbe(stripe: Stripe, priceId: string, says: string): Probe {
  return {
    name: 'billing', isNeeded: false, keepMs: keep.others,
    ask: async () => {
      await stripe.prices.retrieve(priceId, undefined, { maxNetworkRetries: 0, timeout: 2_000 }).catch((error: unknown) => {
        throw new Trouble(`the payment provider does not answer (${error instanceof Error ? error.name : 'unknown'})`);
      });
      return says;
    },
  };
}
