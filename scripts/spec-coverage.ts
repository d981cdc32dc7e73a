/*
 * `node scripts/spec-coverage.ts`: each part of the product as tests name it, and the tests that see it
 * (docs/spec-coverage.md).
 */
import { readArguments } from './read-arguments.mjs';
import { taggedTests } from './spec-sections.ts';

readArguments('node scripts/spec-coverage.ts');

for (const [section, tests] of await taggedTests()) {
  console.log(`\n§${section}`);
  for (const { file, name } of tests) console.log(`  ${file} › ${name}`);
}
