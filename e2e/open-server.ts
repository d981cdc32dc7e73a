import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../sync-server/testing/free-port.ts';
import { foldersOfRun } from './folders-of-run.ts';

const root = join(import.meta.dirname, '..');
/** Names the data of a server after its first start to the processes of a run. */
export const firstStart = 'DWANG_FIRST_START';

/**
 * V8 compiles the embedded PostgreSQL once, and not again for speed while it runs: two fifths of what a start takes,
 * and no test has so many rows in it that they come back. What measures a server (`bench/`) begins with empty data, and
 * without this.
 */
const startsSooner = ['--liftoff-only'];
/** Not over a database that a test brings: its accounts may have hashes of the full cost, made in another process. */
const signsInSooner = ['--import', './e2e/cheap-passwords.ts'];

export interface RunningServer {
  readonly url: string;
  readonly dataDir: string;
  /** Stops it as an operator would (SIGTERM), or as a power cut would (SIGKILL). The data stays. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts it again on the same address with the same data. */
  start(): Promise<void>;
  /** The process that runs now. */
  pid(): number;
  /** Every line it has printed. */
  output(): string;
  /** Stops it and deletes the data. */
  close(): Promise<void>;
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + 240_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server stopped at start:\n${output()}`);
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (response?.ok === true) return;
    await sleep(100);
  }
  throw new Error(`The server did not become ready:\n${output()}`);
}

/**
 * The whole product in a process of its own, embedded, on the data of a first start: a copy, where `global-setup.ts`
 * has made one, because migrations and the demo’s rows cost twice what the rest of a start does.
 */
export async function openServer(environment: Record<string, string> = {}): Promise<RunningServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const dataDir = mkdtempSync(join(foldersOfRun(), 'dwang-e2e-'));
  const prepared = process.env[firstStart];
  // Node copies and removes more than a thousand files in one call for a sixth of what it takes file by file.
  if (prepared !== undefined) cpSync(prepared, dataDir, { recursive: true });
  const flags =
    prepared === undefined
      ? []
      : [...startsSooner, ...(environment['DATABASE_URL'] === undefined ? signsInSooner : [])];
  let printed = '';
  let child: ChildProcess | undefined;

  const start = async () => {
    child = spawn(process.execPath, [...flags, 'sync-server/main.ts'], {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'development',
        // A sixth of what a start takes.
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/dwang/compiled'),
        JOBS_PER_DAY: '1000000',
        PORT: String(port),
        PUBLIC_URL: url,
        DATA_DIR: dataDir,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    try {
      await untilReady(url, child, () => printed);
    } catch (error) {
      // No other test knows of it, and it would slow down every test after this one.
      await stop('SIGKILL');
      throw error;
    }
  };

  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    const stopping = child;
    child = undefined;
    if (stopping === undefined || stopping.exitCode !== null) return;
    const exited = new Promise((resolve) => stopping.once('exit', resolve));
    stopping.kill(signal);
    await exited;
  };

  await start();
  return {
    url,
    dataDir,
    start,
    stop,
    pid: () => {
      if (child?.pid === undefined) throw new Error('The server is stopped.');
      return child.pid;
    },
    output: () => printed,
    close: async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
