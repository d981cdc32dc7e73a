import fs, { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { finishRestore, replaceData, restoreDraft } from './finish-restore.ts';

/* The kill is a move that fails, as do all after it. A cut of the power, which forgets names too, is not imitated. */

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dwang-restore-'));
});
afterEach(async () => {
  liveOn();
  await rm(dataDir, { recursive: true });
});

function liveOn(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}

function killAtMove(at: number): void {
  let seen = 0;
  const real = fs.promises.rename;
  vi.spyOn(fs.promises, 'rename').mockImplementation(async (from, to) => {
    seen += 1;
    if (seen > at) throw new Error('killed');
    await real(from, to);
  });
  syncBuiltinESMExports();
}

async function lay(folder: string, what: string): Promise<void> {
  for (const part of ['database', 'storage']) {
    await mkdir(join(folder, part), { recursive: true });
    await writeFile(join(folder, part, 'file'), what);
  }
}
const contentOf = (...path: string[]) => readFile(join(dataDir, ...path, 'file'), 'utf8');
const both = async (...folder: string[]) => [
  await contentOf(...folder, 'database'),
  await contentOf(...folder, 'storage'),
];

// The first move gives the draft its name: before it nothing has begun.
it('killed before its draft is named whole, a restore has changed nothing', async () => {
  await lay(dataDir, 'until now');
  await lay(restoreDraft(dataDir), 'restored');
  killAtMove(0);
  await expect(replaceData(dataDir, 'aside')).rejects.toThrow('killed');
  liveOn();
  await finishRestore(dataDir);
  expect(await both()).toEqual(['until now', 'until now']);
});

it('a folder that is mounted by itself, which no restore can move, is refused before anything has begun', async () => {
  await lay(dataDir, 'until now');
  await lay(restoreDraft(dataDir), 'restored');
  const real = fs.lstatSync;
  vi.spyOn(fs, 'lstatSync').mockImplementation(((path: string, options: object) => {
    const found = real(path, options) as fs.Stats;
    return path === join(dataDir, 'storage') ? Object.assign(found, { dev: found.dev + 1 }) : found;
  }) as never);
  syncBuiltinESMExports();
  await expect(replaceData(dataDir, 'aside')).rejects.toThrow('storage is a file system of its own');
  liveOn();
  await finishRestore(dataDir);
  expect(await both()).toEqual(['until now', 'until now']);
});

it.each([1, 2, 3, 4, 5])(
  'killed after %i moves, a restore is done at the next start, and what was there before is aside',
  async (at) => {
    await lay(dataDir, 'until now');
    await lay(restoreDraft(dataDir), 'restored');
    killAtMove(at);
    const whole = replaceData(dataDir, 'aside');
    await expect(whole.catch((error: Error) => error.message)).resolves.toBe(at === 5 ? undefined : 'killed');
    liveOn();
    await finishRestore(dataDir);
    await finishRestore(dataDir);
    expect(await both()).toEqual(['restored', 'restored']);
    expect(await both('aside')).toEqual(['until now', 'until now']);
    expect(existsSync(restoreDraft(dataDir))).toBe(false);
  },
);

it('where there was nothing before, nothing is moved aside', async () => {
  await lay(restoreDraft(dataDir), 'restored');
  killAtMove(2);
  await expect(replaceData(dataDir, 'aside')).rejects.toThrow('killed');
  liveOn();
  await finishRestore(dataDir);
  expect(await both()).toEqual(['restored', 'restored']);
  expect(existsSync(join(dataDir, 'aside'))).toBe(false);
});
