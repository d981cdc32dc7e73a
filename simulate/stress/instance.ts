import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../sync-server/testing/free-port.ts';

/** One server as a process of its own, on a port of its own, started again as often as a test likes. */
export interface Instance {
  readonly port: number;
  readonly origin: string;
  /** The id of the process that runs now. */
  pid(): number;
  /** What it said on either stream since the last start. */
  said(): string;
  isRunning(): boolean;
  /** Starts it, and waits until it says that it is ready. */
  start(): Promise<void>;
  isReady(): Promise<boolean>;
  /** Sends the signal and waits for the end; the exit code, null after SIGKILL. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/** Ready within so many looks of `pause` milliseconds, or the test fails with what the server said. */
const startup = { looks: 1_200, pause: 100 };

export async function openInstance(
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
): Promise<Instance> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let ended: Promise<number | null> = Promise.resolve(null);
  let said = '';

  function begin(): void {
    said = '';
    const started = spawn(
      process.execPath,
      [...nodeArgs, join(import.meta.dirname, '../../sync-server/main.ts'), '--without-app'],
      {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          DEMO: '0',
          JOBS_PER_DAY: '1000000',
          LOG_LEVEL: 'error',
          HOST: '127.0.0.1',
          PORT: String(port),
          DATA_DIR: join(tmpdir(), `dwang-instance-${port}`),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const hear = (chunk: Buffer) => void (said = (said + chunk.toString()).slice(-20_000));
    started.stdout.on('data', hear);
    started.stderr.on('data', hear);
    ended = once(started, 'close').then(([code]) => {
      child = undefined;
      return code as number | null;
    });
    child = started;
  }

  const isReady = () =>
    fetch(`${origin}/health/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );

  return {
    port,
    origin,
    pid: () => child?.pid ?? 0,
    said: () => said,
    isRunning: () => child !== undefined,
    isReady,
    async start() {
      begin();
      for (let look = 0; look < startup.looks; look += 1) {
        if (await isReady()) return;
        if (child === undefined) throw new Error(`the server ended while starting: ${said}`);
        await new Promise((resolve) => setTimeout(resolve, startup.pause));
      }
      throw new Error(`the server did not become ready: ${said}`);
    },
    async end(signal) {
      child?.kill(signal);
      return ended;
    },
  };
}
