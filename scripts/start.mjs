/* `npm start`: installs what is missing, builds what is stale, starts the server. */
import { buildIfStale } from './built.mjs';
import { handOver, stop } from './hand-over.mjs';
import { installIfStale } from './installed.mjs';

try {
  installIfStale();
  buildIfStale();
  handOver('sync-server/main.ts');
} catch (error) {
  stop(`Cannot start: ${error.message}`);
}
