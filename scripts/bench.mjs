/* `npm run bench`: installs what is missing, builds what is stale, then measures. */
import { buildIfStale } from './built.mjs';
import { handOver, stop } from './hand-over.mjs';
import { installIfStale } from './installed.mjs';

try {
  installIfStale();
  buildIfStale();
  handOver('bench/main.ts');
} catch (error) {
  stop(`Cannot measure: ${error.message}`);
}
