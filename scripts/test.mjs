/* `npm test`: installs what is missing, then runs everything that CI runs. */
import { handOver, stop } from './hand-over.mjs';
import { installIfStale } from './installed.mjs';
import { readArguments } from './read-arguments.mjs';

readArguments('npm test\n\nOne file: npx vitest run --project unit|dom|screens|storms|pg|e2e|looks path/of/file');

try {
  installIfStale();
  handOver('scripts/run-tests.ts');
} catch (error) {
  stop(`Cannot test: ${error.message}`);
}
