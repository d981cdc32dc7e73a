import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryFolder } from './memory-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dwang-memory-'));
  vi.stubEnv('TMPDIR', undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test('a folder in memory is used where it is and has room, unless TMPDIR says another place', async () => {
  expect(await memoryFolder('db-', folder, 1)).toBe(folder);
  expect(await memoryFolder('db-', folder, Number.MAX_SAFE_INTEGER)).toBeUndefined();
  expect(await memoryFolder('db-', join(folder, 'nowhere'), 1)).toBeUndefined();
  vi.stubEnv('TMPDIR', tmpdir());
  expect(await memoryFolder('db-', folder, 1)).toBeUndefined();
});

test('a database whose server was killed is removed; one that runs, one that is being set up, and what is not ours stay', async () => {
  const dead = spawnSync(process.execPath, ['--version']).pid;
  for (const [name, pid] of [
    ['db-dead', dead],
    ['db-running', process.pid],
    ['other-dead', dead],
    // initdb runs one short process after another in it.
    ['db-at-initdb', dead],
  ] as const) {
    await mkdir(join(folder, name, 'data'), { recursive: true });
    if (name !== 'db-at-initdb') await writeFile(join(folder, name, 'data/postmaster.opts'), '');
    await writeFile(join(folder, name, 'data/postmaster.pid'), `${pid}\n/somewhere\n`);
  }
  await mkdir(join(folder, 'db-new'));
  await memoryFolder('db-', folder, 1);
  expect((await readdir(folder)).toSorted()).toEqual(['db-at-initdb', 'db-new', 'db-running', 'other-dead']);
});
