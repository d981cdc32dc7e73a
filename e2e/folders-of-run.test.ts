import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { foldersOfRun, offerFolders } from './folders-of-run.ts';

let memory: string;
beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), 'dwang-memory-'));
  vi.stubEnv('TMPDIR', undefined);
  vi.stubEnv('DWANG_IN_MEMORY', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(memory, { recursive: true, force: true });
});

test('what servers and phones write goes with the run, and what a killed run left goes with the next', async () => {
  const dead = spawnSync(process.execPath, ['--version']).pid;
  const [ofKilled, ofRunning] = [`dwang-browsers-${dead}-a`, `dwang-browsers-${process.pid}-b`];
  for (const name of [ofKilled, ofRunning, 'other']) mkdirSync(join(memory, name));
  const remove = await offerFolders(memory, 1);
  const made = foldersOfRun();
  expect(dirname(made)).toBe(memory);
  expect(readdirSync(memory)).toHaveLength(3);
  expect(readdirSync(memory)).toEqual(expect.arrayContaining([ofRunning, 'other']));
  writeFileSync(join(made, 'profile'), '');
  await remove();
  expect(readdirSync(memory).toSorted()).toEqual([ofRunning, 'other'].toSorted());
  expect(foldersOfRun()).toBe(tmpdir());
});

test('where there is no room in memory, the disk serves', async () => {
  const remove = await offerFolders(join(memory, 'nowhere'), 1);
  expect(foldersOfRun()).toBe(tmpdir());
  await remove();
  await (
    await offerFolders(memory, Number.MAX_SAFE_INTEGER)
  )();
  expect(readdirSync(memory)).toEqual([]);
});

test('a run within a run takes the folder of the outer one, and leaves it', async () => {
  const remove = await offerFolders(memory, 1);
  const made = foldersOfRun();
  await (
    await offerFolders(memory, 1)
  )();
  expect(foldersOfRun()).toBe(made);
  await remove();
});
