import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { memoryFolder } from './memory-folder.ts';
import { copyBinaries, packagedPostgres, unprivileged, whyNotRunnable, type RunAs } from './postgres-binaries.ts';

export interface Postgres {
  /** The address of the database of that name on it. */
  urlOf(database: string): string;
  stop(): Promise<void>;
  /** Copies its files while it is briefly stopped. */
  copyFiles(): Promise<FileCopy>;
}

export interface FileCopy {
  /**
   * Restores them while clients are connected: as they are, or by a recovery, with which a new timeline begins. Once.
   */
  restore(how: 'as they are' | 'by a recovery'): Promise<void>;
}

const password = 'test';
const prefix = 'dwang-pg-';
const isReady = 'database system is ready to accept connections';

/**
 * Starts a native PostgreSQL of its own. `isDurable`: every commit is on the disk before it is answered, as PostgreSQL
 * comes; tests go without, in memory where there is room, benchmarks do not. `native`: its binaries, those of the npm
 * package unless others are named.
 *
 * @throws Error with what PostgreSQL, or the machine, says against it.
 */
export async function startPostgres({
  isDurable,
  native = packagedPostgres(),
}: {
  isDurable: boolean;
  native?: string;
}): Promise<Postgres> {
  try {
    const as = await unprivileged();
    const inMemory = isDurable ? undefined : await memoryFolder(prefix);
    const place = await createPlace(native, as, inMemory);
    return await orCleared(place.folder, () => startIn(place, as, isDurable));
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

export interface Place {
  folder: string;
  native: string;
}

/**
 * A folder of its own whose binaries that account can run: in place, or copied there where it may not reach them (a
 * clone in root’s home).
 */
export async function createPlace(native: string, as: RunAs | undefined, inMemory: string | undefined): Promise<Place> {
  const isReachable = (await whyNotRunnable(native, as)) === undefined;
  let why = '';
  const onDisk = [tmpdir(), ...(as === undefined ? [] : ['/tmp', '/var/tmp'])];
  for (const parent of new Set(inMemory === undefined ? onDisk : [inMemory, ...onDisk])) {
    const folder = await mkdtemp(join(parent, prefix));
    if (as !== undefined) await chmod(folder, 0o711);
    const place = { folder, native: isReachable ? native : join(folder, 'native') };
    if (!isReachable) await orCleared(folder, () => copyBinaries(native, place.native));
    why = (await whyNotRunnable(place.native, as)) ?? (await whyClosed(folder, as)) ?? '';
    if (why === '') return place;
    await rm(folder, { recursive: true, force: true });
  }
  throw new Error(why);
}

/** What fails leaves no folder behind. */
export async function orCleared<T>(folder: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Undefined where that account can reach the folder. */
async function whyClosed(folder: string, as: RunAs | undefined): Promise<string | undefined> {
  if (as === undefined) return undefined;
  const [code] = (await once(spawn('test', ['-x', folder], { ...as, cwd: '/' }), 'exit')) as [number];
  return code === 0 ? undefined : `${folder} is closed to the account it has to run as`;
}

async function startIn({ folder, native }: Place, as: RunAs | undefined, isDurable: boolean): Promise<Postgres> {
  const [data, passwordFile, port] = [join(folder, 'data'), join(folder, 'password'), await freePort()];
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (as !== undefined) for (const path of [data, passwordFile]) await chown(path, as.uid, as.gid);
  const asThem: SpawnOptions = { ...as, cwd: data, stdio: ['ignore', 'pipe', 'pipe'] };
  await toItsEnd(
    spawn(
      join(native, 'bin/initdb'),
      [
        `--pgdata=${data}`,
        '--auth=password',
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale=C',
        ...(isDurable ? [] : ['--no-sync']),
      ],
      asThem,
    ),
  );
  const settings = [
    ...(isDurable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    'max_connections=200',
    'restore_command=false',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${data}`,
  ];
  const launch = () =>
    launchIn(native, ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])], asThem);
  let running = await launch();
  const halt = async () => {
    const { server, release } = running;
    release();
    if (server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit');
      // SIGINT is PostgreSQL's "fast" stop: clients are disconnected.
      server.kill('SIGINT');
      await ended;
    }
  };
  return {
    urlOf: (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    stop: async () => {
      await halt();
      await rm(folder, { recursive: true, force: true });
    },
    copyFiles: async () => {
      const kept = `${data}-kept`;
      await halt();
      await toItsEnd(spawn('cp', ['-a', data, kept], { stdio: ['ignore', 'pipe', 'pipe'] }));
      running = await launch();
      return {
        restore: async (how) => {
          await halt();
          await rm(data, { recursive: true });
          await rename(kept, data);
          if (how === 'by a recovery') await writeFile(join(data, 'recovery.signal'), '');
          running = await launch();
        },
      };
    },
  };
}

export async function launchIn(
  native: string,
  args: string[],
  asThem: SpawnOptions,
  says: string = isReady,
): Promise<{ server: ChildProcess; release: () => void }> {
  const server = spawn(join(native, 'bin/postgres'), args, asThem);
  const release = endWithUs(server);
  try {
    await untilReady(server, says);
  } catch (error) {
    release();
    throw error;
  }
  return { server, release };
}

/** What a process says, the last of it. */
function wordsOf(child: ChildProcess): () => string {
  let words = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (words = (words + String(chunk)).slice(-2_000)));
  return () => words.trim();
}

export async function toItsEnd(child: ChildProcess): Promise<void> {
  const words = wordsOf(child);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${String(code)}\n${words()}`);
}

function untilReady(server: ChildProcess, says: string): Promise<void> {
  const words = wordsOf(server);
  return new Promise((resolve, reject) => {
    server.stderr?.on('data', () => words().includes(says) && resolve());
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended with ${String(code)}\n${words()}`)));
  });
}

/** A process that ends takes its PostgreSQL with it, also where nothing else listens to the signal that ends it. */
function endWithUs(server: ChildProcess): () => void {
  const end = () => void server.kill('SIGQUIT');
  const onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 0) return;
    end();
    process.kill(process.pid, signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  process.once('exit', end);
  for (const signal of signals) process.once(signal, onSignal);
  return () => {
    process.off('exit', end);
    for (const signal of signals) process.off(signal, onSignal);
  };
}

/** Runs one statement on the server that `beside` leads to, in the database that is always there. */
export async function runBeside(beside: string, statement: string): Promise<void> {
  const url = new URL(beside);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
