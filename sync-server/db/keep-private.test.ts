import { spawnSync } from 'node:child_process';
import type * as fs from 'node:fs/promises';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepPrivate } from './keep-private.ts';

let isForbidden = false;
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof fs>();
  const forbidden = () =>
    Promise.reject(Object.assign(new Error('EPERM: operation not permitted, chmod'), { code: 'EPERM' }));
  return {
    ...real,
    chmod: (...args: Parameters<typeof real.chmod>) => (isForbidden ? forbidden() : real.chmod(...args)),
  };
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'dwang-private-'));
});
afterEach(async () => {
  isForbidden = false;
  await rm(place, { recursive: true });
});

describe.skipIf(process.getuid === undefined)('the data directory', () => {
  it('is its owner’s alone from the start', async () => {
    const dir = join(place, 'new/data');
    expect(await keepPrivate(dir)).toBeUndefined();
    expect(await modeOf(dir)).toBe('700');
  });

  it.each([0o755, 0o777, 0o750, 0o701])(
    'of an earlier version with mode %o is corrected, and reported',
    async (mode) => {
      const dir = join(place, 'data');
      await mkdir(dir);
      await chmod(dir, mode);
      expect(await keepPrivate(dir)).toBe(
        `DATA_DIR was open to others on this machine (mode ${mode.toString(8)}); it is its owner's alone now (700)`,
      );
      expect(await modeOf(dir)).toBe('700');
      expect(await keepPrivate(dir)).toBeUndefined();
    },
  );

  it('of another user that every user may read is rejected', async () => {
    expect(await asAnother(0o755)).toMatch(
      /^DataDirOpen DATA_DIR .* belongs to another account and is open to everybody on this machine \(mode [0-7]{3}\)/,
    );
  });

  it('of another user that a group may read is reported', async () => {
    expect(await asAnother(0o770)).toBe('DATA_DIR belongs to another account and is open to its group (mode 770)');
  });

  it('is not checked on a system without such rights', async () => {
    const dir = join(place, 'data');
    await mkdir(dir);
    await chmod(dir, 0o755);
    const { getuid } = process;
    delete process.getuid;
    try {
      expect(await keepPrivate(dir)).toBeUndefined();
    } finally {
      Object.assign(process, { getuid });
    }
    expect(await modeOf(dir)).toBe('755');
  });
});

/**
 * The result for a directory of that mode that belongs to another user. Only root can make one: a process that drops
 * its rights checks it. Any other user checks a directory of their own, and the system's error on changing its mode is
 * simulated.
 */
async function asAnother(mode: number): Promise<string> {
  const dir = join(place, 'theirs');
  await mkdir(dir);
  await chmod(dir, mode);
  if (process.getuid?.() !== 0) {
    isForbidden = true;
    return keepPrivate(dir).then(String, (error: Error) => `${error.name} ${error.message}`);
  }
  await chmod(place, 0o755);
  const script = `const { keepPrivate } = await import(${JSON.stringify(join(import.meta.dirname, 'keep-private.ts'))});
    process.setgid(0); process.setuid(65534);
    console.log(await keepPrivate(${JSON.stringify(dir)}).then(String, (error) => error.name + ' ' + error.message));`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }).stdout.trim();
}
