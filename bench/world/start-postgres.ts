import { randomBytes } from 'node:crypto';
import { runBeside, startPostgres as startNative } from '../../sync-server/testing/start-postgres.ts';

export interface Postgres {
  /** A new, empty database; gone with the server. */
  createDatabase(): Promise<{ url: string }>;
  stop(): Promise<void>;
}

/** A native PostgreSQL with its defaults: every commit is on the disk before it is answered. */
export async function startPostgres(): Promise<Postgres> {
  const server = await startNative({ isDurable: true });
  return {
    createDatabase: async () => {
      const name = `bench_${randomBytes(6).toString('hex')}`;
      const url = server.urlOf(name);
      await runBeside(url, `create database ${name}`);
      return { url };
    },
    stop: server.stop,
  };
}
