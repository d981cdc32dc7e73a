import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { memoryFolder } from './memory-folder.ts';
import { unprivileged } from './postgres-binaries.ts';
import { createPlace, launchIn, orCleared, toItsEnd } from './start-postgres.ts';

/** One PostgreSQL of a pair. */
export interface Node {
  url: string;
  /** SIGKILL to every process of it at once. */
  kill(): Promise<void>;
  /** After it was killed. */
  start(): Promise<void>;
}

export interface Replication {
  primary: Node;
  standby: Node & { promote(): Promise<void> };
  /** What is committed on the primary from now on does not reach the standby. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

const password = 'test';

/**
 * A primary and a standby that streams from it, made by `pg_basebackup`. `synchronous`: a commit is answered once the
 * standby has applied it. Nothing is synced to a disk: processes are killed, machines are not.
 *
 * @param native Where PostgreSQL with its client programs is.
 */
export async function startReplication({
  native: given,
  synchronous,
}: {
  native: string;
  synchronous: boolean;
}): Promise<Replication> {
  const as = await unprivileged();
  const { folder, native } = await createPlace(given, as, await memoryFolder('dwang-pg-'));
  const asThem: SpawnOptions = { ...as, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] };
  const tool = (name: string, args: string[]) => toItsEnd(spawn(join(native, 'bin', name), args, asThem));

  async function createNode(name: string, isReady: string): Promise<Node & { data: string; stop(): Promise<void> }> {
    const [data, port] = [join(folder, name), await freePort()];
    await mkdir(data, { mode: 0o700 });
    if (as !== undefined) await chown(data, as.uid, as.gid);
    const args = [
      'fsync=off',
      // A server that is killed leaves nothing behind outside of its folder.
      'dynamic_shared_memory_type=mmap',
      'archive_mode=on',
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${data}`,
      'max_connections=60',
    ];
    let running: { server: ChildProcess; release: () => void } | undefined;
    const end = async (signal: 'SIGINT' | 'SIGKILL') => {
      if (running === undefined) return;
      const { server, release } = running;
      running = undefined;
      release();
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      const workers = signal === 'SIGKILL' ? await childrenOf(server.pid!) : [];
      server.kill(signal);
      for (const pid of workers) killIfThere(pid);
      await ended;
    };
    return {
      data,
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      kill: () => end('SIGKILL'),
      stop: () => end('SIGINT'),
      start: async () => {
        const all = ['-D', data, '-p', String(port), ...args.flatMap((arg) => ['-c', arg])];
        running = await launchIn(native, all, asThem, isReady);
      },
    };
  }

  return orCleared(folder, async () => {
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o644 });
    const primary = await createNode('primary', 'ready to accept connections');
    await tool('initdb', [
      `--pgdata=${primary.data}`,
      '--auth=password',
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    await primary.start();
    // The folder has the name by which one of a server that is gone is found (memory-folder.ts): this server runs
    // longest.
    const standby = await createNode('data', 'ready to accept read-only connections');
    const source = `${primary.url}?application_name=standby`;
    // Writes standby.signal and primary_conninfo.
    await tool('pg_basebackup', ['-d', source, '-D', standby.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']);
    await standby.start();
    const psql = (node: Node, statement: string) => tool('psql', ['-X', '-q', '-d', node.url, '-c', statement]);
    if (synchronous) {
      await psql(primary, `alter system set synchronous_standby_names = 'standby'`);
      await psql(primary, `alter system set synchronous_commit = 'remote_apply'`);
      await psql(primary, `select pg_reload_conf()`);
    }
    return {
      primary,
      standby: {
        ...standby,
        promote: () => tool('pg_ctl', ['promote', '-D', standby.data, '-w', '-t', '60']),
      },
      stop: async () => {
        await psql(standby, `alter system set primary_conninfo = ''`);
        await psql(standby, `select pg_reload_conf()`);
      },
      close: async () => {
        await Promise.all([primary.kill(), standby.kill()]);
        await rm(folder, { recursive: true, force: true });
      },
    };
  });
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,pid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []));
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
