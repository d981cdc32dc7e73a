import type Router from '@koa/router';
import type Stripe from 'stripe';
import type { Config } from '../lib/config.ts';
import type { Database } from '../db/database.ts';
import type { Seen } from '../db/notice-restore.ts';
import type { Probe } from './readiness-probe.ts';
import type { VapidKeys } from '../push/vapid-keys.ts';
import type { Log } from '../lib/log.ts';
import type { RetentionJob } from './retention-job.ts';
import type { FindFiles } from './known-files.ts';

/** Who a valid token says is there. */
export interface TokenClaims {
  userId: string;
  email: string;
}

/** The payment provider, hosted or embedded: the same SDK speaks to either. */
export interface Payments {
  stripe: Stripe;
  /** Signs the provider's webhooks. */
  webhookSecret: string;
  priceId: string;
  /** Days a first subscription costs nothing; 0: from the first day. */
  trialDays: number;
}

/** What routes are made of. Hosted and embedded implementations share these interfaces; main chooses. */
export interface Deps {
  config: Config;
  database: Database;
  log: Log;
  /** Now. */
  clock: () => Date;
  /** The latest position of the database that this instance has read; undefined where it does not poll. */
  seen?: (() => Seen | undefined) | undefined;
  /** Undefined where the token is not one of ours, or no longer. */
  verifyToken: (token: string) => Promise<TokenClaims | undefined>;
  /** Public key of auth and storage, as `GET /api/config` hands it out. */
  anonKey: string;
  /** What storage knows of files; undefined where it cannot be asked. */
  findFiles?: FindFiles | undefined;
  /** This server's key at the push services; undefined where phones cannot be told. */
  vapidKeys?: VapidKeys | undefined;
  /** Jobs a person may post in 24 hours; undefined: any number. */
  jobsPerDay?: number | undefined;
  /** Undefined where there is no provider and the embedded payments may not answer. */
  payments: Payments | undefined;
  /** Ends streams when the server is about to stop. */
  closing: AbortSignal;
  /** Routes of the embedded services, where they are in use. They answer in the shapes of the hosted ones. */
  embedded: Router[];
  /** What the health page and readiness check besides the database: storage, sign-in, payments, the disk. */
  probes: readonly Probe[];
  /** Retention of rows and files, wherever they are stored. */
  retention: readonly RetentionJob[];
  /** Copies what the embedded services keep; rejects where there is nothing embedded. Says where it is. */
  backUp: (now: Date) => Promise<object>;
  /** What is held of a person outside of the product's own tables; empty where those services are hosted. */
  personalDataOf: (person: { id: string; email: string }) => Promise<Record<string, unknown>>;
}
