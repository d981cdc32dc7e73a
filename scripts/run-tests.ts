/* What `npm test` runs once everything is installed; the last line sums it up. */
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { audit } from './audit.ts';
import { browsersInstalled } from './browsers-installed.ts';
import { readBrowserReport } from './browser-report.ts';
import { staticParts } from './check-parts.ts';
import { engines, findEngine, howToGet, type Engine } from './find-engines.ts';
import { findChromium, howToGetChromium, whyNoBrowser } from './find-chromium.ts';
import { root } from './installed.mjs';
import { buildIfStale } from './built.mjs';
import { listedBrowserTests, listedTests } from './listed-tests.ts';
import { runPart, runParts } from './run-part.ts';
import { specsToRepeat, without } from './specs-to-repeat.ts';
import { exitCodeOf, failuresOfReport, readReport, sum, tallyOfReport, type Tally, type TestReport } from './tally.ts';

/** More seeds, both databases, every screen at every size: `npm run test:long`. */
const isLong = process.env['TEST_LONG'] === '1';
const ci = process.env['CI'] === 'true' || process.env['CI'] === '1';
const reports = join(root, 'node_modules/.cache/dwang/reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const chromiumProjects = ['looks', 'e2e', 'bench'];
const tallies: Tally[] = [];
/** The failures in words, for the end of the log. */
const failures: string[] = [];
const seenTwice: string[] = [];
/** How long each stage took, in words. */
const seconds: string[] = [];

await stage('Types, lint, layout, module boundaries, unused code', async () => {
  for (const { code } of await runParts(staticParts, 2))
    tallies.push({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
});

if (ci) await stage('Known holes in packages', async () => void tallies.push(tallyOfAudit()));

// These run beside each other: tests wait for databases, servers and clocks for nearly half of their time, the
// simulator for nothing.
await Promise.all([
  stage('Unit, screens, PGlite and PostgreSQL', () => vitest('tests', ['unit', 'dom', 'screens', 'pg'])),
  stage('Phones, tabs and servers under every failure, simulated', async () => {
    await simulate('seeds', ['--seeds', isLong ? '1..100' : '1..10', '--steps', '200', '--fresh']);
    await simulate('planted-bugs', ['--planted-bugs', ...(isLong ? [] : ['--few'])]);
  }),
]);

const whyNotBuilt = build();
const whyNotInstalled = await browsersInstalled();
if (whyNotInstalled !== '') console.log(`\nThe browsers were not installed:\n${whyNotInstalled}`);
// These run one after the other: beside each other three browsers share two cores, and every wait grows.
await stage('In Chromium: every screen in every state, and the whole story', inChromium);
await stage('In Firefox and WebKit', inOtherEngines);

if (seenTwice.length > 0)
  console.log(`\n== Failed, and passed when it was seen again (docs/decisions/0010)\n\n${seenTwice.join('\n\n')}`);
if (failures.length > 0) console.log(`\n== What failed\n\n${failures.join('\n\n')}`);

console.log(`\n== Seconds\n\n${seconds.join('\n')}`);
const total = sum(tallies);
if (ci && total.skipped > 0) console.log('\nUnder CI nothing may be left out.');
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(exitCodeOf(total, ci));

/** Stages that run beside each other print as they go, but for the simulator, which prints at its end. */
async function stage(name: string, run: () => Promise<void>): Promise<void> {
  console.log(`\n== ${name}`);
  const began = performance.now();
  await run();
  seconds.push(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)}  ${name}`);
}

/** A registry without advisories (a mirror, a machine without the internet) is said, and counts as nothing. */
function tallyOfAudit(): Tally {
  const audited = audit();
  if (audited.kind === 'clean') console.log('None known.');
  if (audited.kind === 'holes') console.log(audited.named.join('\n'));
  if (audited.kind === 'not-asked') console.log(`Could not be asked: ${audited.why}`);
  return { passed: audited.kind === 'clean' ? 1 : 0, failed: audited.kind === 'holes' ? 1 : 0, skipped: 0 };
}

/** Why it cannot be built, where it cannot. */
function build(): string | undefined {
  try {
    buildIfStale();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Runs the simulator on one core, beside the tests. */
async function simulate(name: string, args: string[]): Promise<void> {
  const report = join(reports, `simulate-${name}.json`);
  const { code, output } = await runPart({
    name: `simulator: ${name}`,
    command: 'node',
    args: ['simulate/main.ts', ...args, '--workers', '1', '--report', report],
  });
  console.log(`\n== Simulator: ${name}\n\n${output.trimEnd()}`);
  tallies.push(tallyOfReport(readReport(report), code));
}

async function vitest(name: string, projects: string[]): Promise<void> {
  const run = async (part: string, files: string[]): Promise<Run> => {
    const file = join(reports, `${part}.json`);
    const args = [
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...files,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ];
    const { code } = await runPart({ name: part, command: 'vitest', args }, true);
    return { report: readReport(file), code };
  };
  await seeAgain(name, run, projects, listedTests);
}

interface Run {
  report: TestReport | undefined;
  code: number;
}

async function inChromium(): Promise<void> {
  const chromium = findChromium();
  const whyNot = chromium === undefined ? howToGetChromium : (whyNotBuilt ?? (await whyNoBrowser(chromium)));
  if (chromium !== undefined && whyNot === undefined) return testInChromium(chromium);
  const wanted = await listedBrowserTests(chromiumProjects, reports);
  console.log(`None of the ${wanted} tests in Chromium could run: ${whyNot}`);
  tallies.push(
    chromium === undefined ? { passed: 0, failed: 0, skipped: wanted } : tallyOfReport(undefined, 1, wanted),
  );
}

/** Both projects in one run: one ends in a long file, during which the other would not use the second core. */
function testInChromium(chromium: string): Promise<void> {
  const run = (part: string, files: string[]) => runInBrowser(part, chromium, files);
  return seeAgain('browser', run, chromiumProjects, listedBrowserTests);
}

/** Runs all (no files), and the screens that failed once more (docs/decisions/0010). */
async function seeAgain(
  name: string,
  run: (part: string, files: string[]) => Promise<Run>,
  projects: string[],
  list: typeof listedTests,
): Promise<void> {
  const first = await run(name, []);
  const specs = specsToRepeat(first.report);
  if (first.report === undefined || specs.length === 0) return countResults(projects, first, list);
  const files = specs.map((spec) => relative(root, spec));
  console.log(`\nSeen again: ${files.join(', ')}`);
  const second = await run(`${name}-again`, files);
  await countResults(projects, { report: without(first.report, specs), code: 0 }, list);
  await countResults(projects, second, list);
  if (second.code === 0) seenTwice.push(...failuresOfReport(first.report));
}

/** The tests of an engine that is not on this machine count as left out. */
async function inOtherEngines(): Promise<void> {
  const names = Object.keys(engines) as Engine[];
  for (const engine of names.filter((name) => findEngine(name) === undefined)) {
    const wanted = await listedBrowserTests([engine], reports);
    console.log(`None of its ${wanted} tests could run: ${howToGet(engine)}`);
    tallies.push({ passed: 0, failed: 0, skipped: wanted });
  }
  const projects = names.filter((name) => findEngine(name) !== undefined);
  if (projects.length === 0) return;
  await seeAgain(
    'engines',
    (part, files) => runInBrowser(part, findChromium(), files, projects),
    projects,
    listedBrowserTests,
  );
}

async function countResults(projects: string[], { report, code }: Run, list: typeof listedTests): Promise<void> {
  const wanted = report === undefined ? await list(projects, reports) : 0;
  if (report === undefined)
    console.log(`The run of ${projects.join(', ')} broke off: its ${wanted} tests count as failed.`);
  else failures.push(...failuresOfReport(report));
  tallies.push(tallyOfReport(report, code, wanted));
}

/** `more`: specs, all where none is named, and options. Traces of failed tests stay beside the report. */
async function runInBrowser(
  name: string,
  chromium: string | undefined,
  more: string[] = [],
  projects: readonly string[] = chromiumProjects,
): Promise<Run> {
  const file = join(reports, `${name}.json`);
  const args = [
    'test',
    ...projects.map((project) => `--project=${project}`),
    ...more,
    '--reporter=list,json',
    `--output=${join(reports, `${name}-traces`)}`,
  ];
  const env = {
    ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }),
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    // All runs in a browser share one first start of a server (e2e/global-setup.ts).
    DWANG_FIRST_START: join(reports, 'first-start'),
  };
  const { code } = await runPart({ name, command: 'playwright', args, env }, true);
  return { report: readBrowserReport(file), code };
}
