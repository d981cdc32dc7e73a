import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Manifest } from 'vite';

/** One row of B13 (docs/performance.md). Sizes are bytes; a kB is a thousand. */
export interface Weight {
  readonly what: string;
  readonly bytes: number;
  readonly max: number;
}

/** The most that each may weigh (B13 in docs/performance.md). */
export const budgets = {
  landing: 1_530,
  signIn: 236_900,
  signedIn: 238_600,
  engineGzip: 23_900,
  precache: 1_515_500,
} as const;

/**
 * What the app fetches for a signed-in person until the first screen is complete. Not the authentication client (20
 * kB): it loads when a session has to be renewed, and no screen waits for it.
 */
export const signedInModules = [
  'compose/create-app.ts',
  'features/frame/member-frame.tsx',
  'routes/dashboard-route.tsx',
];

/** Weighs a build of the app. `engine`: the sync engine by itself, bundled without its libraries. */
export function measureWeight(dist: string, engine: string): Weight[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
  const home = readFileSync(join(dist, 'home.html'), 'utf8');
  const frame = scriptsOf(readFileSync(join(dist, 'index.html'), 'utf8'));
  const signedIn = new Set([...frame, ...signedInModules.flatMap((module) => closureOf(manifest, module))]);
  return [
    { what: '/ before a tap, JavaScript, brotli', bytes: brotli(dist, scriptsOf(home)), max: budgets.landing },
    { what: 'a tap on / to the dialog, JavaScript, brotli', bytes: brotli(dist, laterOf(home)), max: budgets.signIn },
    { what: 'signed-in first route, JavaScript, brotli', bytes: brotli(dist, signedIn), max: budgets.signedIn },
    {
      what: 'the sync engine on top of Dexie, gzip',
      bytes: gzipSync(engine, { level: 9 }).length,
      max: budgets.engineGzip,
    },
    {
      what: 'kept by the service worker, raw',
      bytes: precached(dist).reduce((sum, file) => sum + statSync(join(dist, file)).size, 0),
      max: budgets.precache,
    },
  ];
}

/** The table for people, and whether all is within. */
export function weigh(weights: readonly Weight[]): { table: string; isWithin: boolean } {
  const kB = (bytes: number) => (bytes / 1_000).toFixed(1).padStart(8);
  const lines = weights.map(
    ({ what, bytes, max }) =>
      `${what.padEnd(46)}${kB(bytes)} kB of ${kB(max)}  ${bytes <= max ? 'ok' : `OVER by ${kB(bytes - max).trim()} kB`}`,
  );
  return { table: lines.join('\n'), isWithin: weights.every(({ bytes, max }) => bytes <= max) };
}

/** Every script a document fetches by itself: its tags, and what it preloads. */
function scriptsOf(html: string): string[] {
  return [...html.matchAll(/<(?:script[^>]* src|link rel="modulepreload"[^>]* href)="\/([^"]+)"/g)].map(
    ([, path]) => path ?? '',
  );
}

/** Every script that a document fetches when the app is needed (`public/here.js`). */
function laterOf(html: string): string[] {
  const names = / data-later="([^"]+)"/.exec(html)?.[1];
  if (names === undefined) throw new Error('the document names no app');
  return names.split(' ').map((name) => `assets/${name}`);
}

function closureOf(manifest: Manifest, module: string): string[] {
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`the build has no ${key}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  visit(module);
  return [...files];
}

function brotli(dist: string, files: Iterable<string>): number {
  return [...new Set(files)].reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(dist, file))).length, 0);
}

/**
 * Reads the files that the worker itself lists: it may name a page that it does not keep. The bundle of small ones is
 * taken apart.
 */
function precached(dist: string): string[] {
  const worker = readFileSync(join(dist, 'service-worker.js'), 'utf8');
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dist.length)
        .replace(/^[\\/]/, '')
        .replaceAll('\\', '/'),
    );
  const isBundle = (file: string) => file.startsWith('assets/precache-');
  const kept = files.filter((file) => worker.includes(`"url":"${file}"`) && !isBundle(file));
  for (const page of ['index.html', 'home.html'])
    if (!kept.includes(page)) throw new Error(`the service worker does not keep ${page}`);
  return kept;
}
