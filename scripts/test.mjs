/*
 * `npm test`: installs what is missing, then runs everything that CI runs. `npm run test:long`: the same, and more of
 * each.
 */
import { runOnNode, stop } from './run-on-node.mjs';
import { installIfStale } from './installed.mjs';
import { readArguments } from './read-arguments.mjs';

const { values } = readArguments(
  'npm test\nnpm run test:long\n\nOne file: npx vitest run --project unit|dom|screens|pg path/of/file\nOne file in a browser: npx playwright test path/of/file',
  { long: { type: 'boolean', default: false } },
);
// The tests read this themselves, in whatever process they run.
if (values.long) process.env.TEST_LONG = '1';

try {
  installIfStale();
  runOnNode('scripts/run-tests.ts', []);
} catch (error) {
  stop(`Cannot test: ${error.message}`);
}
