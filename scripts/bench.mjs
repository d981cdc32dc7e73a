/* `npm run bench`: installs what is missing, then measures. */
import { handOver, stop } from './hand-over.mjs';
import { installIfStale } from './installed.mjs';

try {
  installIfStale();
  handOver('bench/main.ts');
} catch (error) {
  stop(`Cannot measure: ${error.message}`);
}
