import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Deps } from '../../ports/deps.ts';
import type { AdminGuard } from './admin-token.ts';
import { operatorSignIn } from './operator-sign-in.ts';
import { keepAnswer } from './keep-answer.ts';
import { listDeadLetters } from './dead-letters.ts';
import type { Poke } from '../../sync/poke.ts';
import { metricsText } from '../health/metrics.ts';
import { databaseProbes } from '../health/probes.ts';
import { createReadiness } from '../health/readiness.ts';
import { statusPage, statusPart, type Status } from './status-page.ts';
import { readSyncOverview, type SyncOverview } from '../health/sync-overview.ts';
import { readSafety, type Safety } from '../health/safety.ts';
import type { Watch } from '../health/watch.ts';

interface StatusParts extends Deps {
  guard: AdminGuard;
  watch: Watch;
  poke: Pick<Poke, 'listeners' | 'oldestUnsentMs' | 'memory'>;
}

/** Milliseconds. What is safe counts all changes of 30 days, and is itself found out every 30 s. */
const keepMs = { overview: 4_000, safety: 30_000 } as const;

/**
 * For operators; bearer ADMIN_TOKEN, or in a browser a cookie that `/health` hands out for it (strict, for eight hours,
 * for `/health` alone).
 *
 * `GET /health` a page; `POST /health/sign-in` (form, `token`) -> 303 with the cookie, or 401; `POST /health/sign-out`
 * -> 303.
 * `GET /health/sync` the figures as JSON; `GET /metrics` for Prometheus. 401 `admin-token-needed`; 404 where no token
 * is configured, unless this is a demo on one's own machine, which shows them to requests from that machine.
 */
export function statusRoutes({ guard, watch, poke, ...deps }: StatusParts): Router {
  const router = new Router();
  const readiness = createReadiness({ ...deps, probes: [...databaseProbes(deps.database), ...deps.probes] });

  /** Undefined where the database does not answer: the rest is worth seeing all the more. */
  const overview = keepAnswer(keepMs.overview, (): Promise<SyncOverview | undefined> =>
    readSyncOverview(deps.database, deps.clock()).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'how sync stands could not be read');
      return undefined;
    }),
  );

  /** Undefined as above: what could not be read must not be shown as zero. */
  async function waitingDeadLetters(): Promise<Status['deadLetters']> {
    try {
      return (await listDeadLetters(deps.database.sql)).filter(
        ({ replayedAt, discardedAt }) => replayedAt === null && discardedAt === null,
      );
    } catch (error) {
      deps.log.warn({ err: error }, 'dead letters could not be read');
      return undefined;
    }
  }

  /** Undefined as above. */
  const safety = keepAnswer(keepMs.safety, (): Promise<Safety | undefined> =>
    readSafety(deps.database, deps.clock(), deps.config.safeBy).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'what is safe could not be read');
      return undefined;
    }),
  );

  async function status(): Promise<Status> {
    const [{ checks, reasons }, sync, deadLetters, safe] = await Promise.all([
      readiness(),
      overview(),
      waitingDeadLetters(),
      safety(),
    ]);
    return {
      at: deps.clock(),
      checks,
      reasons,
      sync,
      safety: safe,
      uptimeSeconds: Math.round(process.uptime()),
      memoryBytes: process.memoryUsage().rss,
      listeners: poke.listeners(),
      oldestUnsentMs: Math.round(poke.oldestUnsentMs()),
      memory: poke.memory(),
      exchange: watch.stats.now(),
      history: watch.stats.history(),
      deadLetters,
    };
  }

  function page(ctx: Context, html: string): void {
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'html';
    ctx.body = html;
  }

  const mayLook = operatorSignIn(router, { guard, home: '/health', title: 'Health', publicUrl: deps.config.publicUrl });

  router.get('/health', async (ctx) => {
    if (!mayLook(ctx)) return;
    page(
      ctx,
      ctx.query['part'] === 'live' ? String(statusPart(await status())) : statusPage(await status(), guard.hasToken),
    );
  });

  router.get('/health/sync', async (ctx) => {
    guard.check(ctx, 'look');
    ctx.set('Cache-Control', 'no-store');
    const { sync, safety: safe, exchange, listeners, oldestUnsentMs, memory, uptimeSeconds } = await status();
    ctx.body = {
      instance: { uptimeSeconds, listeners, oldestUnsentPokeMs: oldestUnsentMs, memory, exchange },
      sync: sync ?? null,
      safety: safe ?? null,
    };
  });

  router.get('/metrics', async (ctx) => {
    guard.check(ctx, 'look');
    ctx.set('Cache-Control', 'no-store');
    const [{ checks }, read, safe] = await Promise.all([readiness(), overview(), safety()]);
    ctx.type = 'text/plain; version=0.0.4; charset=utf-8';
    ctx.body = await metricsText({
      stats: watch.stats,
      overview: read,
      safety: safe,
      checks,
      listeners: poke.listeners(),
      oldestUnsentMs: poke.oldestUnsentMs(),
      memory: poke.memory(),
    });
  });

  // These contain nothing private, and the page needs them before the sign-in.
  for (const [path, name] of [
    ['/health/status.js', 'status.js'],
    ['/health/status.css', 'status.css'],
  ] as const) {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    router.get(path, (ctx) => {
      ctx.set('Cache-Control', 'no-cache');
      ctx.type = extname(name);
      ctx.body = text;
    });
  }
  return router;
}
