import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { createApp } from './app.ts';
import { reconcileNightly } from './billing/reconcile-nightly.ts';
import { readConfig, type Config } from './lib/config.ts';
import type { Database } from './db/database.ts';
import { openDatabaseClock, type DatabaseClock } from './db/database-clock.ts';
import { keepPrivate } from './db/keep-private.ts';
import { noticeRestore } from './db/notice-restore.ts';
import { openPostgres } from './db/open-postgres.ts';
import { reachDatabase } from './db/reach-database.ts';
import { demoTradies } from './db/seed/demo/demo-people.ts';
import { seedDemo } from './db/seed/seed-demo.ts';
import { seedReference } from './db/seed/seed-reference.ts';
import type { Deps } from './ports/deps.ts';
import { openEffects } from './open-effects.ts';
import type { Effects } from './effects/run-effects.ts';
import { answerWhileStarting } from './http/answer-while-starting.ts';
import { noticesProbe } from './ops/health/probes.ts';
import { openWatch, type Watch } from './ops/health/watch.ts';
import { limitConnections } from './http/limit-connections.ts';
import { listen } from './http/listen.ts';
import { createLog, type Log } from './lib/log.ts';
import { createAskRegister } from './nzbn/nzbn-register.ts';
import { openRechecks, type Rechecking } from './nzbn/open-rechecks.ts';
import { createServices } from './create-services.ts';
import { createSendPush } from './push/send-push.ts';
import { ensureVapidKeys } from './push/vapid-keys.ts';
import { openOperate, type Operate } from './ops/operate/open-operate.ts';
import { openSync, type Sync } from './open-sync.ts';
import { welcome } from './welcome.ts';
import { whyNotStarted } from './why-not-started.ts';

/** Milliseconds that requests in flight get to finish when the server stops. */
const drainMs = 10_000;

async function main(config: Config, log: Log): Promise<void> {
  let answer: RequestListener = answerWhileStarting();
  const { port, close } = await listen(
    (req, res) => answer(req, res),
    config.port,
    config.host,
    limitConnections(config.trustedProxies, log),
  );
  const ownUrl = () => `http://${hostToCall(config.host)}:${port}`;
  const publicUrl = () => config.publicUrl ?? `http://localhost:${port}`;

  const closing = new AbortController();
  let database: Database | undefined = undefined;
  let databaseClock: DatabaseClock | undefined = undefined;
  let replica: Database | undefined = undefined;
  let sync: Sync | undefined = undefined;
  let effects: Effects | undefined = undefined;
  let rechecking: Rechecking | undefined = undefined;
  let watch: Watch | undefined = undefined;
  let operate: Operate | undefined = undefined;
  const closeAll = async () => {
    await operate?.close();
    await rechecking?.close();
    await effects?.close();
    await sync?.close();
    await watch?.close();
    databaseClock?.close();
    await replica?.close();
    await database?.close();
  };
  const stopped = onStop(log, async () => {
    closing.abort();
    await close(drainMs);
    await closeAll();
  });

  try {
    if (config.databaseUrl === undefined || config.supabase === undefined) {
      const mended = await keepPrivate(config.dataDir);
      if (mended !== undefined) log.warn(mended);
    }
    database = await reachDatabase(config, log, closing.signal);
    if (database === undefined) return await stopped;
    await noticeRestore(database, log);
    await seedReference(database);
    databaseClock = await openDatabaseClock(database, log);
    const clock = databaseClock.now;
    const services = await createServices({ config, database, log, clock, publicUrl, ownUrl, closing: closing.signal });
    if (config.demo && services.seeding) await seedDemo({ database, clock, ...services.seeding });
    if (config.demo) await services.adoptSubscribers?.(Object.values(demoTradies).map(({ email }) => email));
    const vapidKeys = await ensureVapidKeys({ config, database, clock });
    const deps: Deps = {
      config,
      database,
      log,
      clock,
      closing: closing.signal,
      jobsPerDay: config.jobsPerDay,
      vapidKeys,
      ...services,
      probes: [...services.probes, noticesProbe(database)],
    };
    reconcileNightly(deps);
    watch = openWatch(deps);
    replica =
      config.databaseReadUrl === undefined
        ? undefined
        : await openPostgres({
            url: config.databaseReadUrl,
            poolSize: 4,
            onError: (error) => log.warn({ err: error }, 'lost a connection to the replica'),
          });
    const heldWholeUpTo = config.feedHeldWholeUpTo;
    sync = await openSync({ ...deps, replica, heldWholeUpTo, safeBy: config.safeBy, observe: watch.observe });
    effects = openEffects({
      ...deps,
      mailer: services.mailer,
      sendPush: vapidKeys && createSendPush({ keys: vapidKeys, fetch }),
      publicUrl,
    });
    await effects.start();
    const { nzbnApiKey: apiKey } = config;
    rechecking = openRechecks({
      ...deps,
      askRegister: apiKey === undefined ? undefined : createAskRegister({ apiKey, fetch }),
    });
    const dist = process.argv.includes('--without-app') ? undefined : join(import.meta.dirname, '../dist');
    operate = await openOperate({ ...deps, watch, poke: sync.poke, ownUrl: ownUrl() });
    answer = createApp(
      { ...deps, seen: sync.poke.seen },
      { dist, sync: [...sync.routers, ...operate.routers], ready: sync.ready },
    );
    process.stdout.write(
      welcome({
        demo: config.demo,
        publicUrl: publicUrl(),
        hasMailbox: config.mail === undefined && config.embeddedAllowed,
      }),
    );
  } catch (error) {
    await closeAll();
    // A start that was stopped counts its failure as part of the stop.
    if (!closing.signal.aborted) throw error;
  }
  return stopped;
}

/** A server that listens on every address is reached on the loopback address. */
function hostToCall(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Settles when a signal, or the end of the parent process, has been answered by `stop`. Repeated signals change
 * nothing: a terminal sends them to the whole process group.
 */
function onStop(log: Log, stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    const once = (reason: string) => {
      if (stopping) return;
      stopping = true;
      log.info({ reason }, 'stopping');
      stop().then(resolve, reject);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => once(signal));
    process.on('disconnect', () => once('parent is gone'));
  });
}

// Files that this process writes are readable by its owner only: data, keys, mail, backups.
process.umask(0o077);
try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error was not caught');
    process.exit(1);
  });
  await main(config, log);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${whyNotStarted(error)}\n`);
  process.exit(1);
}
