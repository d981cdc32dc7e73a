/* `npm start`: installs what is missing, builds what is stale, starts the server. */
import { buildIfStale } from './built.mjs';
import { runOnNode, stop } from './run-on-node.mjs';
import { installIfStale } from './installed.mjs';
import { readArguments } from './read-arguments.mjs';

readArguments('npm start\n\nSettings are taken from the environment: .env.example lists them.');

try {
  installIfStale();
  buildIfStale();
  runOnNode('sync-server/main.ts');
} catch (error) {
  stop(`Cannot start: ${error.message}`);
}
