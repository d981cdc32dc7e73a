import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepPrivate } from './keep-private.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'dwang-private-'));
});
afterEach(() => rm(place, { recursive: true }));

describe.skipIf(process.getuid === undefined)('the data directory', () => {
  it('is its owner’s alone from the start', async () => {
    const dir = join(place, 'new/data');
    expect(await keepPrivate(dir)).toBeUndefined();
    expect(await modeOf(dir)).toBe('700');
  });

  it.each([0o755, 0o777, 0o750, 0o701])('of an earlier version with mode %o is mended, with a word', async (mode) => {
    const dir = join(place, 'data');
    await mkdir(dir);
    await chmod(dir, mode);
    expect(await keepPrivate(dir)).toBe(`DATA_DIR was open to others on this machine (mode ${mode.toString(8)}); it is its owner's alone now (700)`);
    expect(await modeOf(dir)).toBe('700');
    expect(await keepPrivate(dir)).toBeUndefined();
  });

  // Only root can hand a directory to somebody else and then become a third.
  it.skipIf(process.getuid?.() !== 0)('of somebody else that everybody may read is refused; one that is lent to a group is told of', async () => {
    await chmod(place, 0o755);
    const dir = join(place, 'theirs');
    await mkdir(dir);
    const asNobody = (mode: number) => {
      const script = `const { chmodSync } = await import('node:fs'); chmodSync(${JSON.stringify(dir)}, ${mode}); const m = await import(${JSON.stringify(join(import.meta.dirname, 'keep-private.ts'))});
        process.setgid(0); process.setuid(65534); try { console.log(await m.keepPrivate(${JSON.stringify(dir)})); } catch (error) { console.log(error.name, error.message); }`;
      return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }).stdout;
    };
    expect(asNobody(0o755)).toMatch(/^DataDirOpen DATA_DIR .* is open to everybody on this machine \(mode 755\)/);
    expect(asNobody(0o770)).toMatch(/^DATA_DIR belongs to another account and is open to its group \(mode 770\)/);
  });
});
