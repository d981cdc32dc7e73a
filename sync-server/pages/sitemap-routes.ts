import { createHash } from 'node:crypto';
import Router from '@koa/router';
import type { Context } from 'koa';
import { xml, type Html } from '../../shared/lib/html.ts';
import { memberPaths } from '../../shared/routes.ts';
import type { Deps } from '../ports/deps.ts';
import { createPublicPages, type PublicPage } from './public-pages.ts';

/** As the sitemap protocol has it. */
const maxInOneFile = 50_000;

/**
 * What search engines may read and where: not pages that need a session, nor calls, but for those with which a
 * business's page is drawn. A job is shared by link; its page carries noindex, which a crawler has to read to obey.
 */
const rules = [
  'User-agent: *',
  ...[...memberPaths, '/api/', '/auth/', '/dev/', '/health'].map((path) => `Disallow: ${path}`),
  ...['/api/config', '/api/sync/shelves/reference', '/api/sync/shelves/directory'].map((path) => `Allow: ${path}`),
];

/**
 * - `GET /robots.txt`: the rules, and where the list of pages is.
 * - `GET /sitemap.xml`: every public page, a business's with the instant of its last visible change; an index of
 * `/sitemap-1.xml` and so
 *   on where there are more than 50,000. 404 for a part that there is not.
 *
 * Both may be kept for an hour.
 */
export function sitemapRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  maxPages: number = maxInOneFile,
): Router {
  const router = new Router();
  const publicPages = createPublicPages(deps);
  const originOf = (ctx: Context) => deps.config.publicUrl ?? ctx.origin;

  router.get('/robots.txt', (ctx) =>
    answer(ctx, 'txt', `${[...rules, '', `Sitemap: ${originOf(ctx)}/sitemap.xml`].join('\n')}\n`),
  );

  router.get('/sitemap.xml', async (ctx) => {
    const pages = await publicPages();
    const parts = Math.ceil(pages.length / maxPages);
    const names = Array.from({ length: parts }, (_, at) => `/sitemap-${at + 1}.xml`);
    answer(ctx, 'xml', parts <= 1 ? urlSet(originOf(ctx), pages) : index(originOf(ctx), names));
  });

  router.get('/sitemap-:part.xml', async (ctx, next) => {
    const part = ctx.params['part'] ?? '';
    if (!/^[1-9]\d{0,4}$/.test(part)) return next();
    const pages = await publicPages();
    const at = (Number(part) - 1) * maxPages;
    if (pages.length <= maxPages || at >= pages.length) return next();
    return answer(ctx, 'xml', urlSet(originOf(ctx), pages.slice(at, at + maxPages)));
  });

  return router;
}

function answer(ctx: Context, type: 'txt' | 'xml', body: string): void {
  ctx.set('Cache-Control', 'public, max-age=3600');
  ctx.status = 200;
  ctx.type = type;
  ctx.etag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = body;
}

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function urlSet(origin: string, pages: readonly PublicPage[]): string {
  const urls = pages.map(
    ({ path, changedAt }) =>
      xml`<url><loc>${origin + path}</loc>${changedAt && xml`<lastmod>${changedAt.toISOString()}</lastmod>`}</url>\n`,
  );
  return document(xml`<urlset xmlns="${namespace}">\n${urls}</urlset>`);
}

function index(origin: string, names: readonly string[]): string {
  const parts = names.map((name) => xml`<sitemap><loc>${origin + name}</loc></sitemap>\n`);
  return document(xml`<sitemapindex xmlns="${namespace}">\n${parts}</sitemapindex>`);
}

const document = (root: Html) => String(xml`<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`);
