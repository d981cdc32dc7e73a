import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBrowserReport } from './browser-report.ts';
import { runPart } from './run-part.ts';

/**
 * How many tests these projects of vitest hold, read from their files without running anything: a few seconds. 0 where
 * vitest itself cannot say.
 */
export async function listedTests(projects: readonly string[], folder: string): Promise<number> {
  const file = join(folder, `listed-${projects.join('-')}.json`);
  const args = ['list', ...projects.flatMap((project) => ['--project', project]), `--json=${file}`];
  const { code } = await runPart({ name: 'list', command: 'vitest', args });
  return code === 0 ? (JSON.parse(readFileSync(file, 'utf8')) as unknown[]).length : 0;
}

/** The same of Playwright’s projects. */
export async function listedBrowserTests(projects: readonly string[], folder: string): Promise<number> {
  const file = join(folder, `listed-${projects.join('-')}.json`);
  const args = ['test', ...projects.map((project) => `--project=${project}`), '--list', '--reporter=json'];
  await runPart({ name: 'list', command: 'playwright', args, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file } });
  return (readBrowserReport(file)?.testResults ?? []).flatMap(({ assertionResults = [] }) => assertionResults).length;
}
