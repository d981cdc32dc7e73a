import { minute } from '../shared/lib/durations.ts';
import { adoptSubscribers } from './billing/adopt-subscribers.ts';
import { takePostgresBackup } from './backup/postgres-backup.ts';
import { createStripe } from './billing/create-stripe.ts';
import type { Config } from './lib/config.ts';
import type { Database } from './db/database.ts';
import type { Deps } from './ports/deps.ts';
import { takeBackup } from './embedded/backup.ts';
import { embeddedPersonalData } from './embedded/embedded-personal-data.ts';
import { embeddedProbes } from './embedded/embedded-probes.ts';
import { embeddedRetention } from './embedded/embedded-retention.ts';
import { createEmbeddedAuth, type EmbeddedAuth } from './embedded/auth/embedded-auth.ts';
import { createMailbox } from './embedded/mailbox/mailbox.ts';
import { createEmbeddedPayments } from './embedded/payments/embedded-payments.ts';
import { findEmbeddedFiles } from './embedded/storage/find-files.ts';
import { findHostedFiles } from './ops/retention/hosted-owners.ts';
import { createEmbeddedStorage, type EmbeddedStorage } from './embedded/storage/embedded-storage.ts';
import { objectsFolder, createFileStore, storageFolder, type FileStore } from './embedded/storage/file-store.ts';
import { createQueuedMailer } from './effects/queued-mailer.ts';
import { billingProbe, diskProbe, hostedProbe } from './ops/health/probes.ts';
import type { Probe } from './ports/readiness-probe.ts';
import { loopbackNames } from './http/loopback-host.ts';
import { hostedPictures } from './http/hosted-pictures.ts';
import { createVerifyToken, hostedRules } from './http/verify-token.ts';
import type { Log } from './lib/log.ts';
import type { Mailer } from './mail/mailer.ts';
import { openSmtpMailer } from './mail/smtp-mailer.ts';
import { createAdminGuard } from './ops/operate/admin-token.ts';
import { createHostedFiles } from './ops/retention/hosted-files.ts';
import { hostedRetention } from './ops/retention/hosted-retention.ts';
import { plainJobs } from './ops/retention/plain-jobs.ts';
import type { RetentionJob } from './ports/retention-job.ts';

export interface Services extends Pick<
  Deps,
  | 'verifyToken'
  | 'anonKey'
  | 'findFiles'
  | 'payments'
  | 'embedded'
  | 'probes'
  | 'retention'
  | 'personalDataOf'
  | 'backUp'
> {
  /** What demo accounts and photos are made with; undefined where auth and storage are hosted. */
  seeding: (Pick<EmbeddedAuth, 'createConfirmedUser'> & Pick<EmbeddedStorage, 'put'>) | undefined;
  /** Undefined where there is no SMTP server and the mailbox may not replace it. */
  mailer: Mailer | undefined;
  /** Creates a subscription for people who were seeded as subscribers; undefined where payments are real. */
  adoptSubscribers: ((emails: readonly string[]) => Promise<void>) | undefined;
}

/** Milliseconds. What is not through by then waits for the next run. */
const maxSweepMs = 5 * minute;

interface ServiceParts {
  config: Config;
  database: Database;
  log: Log;
  clock: () => Date;
  /** Origin people reach the product at; a function, because the port may only be known after listening. */
  publicUrl: () => string;
  /** Origin this server reaches itself at. */
  ownUrl: () => string;
  closing: AbortSignal;
}

/**
 * Auth, storage, mail and payments, each the hosted one where it is configured and else the embedded one. The only
 * place that knows which.
 */
export async function createServices(parts: ServiceParts): Promise<Services> {
  const payments = createPayments(parts);
  const mail = createMail(parts);
  const people = await createAuthAndStorage(parts, mail);
  const { payments: paid } = payments;
  const billing =
    paid === undefined
      ? []
      : [billingProbe(paid.stripe, paid.priceId, parts.config.stripe === undefined ? 'test payments' : 'Stripe')];
  return {
    ...people,
    ...payments,
    mailer: mail.mailer,
    probes: [...people.probes, ...billing, ...diskProbes(parts.config)],
    embedded: [...people.embedded, ...mail.embedded, ...payments.embedded],
  };
}

interface MailServices extends Pick<Services, 'mailer' | 'embedded'> {
  /** For callers that must not wait. */
  quickMailer: Mailer;
}

/** Where nothing is kept on this machine, its disk does not matter. */
function diskProbes({ databaseUrl, supabase, dataDir }: Config): Probe[] {
  return databaseUrl === undefined || supabase === undefined ? [diskProbe(dataDir)] : [];
}

/**
 * The mailbox is used only where no SMTP server is set up. Its guard admits requests from this machine, or the
 * operator.
 */
function createMail({ config, database, clock }: ServiceParts): MailServices {
  const { adminToken, publicUrl } = config;
  const quickMailer = createQueuedMailer({ database, clock });
  if (config.mail !== undefined) return { mailer: openSmtpMailer(config.mail), quickMailer, embedded: [] };
  if (!config.embeddedAllowed) return { mailer: undefined, quickMailer, embedded: [] };
  const isOwnMachine =
    !config.production && (publicUrl === undefined || loopbackNames.has(new URL(publicUrl).hostname));
  const guard = createAdminGuard({
    tokens: adminToken === undefined ? [] : [adminToken],
    canSignIn: adminToken !== undefined,
    isOpenHere: isOwnMachine,
    clock,
  });
  const mailbox = createMailbox({ database, clock, guard, publicUrl });
  return { mailer: mailbox, quickMailer: mailbox, embedded: [mailbox.router] };
}

async function createAuthAndStorage(
  { config, database, log, clock, publicUrl, closing }: ServiceParts,
  { quickMailer }: MailServices,
): Promise<Omit<Services, 'payments' | 'adoptSubscribers' | 'mailer'>> {
  if (config.supabase !== undefined) {
    const { url, anonKey, jwtSecret } = config.supabase;
    const verifyToken = createVerifyToken(hostedRules({ url, jwtSecret }, clock));
    return {
      verifyToken,
      anonKey,
      findFiles: findHostedFiles,
      embedded: [hostedPictures(url)],
      seeding: undefined,
      ...keepingOf(config, database, undefined, closing),
      probes: [
        hostedProbe('auth', `${url}/auth/v1/health`, anonKey),
        hostedProbe('storage', `${url}/storage/v1/object/public/job-photos/nothing.png`, anonKey),
      ],
    };
  }
  const auth = await createEmbeddedAuth({ database, mailer: quickMailer, clock, log, publicUrl });
  const { verifyToken, anonKey, limits } = auth;
  const storage = await createEmbeddedStorage({
    database,
    clock,
    log,
    dataDir: config.dataDir,
    verifyToken,
    anonKey,
    limits,
  });
  return {
    verifyToken,
    anonKey,
    findFiles: findEmbeddedFiles(storage.files),
    embedded: [auth.router, storage.router],
    probes: embeddedProbes(database, storage.files),
    ...keepingOf(config, database, storage.files),
    seeding: { createConfirmedUser: auth.createConfirmedUser, put: storage.put },
  };
}

/** What the commands need that do their work without a server. */
export async function createMaintenance(
  config: Config,
  database: Database,
): Promise<Pick<Deps, 'retention' | 'personalDataOf' | 'findFiles' | 'backUp'>> {
  const files = config.supabase === undefined ? await createFileStore(storageFolder(config.dataDir)) : undefined;
  return {
    findFiles: files === undefined ? findHostedFiles : findEmbeddedFiles(files),
    ...keepingOf(config, database, files),
  };
}

/** Retention jobs and personal data; without `files` storage and sign-in are hosted. */
function keepingOf(
  { databaseUrl, dataDir, supabase }: Config,
  database: Database,
  files: FileStore | undefined,
  closing?: AbortSignal,
): Pick<Deps, 'retention' | 'personalDataOf' | 'backUp'> {
  const objects = supabase === undefined ? objectsFolder(dataDir) : undefined;
  const backUp = (now: Date) =>
    databaseUrl === undefined
      ? takeBackup(database, dataDir, now)
      : takePostgresBackup(database, { url: databaseUrl, dataDir, objects }, now);
  if (files === undefined)
    return {
      backUp,
      retention: [...plainJobs, ...hostedJobs(supabase, closing)],
      personalDataOf: () => Promise.resolve({}),
    };
  return {
    backUp,
    retention: [...plainJobs, ...embeddedRetention(files)],
    personalDataOf: (person) => embeddedPersonalData(database, person),
  };
}

/** Without a key that may remove people's files there is nothing to do. */
function hostedJobs(supabase: Config['supabase'], closing: AbortSignal | undefined): RetentionJob[] {
  if (supabase?.serviceKey === undefined) return [];
  const { url, serviceKey } = supabase;
  const endOfRun = () =>
    AbortSignal.any([AbortSignal.timeout(maxSweepMs), ...(closing === undefined ? [] : [closing])]);
  return [hostedRetention(createHostedFiles({ url, serviceKey, fetch }), endOfRun)];
}

/**
 * The embedded payments answer only where no real keys are set: beside real payments no person becomes a tradie for
 * free.
 */
function createPayments({
  config,
  database,
  log,
  clock,
  ownUrl,
  closing,
}: ServiceParts): Pick<Services, 'payments' | 'adoptSubscribers' | 'embedded'> {
  const { stripe: keys, trialDays } = config;
  if (keys !== undefined) {
    const { secretKey, webhookSecret, priceId } = keys;
    return {
      payments: { stripe: createStripe({ secretKey }), webhookSecret, priceId, trialDays },
      adoptSubscribers: undefined,
      embedded: [],
    };
  }
  if (!config.embeddedAllowed) return { payments: undefined, adoptSubscribers: undefined, embedded: [] };
  const { source, webhookSecret, priceId, router, grant } = createEmbeddedPayments({
    database,
    clock,
    log,
    ownUrl,
    closing,
  });
  const payments = { stripe: createStripe(source), webhookSecret, priceId, trialDays };
  return {
    payments,
    adoptSubscribers: (emails) => adoptSubscribers({ database, clock, log, payments }, grant, emails),
    embedded: [router],
  };
}
