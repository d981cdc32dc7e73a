/*
 * `npm run weight`, and a part of `npm run check`: what the app weighs, against what it may (B13 in
 * docs/performance.md).
 * `npm run weight -- --packages`: what each dependency costs of it.
 */
import { join } from 'node:path';
import { buildIfStale } from './built.mjs';
import { bundleEngine } from './bundle-engine.ts';
import { root } from './installed.mjs';
import { measureWeight, weigh } from './measure-weight.ts';
import { readArguments } from './read-arguments.mjs';
import { weighPackages } from './weigh-packages.ts';

const { values } = readArguments('npm run weight [-- --packages]', { packages: { type: 'boolean', default: false } });
if (values.packages) {
  const kB = (bytes: number) => (bytes === 0 ? '' : (bytes / 1_000).toFixed(1));
  const lines = (await weighPackages())
    .filter(({ all }) => all >= 500)
    .map(({ name, first, signedIn, all }) => `| ${name} | ${kB(first)} | ${kB(signedIn)} | ${kB(all)} |`);
  console.log(
    ['| brotli, kB | entry | signed-in first route | anywhere |', '| --- | ---: | ---: | ---: |', ...lines].join('\n'),
  );
} else {
  buildIfStale();
  const { table, isWithin } = weigh(measureWeight(join(root, 'dist'), await bundleEngine()));
  console.log(table);
  process.exitCode = isWithin ? 0 : 1;
}
