/* `npm run bench`: installs what is missing, then measures. */
import { runOnNode, stop } from './run-on-node.mjs';
import { installIfStale } from './installed.mjs';

try {
  installIfStale();
  runOnNode('bench/main.ts');
} catch (error) {
  stop(`Cannot measure: ${error.message}`);
}
