/* `npm run check`: types, lint, layout, module boundaries, unused code, weight, fast tests. */
import { fastTests, staticParts } from './check-parts.ts';
import { readArguments } from './read-arguments.mjs';
import { runParts } from './run-part.ts';

readArguments('npm run check');

const began = performance.now();
const [slowest, ...rest] = staticParts;
const results = await runParts(slowest === undefined ? [] : [slowest, fastTests, ...rest], 2);
const failed = results.filter(({ code }) => code !== 0);
console.log(
  `\n${results.length - failed.length} passed, ${failed.length} failed in ${((performance.now() - began) / 1000).toFixed(0)} s`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
