import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { Context, Middleware } from 'koa';
import { isAppPage, isMachinery } from './app-paths.ts';

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

/**
 * The built app, read once, at start, and answered from memory: precompressed `.br`/`.gz` where they lie beside, hashed
 * assets for ever, the shell for every page.
 *
 * @throws AppNotBuilt where the app has not been built.
 */
export function staticFiles(dist: string, { withDevPage }: { withDevPage: boolean }): Middleware {
  const files = readFiles(dist);
  const shell = files.get('/index.html');
  if (shell === undefined) throw new AppNotBuilt(`${join(dist, 'index.html')} is missing: build the app first (npm run build)`);

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const file = files.get(ctx.path) ?? (isAppPage(ctx.path, withDevPage) ? shell : undefined);
    if (file !== undefined) return answer(ctx, file, 200);
    if (isMachinery(ctx.path)) return next();
    const perhapsPage = !ctx.path.slice(ctx.path.lastIndexOf('/')).includes('.') && ctx.get('Accept').includes('text/html');
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
  // The bytes are ready as they are: nothing left to compress.
  ctx.compress = false;
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
  // These decide which version of the app runs: they are asked for each time.
  if (/(\.html|\/[\w-]*(sw|worker)\.js|\.webmanifest|manifest\.json)$/.test(name)) return 'no-cache';
  return 'public, max-age=3600';
}
