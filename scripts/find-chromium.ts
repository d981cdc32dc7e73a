import { accessSync, constants } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/**
 * The browser without windows, in a package of its own in Debian. The engine is the same; it starts in a third of the
 * time, because it draws no toolbar.
 */
const shell = 'chromium-headless-shell';
const withWindows = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
const elsewhere = [
  '/usr/bin/chromium',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const howToGetChromium =
  'No Chromium or Chrome was found. Install one (Debian, Ubuntu: sudo apt-get install chromium) or name it: CHROMIUM_PATH=/path/to/chrome npm test';

/** A Chromium on this machine: `CHROMIUM_PATH`, else one on the PATH, the shell first, else one at its usual path. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env['CHROMIUM_PATH'] || find([shell, ...withWindows], env);
}

/**
 * One with windows, as a phone has: it shows notifications, and takes more memory. @throws Error where there is none on
 * this machine: the one without would fail for another reason than the test's.
 */
export function findWholeChromium(env: NodeJS.ProcessEnv = process.env): string {
  const given = env['CHROMIUM_PATH'];
  const found = given && basename(given) !== shell ? given : find(withWindows, env);
  if (found === undefined) throw new Error(howToGetChromium);
  return found;
}

function find(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...elsewhere].find(isExecutable);
}

/** How tests and benchmarks start the browser. @throws Error where there is none on this machine. */
export function launchOptions(executablePath = findChromium()) {
  if (executablePath === undefined) throw new Error(howToGetChromium);
  return {
    executablePath,
    // Where no language is set, Chromium on Linux cannot open a file whose name has a macron.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}

/** Undefined where this browser starts; else why not, in one line. */
export async function whyNoBrowser(executablePath: string): Promise<string | undefined> {
  try {
    const browser = await chromium.launch({ ...launchOptions(executablePath), timeout: 60_000 });
    await browser.close();
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
