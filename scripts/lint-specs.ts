/*
 * oxlint’s rules for tests see a test by its import of vitest, and would pass over those of Playwright: the browser
 * tests are linted once more, as if they were vitest’s.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './installed.mjs';
import { runPart } from './run-part.ts';

/** Where a browser test has its `test` from. */
const playwrights = /'(@playwright\/test|\.\/shared-server\.ts)'/g;

/** What is wrong with these texts, by their paths from the root of the repository; empty where nothing is. */
export async function errorsOfSpecs(texts: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dwang-specs-'));
  try {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text.replaceAll(playwrights, "'vitest'"));
    }
    const args = ['--config', join(root, '.oxlintrc.json'), '--deny-warnings', '--quiet', '--format=unix', folder];
    const { code, output } = await runPart({ name: 'lint of browser tests', command: 'oxlint', args });
    return code === 0 ? '' : output.replaceAll(`${folder}/`, '');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const specs = globSync('e2e/**/*.spec.ts', { cwd: root });
  const errors = await errorsOfSpecs(
    Object.fromEntries(specs.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
  );
  console.log(errors === '' ? `${specs.length} files, nothing wrong` : errors);
  process.exitCode = errors === '' && specs.length > 0 ? 0 : 1;
}
