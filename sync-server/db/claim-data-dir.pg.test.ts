import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDataDir, DataDirInUse } from './claim-data-dir.ts';

describe('claimDataDir', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'dwang-claim-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('keeps a second one out until the first releases it', async () => {
    const release = await claimDataDir(join(dir, 'new/deeper'));
    await expect(claimDataDir(join(dir, 'new/deeper'))).rejects.toThrow(DataDirInUse);
    await release();
    await (
      await claimDataDir(join(dir, 'new/deeper'))
    )();
  });

  it('takes over from a process that was killed', async () => {
    const module = JSON.stringify(join(import.meta.dirname, 'claim-data-dir.ts'));
    const script = `await (await import(${module})).claimDataDir(${JSON.stringify(dir)}); process.stdout.write('claimed'); setInterval(() => {}, 1000)`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(other.stdout, 'data');
    await expect(claimDataDir(dir)).rejects.toThrow(`in use by process ${other.pid}`);
    other.kill('SIGKILL');
    await once(other, 'exit');
    await (
      await claimDataDir(dir)
    )();
  });

  it('is not held up by another process that got the same number', async () => {
    await claimDataDir(dir);
    const file = join(dir, 'in-use-by');
    const [pid, began, boot] = (await readFile(file, 'utf8')).split(' ');
    await writeFile(file, `${pid} ${Number(began) - 1} ${boot}`);
    const release = await claimDataDir(dir);
    await expect(claimDataDir(dir)).rejects.toThrow(DataDirInUse);
    await release();
  });
});
