import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from './testing/free-port.ts';
import { openTestDb } from './testing/test-db.ts';
import { openWire } from './testing/wire.ts';

let dataDir: string;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dwang-main-'));
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  await rm(dataDir, { recursive: true, force: true });
});

/** The server as a process of its own. */
function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--without-app'], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DEMO: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { ended, said: () => said, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

describe('the server process', () => {
  it('does not start on a wrong configuration, and says in one line why', async () => {
    const server = start({ PORT: 'eighty' });
    expect(await server.ended).toBe(1);
    expect(server.said()).toBe('Configuration: PORT must be a whole number from 0 to 65535\n');
  });

  it('says in one line that its port or its data are in use, and stops cleanly', async () => {
    const port = String(await freePort());
    await chmod(dataDir, 0o755);
    const first = start({ PORT: port });
    await expect.poll(() => statusOf(`http://localhost:${port}/health/ready`), { timeout: 60_000 }).toBe(200);
    expect(first.said()).toContain(`Dwang is ready at http://localhost:${port}\n`);
    expect(first.said()).toContain(`http://localhost:${port}/dev/mailbox`);
    expect(await statusOf(`http://127.0.0.1:${port}/health/live`)).toBe(200);
    // An earlier version left the folder so: closed to others, with a word, and everything below it is made for its
    // owner alone.
    expect(first.said()).toContain('DATA_DIR was open to others on this machine (mode 755)');
    const modes = await Promise.all(
      ['', 'database', 'storage', 'in-use-by', 'operator-key.json'].map(async (name) => [
        name,
        (await stat(join(dataDir, name))).mode & 0o077,
      ]),
    );
    expect(modes.filter(([, others]) => others !== 0)).toEqual([]);

    const samePort = start({ PORT: port, DATA_DIR: join(dataDir, 'other') });
    expect(await samePort.ended).toBe(1);
    expect(samePort.said()).toBe(`PORT ${port} is taken by another program: stop that one, or give another PORT\n`);
    const sameData = start({ PORT: '0' });
    expect(await sameData.ended).toBe(1);
    expect(sameData.said()).toMatch(/^DATA_DIR .* is in use by process \d+: .*\n$/);

    first.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const again = start({ PORT: port });
    await expect.poll(() => statusOf(`http://localhost:${port}/health/ready`), { timeout: 60_000 }).toBe(200);
    again.kill('SIGINT');
    again.kill('SIGINT');
    expect(await again.ended).toBe(0);
  });

  it('can be stopped while it is still starting', async () => {
    const port = String(await freePort());
    const server = start({ PORT: port });
    await expect.poll(() => statusOf(`http://localhost:${port}/health/live`), { timeout: 60_000 }).toBe(200);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    const again = start({ PORT: port });
    await expect.poll(() => statusOf(`http://localhost:${port}/health/ready`), { timeout: 60_000 }).toBe(200);
    again.kill('SIGTERM');
    expect(await again.ended).toBe(0);
  });

  it('waits for a database that is away, alive but not ready', async () => {
    const database = await openTestDb('postgres');
    const wire = await openWire(database.url ?? '');
    wire.cut();
    const port = String(await freePort());
    const server = start({ PORT: port, DATABASE_URL: wire.url });
    await expect.poll(() => statusOf(`http://localhost:${port}/health/live`), { timeout: 60_000 }).toBe(200);
    expect(await (await fetch(`http://localhost:${port}/health/ready`)).json()).toMatchObject({
      code: 'unavailable',
      details: { reasons: ['starting'] },
    });
    const opened = await fetch(`http://localhost:${port}/find-jobs`, { headers: { Accept: 'text/html' } });
    expect(opened.status).toBe(503);
    expect(await opened.text()).toContain('The page tries again by itself.');
    wire.mend();
    await expect.poll(() => statusOf(`http://localhost:${port}/health/ready`), { timeout: 60_000 }).toBe(200);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    await wire.close();
    await database.close();
  });
});
