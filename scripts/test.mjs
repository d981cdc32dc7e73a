/* `npm test`: installs what is missing, then runs everything that CI runs. */
import { handOver, stop } from './hand-over.mjs';
import { installIfStale } from './installed.mjs';

try {
  installIfStale();
  handOver('scripts/run-tests.ts');
} catch (error) {
  stop(`Cannot test: ${error.message}`);
}
