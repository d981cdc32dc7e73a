import { randomBytes } from 'node:crypto';
import { openPostgres } from '../db/open-postgres.ts';
import { runBeside, startPostgres } from './start-postgres.ts';

/** Names the test server for the processes of a run: the URL of its migrated template database. */
export const testPostgresVariable = 'DWANG_TEST_POSTGRES';
/** Why there is none: each test that asks for one then fails with this, at once, and all the others run. */
export const noTestPostgresVariable = 'DWANG_NO_TEST_POSTGRES';

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

/** A new database cloned from the template. */
export async function cloneTemplate(templateUrl: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const template = new URL(templateUrl);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runBeside(templateUrl, `create database ${name} template ${template.pathname.slice(1)} strategy file_copy`);
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runBeside(templateUrl, `drop database if exists ${name} with (force)`) };
}

/** A new, migrated database on the native PostgreSQL of the run, or on one of its own. */
export async function freshPostgres(): Promise<{ url: string; drop: () => Promise<void> }> {
  const shared = sharedPostgres();
  const own = shared === undefined ? await startTestPostgres() : undefined;
  const clone = await cloneTemplate(own?.url ?? shared ?? '');
  return {
    url: clone.url,
    drop: async () => {
      await clone.drop();
      await own?.stop();
    },
  };
}

/** The URL of the run’s template database; undefined where no start was tried. @throws Error with why there is none. */
export function sharedPostgres(): string | undefined {
  const why = process.env[noTestPostgresVariable];
  if (why !== undefined) throw new Error(why);
  return process.env[testPostgresVariable];
}
