import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from '@playwright/test';
import { long, longElsewhere } from './e2e/test-options.ts';
import { timeoutMs } from './e2e/timeout-ms.ts';

/** Every screen in every state, at three widths and in both themes. */
const looks = 'looks-*.spec.ts';
/** Whose push service a test can be: no other engine lets it. */
const inFirefoxAlone = 'firefox-*.spec.ts';
/** What WebKit alone does: it keeps pages that are left, and its caches in one list. */
const inWebkitAlone = 'webkit-*.spec.ts';
const isLong = process.env['TEST_LONG'] === '1';
const isCi = process.env['CI'] !== undefined;
/** What Chromium has in tests of its own. */
const inTheOthers = 'engine-*.spec.ts';
/**
 * What is tried in Firefox and WebKit too. They let no tab sleep, which is what one of the files is about, and so run it
 * in the long tests alone.
 */
const inEveryEngine = [
  inTheOthers,
  '{networks-and-tabs,session,hurt-storage}.spec.ts',
  ...(isLong ? ['another-person.spec.ts'] : []),
];
/** The whole story of a job: on every change in Chromium and WebKit, the engines of nearly every phone. */
const story = 'story.spec.ts';

/** What Firefox and WebKit have in common. A trace has nothing to hold but the comparisons, which a failure prints. */
const firefoxAndWebkit = {
  use: { trace: 'off' },
  ...(isLong ? {} : { grepInvert: new RegExp(`${long.tag}|${longElsewhere.tag}`) }),
} as const;

/** A server and a browser of one file take some 1.3 GB. */
const bytesEach = 2 * 1024 ** 3;
/**
 * Three files for two cores, where they fit: a test waits for most of its time (for answers that never come, restarts,
 * the worker's installation) and computes for a few seconds. With four, Chromium's storage stopped answering now and
 * then, for a minute and more.
 */
const workers = Math.min(8, Math.ceil(1.5 * availableParallelism()), Math.max(2, Math.floor(totalmem() / bytesEach)));

// oxlint-disable-next-line import/no-default-export -- playwright reads the default export
export default defineConfig({
  testDir: 'e2e',
  globalSetup: 'e2e/global-setup.ts',
  tsconfig: 'e2e/tsconfig.json',
  outputDir: 'node_modules/.cache/dwang/reports/traces',
  // Each file has a server and browsers of its own, and its tests run in order.
  workers,
  // `-` would be the tag of what Firefox and WebKit leave out.
  ...(isLong ? {} : { grepInvert: new RegExp(`${long.tag}(?!-)`) }),
  forbidOnly: isCi,
  reporter: 'list',
  // Generous on purpose: a slow machine is no failure, and no test waits for a clock to prove anything.
  timeout: 300_000,
  expect: { timeout: timeoutMs },
  use: {
    actionTimeout: timeoutMs,
    navigationTimeout: timeoutMs,
    // What was done, said and thrown. The page and the network at every step cost a fifth more: `--trace
    // retain-on-failure` asks for them. Of CI only the log is left.
    trace: isCi ? 'off' : { mode: 'retain-on-failure', screenshots: false, snapshots: false },
  },
  // The longest files first.
  projects: [
    // One test is up to twenty-five screens: three minutes where the machine is shared, more at every width. A browser
    // that hangs is given up.
    { name: 'looks', testMatch: looks, timeout: isLong ? 1_200_000 : 900_000 },
    { name: 'e2e', testMatch: '*.spec.ts', testIgnore: [looks, inFirefoxAlone, inWebkitAlone, inTheOthers] },
    { name: 'bench', testDir: 'bench', testMatch: '*.spec.ts' },
    // The same files in the other engines (open-phone.ts). A Firefox takes twice what a WebKit takes, and ends sooner.
    {
      name: 'firefox',
      testMatch: [...inEveryEngine, inFirefoxAlone, ...(isLong ? [story] : [])],
      ...firefoxAndWebkit,
      workers: 2,
    },
    { name: 'webkit', testMatch: [...inEveryEngine, inWebkitAlone, story], ...firefoxAndWebkit },
  ],
});
