import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browsersInstalled } from './browsers-installed.ts';

test('waits until the installation has ended, and returns what it said', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dwang-installed-'));
  const file = join(folder, 'said');
  let said: string | undefined;
  const waiting = browsersInstalled(file, 1).then((text) => (said = text));
  await browsersInstalled(undefined);
  expect(said).toBeUndefined();
  // As `.ci/run` does: a file that is being written is not there.
  await writeFile(`${file}.part`, 'E: Unable to locate package\n');
  await rename(`${file}.part`, file);
  await waiting;
  expect(said).toBe('E: Unable to locate package');
  await rm(folder, { recursive: true });
});

test('waits for nothing where no browser is being installed', async () => {
  expect(await browsersInstalled(undefined)).toBe('');
});
