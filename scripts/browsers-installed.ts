import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const maxMs = 20 * 60_000;

/**
 * `.ci/run` installs browsers while the first stages run, and at its end leaves this file: empty, or with why it
 * failed. Resolves with that; with nothing where no browser is being installed.
 */
export async function browsersInstalled(file = process.env['BROWSERS_INSTALLED'], pollMs = 250): Promise<string> {
  if (file === undefined) return '';
  for (const began = performance.now(); !existsSync(file); await sleep(pollMs))
    if (performance.now() - began > maxMs) return `The browsers were not installed within ${maxMs / 60_000} minutes.`;
  return readFileSync(file, 'utf8').trim();
}
