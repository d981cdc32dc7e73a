import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { isKept } from './vite-installable.ts';

/**
 * Larger ones a first page has mostly loaded already: asked for by their names, they come out of the browser's cache.
 */
const smallBytes = 20_000;

/**
 * Writes `assets/precache-[hash].json`, the small scripts and style sheets that the service worker keeps, as pairs of
 * address and text: the worker asks for one file after the other, and on a weak signal each request costs half a second
 * whatever its size. Runs before the service worker is made, which finds the file in its list
 * (`app/worker/fill-precache.ts`).
 */
export function precacheBundle(): Plugin {
  let assets = '';
  return {
    name: 'dwang:precache-bundle',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      assets = resolve(config.root, config.build.outDir, config.build.assetsDir);
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const names = (await readdir(assets)).filter((name) => isSource(name) && isKept(name)).toSorted();
        const read = names.map(
          async (name) => [`/assets/${name}`, await readFile(join(assets, name), 'utf8')] as const,
        );
        const files = (await Promise.all(read)).filter(([, text]) => text.length < smallBytes);
        const bundle = JSON.stringify(files);
        const hash = createHash('sha256').update(bundle).digest('base64url').slice(0, 8);
        await writeFile(join(assets, `precache-${hash}.json`), bundle);
      },
    },
  };
}

const isSource = (name: string) => ['.js', '.css'].includes(extname(name));
