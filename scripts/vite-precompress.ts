import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);
const text = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest', '.xml']);
/** Below this a header costs more than the saving. */
const leastBytes = 1_024;

/**
 * Writes `x.br` and `x.gz` beside every text file of the build, at the hardest setting: the server then sends
 * small files without spending its own time. Runs last, so that the service worker is there already.
 */
export function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'dwang:precompress',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
        for (const entry of entries) {
          if (!entry.isFile() || !text.has(extname(entry.name))) continue;
          const path = join(entry.parentPath, entry.name);
          const bytes = await readFile(path);
          if (bytes.length < leastBytes) continue;
          const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
          await writeFile(
            `${path}.br`,
            await brotli(bytes, {
              params: { ...size, [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
            }),
          );
          await writeFile(`${path}.gz`, await gz(bytes, { level: 9 }));
        }
      },
    },
  };
}
