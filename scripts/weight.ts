/* `npm run weight`, and a part of `npm run check`: what the app weighs, against what it may (issue 6, B13). */
import { join } from 'node:path';
import { buildIfStale } from './built.mjs';
import { bundleEngine } from './bundle-engine.ts';
import { root } from './installed.mjs';
import { measureWeight, weigh } from './measure-weight.ts';

buildIfStale();
const { table, isWithin } = weigh(measureWeight(join(root, 'dist'), await bundleEngine()));
console.log(table);
process.exitCode = isWithin ? 0 : 1;
