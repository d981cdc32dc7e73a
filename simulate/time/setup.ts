import zlib from 'node:zlib';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded before any of the product: what the platform does in its own threads would complete at a time of its own, and
 * then a seed would not give the same run twice. Compression is synchronous; request bodies go uncompressed; tabs get
 * changes through virtual channels only.
 */

type Callback = (error: Error | null, bytes: Buffer) => void;

const onTheSpot =
  (compress: (text: string, options: object) => Buffer) => (text: string, options: object, done: Callback) =>
    done(null, compress(text, options));
Object.assign(zlib, {
  brotliCompress: onTheSpot((text, options) =>
    zlib.brotliCompressSync(text, { ...options, params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 0 } }),
  ),
  gzip: onTheSpot((text) => zlib.gzipSync(text, { level: 1 })),
});
syncBuiltinESMExports();

for (const name of ['CompressionStream', 'BroadcastChannel']) Reflect.deleteProperty(globalThis, name);
// Dexie chains its microtasks to a promise of this, where it exists; that one would settle when a thread of the
// platform has time.
Reflect.deleteProperty(Object.getPrototypeOf(globalThis.crypto) as object, 'subtle');

/** Rows and keys are plain; the platform's own clone costs ten times as much. */
const platformClone = globalThis.structuredClone;

function clone(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function' || typeof value === 'symbol') return platformClone(value);
    return value;
  }
  if (Array.isArray(value)) return value.map(clone);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return platformClone(value);
  const copy: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) copy[key] = clone(part);
  return copy;
}

Object.assign(globalThis, { structuredClone: clone });
