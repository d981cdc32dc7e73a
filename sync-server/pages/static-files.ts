import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { Context, Middleware } from 'koa';
import { escapeHtml } from '../../shared/lib/html.ts';
import { proofAttribute } from '../../shared/lib/landing-proof.ts';
import { pageHead } from '../../shared/lib/page-head.ts';
import { isMachinery, pageAt, pages, type PageFacts } from '../../shared/routes.ts';
import type { DescribePage, PageDescription } from './describe-page.ts';
import type { Drawn } from './documents.ts';
import { isAppPage } from '../http/app-paths.ts';

/** There is no app to serve. */
export class AppNotBuilt extends Error {
  override name = 'AppNotBuilt';
}

interface StaticFile {
  /** The bytes by Content-Encoding, the smallest first. */
  bytes: Map<'br' | 'gzip' | 'identity', Buffer>;
  etag: string;
  extension: string;
  cacheControl: string;
}

export interface StaticParts {
  withDevPage: boolean;
  /** Never throws. */
  describe?: DescribePage;
  /** Origin of the product's address; undefined: as each request says. */
  publicUrl?: string | undefined;
}

/** The prerendered file of this page; undefined where the shell is served for it. */
function fileOf(path: string, drawn: Drawn | undefined): string | undefined {
  const page = pageAt(path);
  if (page === undefined) return undefined;
  const { file }: PageFacts = pages[page];
  if (file === undefined) return undefined;
  // Another spelling of the address is not the prerendered one; of what is drawn there is only the frame.
  return (filledIn.has(`/${file}`) ? drawn !== undefined : page === path) ? `/${file}` : undefined;
}

/**
 * Files with placeholders that are filled in for each address: requested by their own names they would show them
 * unfilled.
 */
const filledIn: ReadonlySet<string> = new Set([`/${pages['/tradie/$id'].file}`, `/${pages['/find-tradies'].file}`]);

/**
 * The built app, read once, at start, and answered from memory: precompressed `.br`/`.gz` where they exist, hashed
 * assets as immutable, the shell for every page, with a description of the page for clients that run no script.
 *
 * @throws AppNotBuilt where the app has not been built.
 */
export function staticFiles(
  dist: string,
  { withDevPage, describe = async () => undefined, publicUrl }: StaticParts,
): Middleware {
  const files = readFiles(dist);
  const shell = files.get('/index.html');
  if (shell === undefined)
    throw new AppNotBuilt(`${join(dist, 'index.html')} is missing: build the app first (npm run build)`);

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (isAppPage(ctx.path, withDevPage)) {
      const { status = 200, head, drawn, proof } = (await describe(ctx.path, ctx.query)) ?? {};
      const page = files.get(fileOf(ctx.path, drawn) ?? '') ?? shell;
      if (head === undefined) return answer(ctx, page, status);
      return answerDescribed(ctx, page, pageHead({ ...head, origin: publicUrl ?? ctx.origin }), { drawn, proof });
    }
    const file = files.get(ctx.path);
    if (file !== undefined && !filledIn.has(ctx.path)) return answer(ctx, file, 200);
    if (isMachinery(ctx.path)) return next();
    const perhapsPage =
      !ctx.path.slice(ctx.path.lastIndexOf('/')).includes('.') && ctx.get('Accept').includes('text/html');
    // The app says 'not found'; so does the status.
    return perhapsPage ? answer(ctx, shell, 404) : next();
  };
}

function answer(ctx: Context, file: StaticFile, status: 200 | 404): void {
  ctx.vary('Accept-Encoding');
  ctx.set('Cache-Control', file.cacheControl);
  const encoding = [...file.bytes.keys()].find((name) => ctx.acceptsEncodings(name)) ?? 'identity';
  ctx.status = status;
  ctx.type = file.extension;
  // Each encoding is another sequence of bytes, so it has another strong tag.
  ctx.etag = `${file.etag}-${encoding}`;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = file.bytes.get(encoding);
  // The bytes are compressed already.
  ctx.compress = false;
}

/** Its placeholder in `app/index.html`. */
const headSlot = /<!--page-head-->[^]*<!--\/page-head-->/;

/** Its own closing tag belongs to it: where there is nothing to show it stays as it is. */
const proofSlot = new RegExp(`(<div[^>]* ${proofAttribute}="">)(?=</div>)`);

interface Told {
  readonly drawn: Drawn | undefined;
  readonly proof: PageDescription['proof'];
}

function answerDescribed(ctx: Context, page: StaticFile, head: string, { drawn, proof }: Told): void {
  const whole = (page.bytes.get('identity') ?? Buffer.alloc(0)).toString();
  // One pass fills in both, so that what a person wrote is never taken for a placeholder.
  const seen =
    drawn === undefined
      ? whole
      : whole.replace(/%(content|written)%/g, (_, key: keyof Drawn) =>
          key === 'content' ? drawn.content : escapeHtml(drawn.written),
        );
  const told = proof === undefined ? seen : seen.replace(proofSlot, (open) => `${open}${String(proof)}`);
  const html = told.replace(headSlot, () => head);
  ctx.set('Cache-Control', page.cacheControl);
  ctx.status = 200;
  ctx.type = page.extension;
  ctx.etag = createHash('sha256').update(html).digest('base64url').slice(0, 22);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = html;
}

function readFiles(dist: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  if (!existsSync(dist)) return files;
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\.(br|gz|map)$/.test(entry.name) || /[\\/]\./.test(path.slice(dist.length))) continue;
    const identity = readFileSync(path);
    const bytes: StaticFile['bytes'] = new Map();
    if (existsSync(`${path}.br`)) bytes.set('br', readFileSync(`${path}.br`));
    if (existsSync(`${path}.gz`)) bytes.set('gzip', readFileSync(`${path}.gz`));
    const name = path.slice(dist.length).split(sep).join('/');
    files.set(name.startsWith('/') ? name : `/${name}`, {
      bytes: bytes.set('identity', identity),
      etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
      extension: extname(entry.name) || '.txt',
      cacheControl: cacheControlOf(name),
    });
  }
  return files;
}

function cacheControlOf(name: string): string {
  // Names under assets/ carry a hash of their content, so they never change.
  if (/^\/?assets\//.test(name)) return 'public, max-age=31536000, immutable';
  // These decide which version of the app runs: they are revalidated each time.
  if (/(\.html|\/[\w-]*(sw|worker)\.js|\.webmanifest|manifest\.json)$/.test(name)) return 'no-cache';
  return 'public, max-age=3600';
}
