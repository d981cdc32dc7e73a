/* What `npm test` runs once everything is installed; the last line sums it up. */
import { globSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { audit } from './audit.ts';
import { staticParts } from './check-parts.ts';
import { findChromium, howToGetChromium } from './find-chromium.ts';
import { root } from './installed.mjs';
import { buildIfStale } from './built.mjs';
import { runPart, runParts } from './run-part.ts';
import { exitCodeOf, failuresOf, sum, tallyOf, type Tally } from './tally.ts';

const ci = process.env['CI'] === 'true' || process.env['CI'] === '1';
const reports = join(root, 'node_modules/.cache/dwang/reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const tallies: Tally[] = [];

heading('Types, lint, walls, unused code');
for (const { code } of await runParts(staticParts, 2)) tallies.push({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });

if (ci) {
  heading('Known holes in packages');
  tallies.push(tallyOfAudit());
}

heading('Unit, screens, PGlite and PostgreSQL');
await vitest('tests', ['unit', 'dom', 'screens', 'storms', 'pg']);

heading('Phones, tabs and servers under every failure, simulated');
await simulate('seeds', ['--seeds', '1..300', '--steps', '200', '--fresh']);
await simulate('zoo', ['--zoo']);

heading('The whole story in a real browser');
const chromium = findChromium();
if (chromium === undefined) {
  console.log(howToGetChromium);
  tallies.push({ passed: 0, failed: 0, skipped: globSync('e2e/**/*.spec.ts', { cwd: root }).length });
} else if (built()) {
  await vitest('browser', ['e2e'], { CHROMIUM_PATH: chromium });
  heading('Every screen in every state: axe, overflow, jumps and targets');
  await vitest('looks', ['looks'], { CHROMIUM_PATH: chromium });
}

const failures = globSync('*.json', { cwd: reports }).toSorted().flatMap((name) => failuresOf(join(reports, name)));
if (failures.length > 0) console.log(`\n== What failed\n\n${failures.join('\n\n')}`);

const total = sum(tallies);
if (ci && total.skipped > 0) console.log('\nUnder CI nothing may be left out.');
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(exitCodeOf(total, ci));

function heading(text: string): void {
  console.log(`\n== ${text}`);
}

/** A registry without advisories (a mirror, a machine without the internet) is said, and counts as nothing. */
function tallyOfAudit(): Tally {
  const audited = audit();
  if (audited.kind === 'clean') console.log('None known.');
  if (audited.kind === 'holes') console.log(audited.named.join('\n'));
  if (audited.kind === 'not-asked') console.log(`Could not be asked: ${audited.why}`);
  return { passed: audited.kind === 'clean' ? 1 : 0, failed: audited.kind === 'holes' ? 1 : 0, skipped: 0 };
}

function built(): boolean {
  try {
    buildIfStale();
    return true;
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    tallies.push({ passed: 0, failed: 1, skipped: 0 });
    return false;
  }
}

async function simulate(name: string, args: string[]): Promise<void> {
  const report = join(reports, `simulate-${name}.json`);
  const { code } = await runPart({ name: `simulator: ${name}`, command: 'node', args: ['simulate/main.ts', ...args, '--report', report] }, true);
  tallies.push(tallyOf(report, code));
}

async function vitest(name: string, projects: string[], env: Record<string, string> = {}): Promise<void> {
  const report = join(reports, `${name}.json`);
  const args = ['run', ...projects.flatMap((project) => ['--project', project]), '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await runPart({ name, command: 'vitest', args, env }, true);
  tallies.push(tallyOf(report, code));
}
