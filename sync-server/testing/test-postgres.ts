import { randomBytes } from 'node:crypto';
import { openPostgres } from '../db/open-postgres.ts';
import { runBeside, startPostgres } from './start-postgres.ts';

/** Names the test server for the processes of a run: the URL of its migrated template database. */
export const TEST_POSTGRES = 'DWANG_TEST_POSTGRES';

export interface TestPostgres {
  /** The migrated template database. */
  url: string;
  stop(): Promise<void>;
}

/** Starts a native PostgreSQL with a migrated template database. One for a whole run: it takes seconds. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const server = await startPostgres({ isDurable: false });
  const url = server.urlOf('template_migrated');
  await runBeside(url, 'create database template_migrated');
  const template = await openPostgres({ url });
  await template.migrate();
  await template.close();
  return { url, stop: server.stop };
}

/** A fresh database cloned from the template. */
export async function cloneTemplate(templateUrl: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const template = new URL(templateUrl);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runBeside(templateUrl, `create database ${name} template ${template.pathname.slice(1)} strategy file_copy`);
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runBeside(templateUrl, `drop database if exists ${name} with (force)`) };
}
