import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** The script that the built app below has, at `/assets/app-1a2b.js`. */
export const script = `console.log(${JSON.stringify('kia ora '.repeat(400))})`;

/** A folder as `vite build` leaves it, with as little in it as the server needs. */
export async function openBuiltDist() {
  const dist = await mkdtemp(join(tmpdir(), 'dwang-dist-'));
  await mkdir(join(dist, 'assets'));
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>Dwang</title>');
  await writeFile(join(dist, 'sw.js'), 'self');
  await writeFile(join(dist, 'manifest.webmanifest'), '{}');
  await writeFile(join(dist, 'assets/app-1a2b.js'), script);
  await writeFile(join(dist, 'assets/app-1a2b.js.br'), brotliCompressSync(script));
  await writeFile(join(dist, 'assets/app-1a2b.js.gz'), gzipSync(script));
  return { dist, close: () => rm(dist, { recursive: true }) };
}
