import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { must } from '../shared/lib/must.ts';

/** Names the address at which the processes of a run ask for it. */
const askAt = 'DWANG_MANY_JOBS';

interface ManyJobs {
  url: string;
  close(): Promise<void>;
}

/** On PostgreSQL: that many rows are written in seconds there. */
async function openManyJobs(): Promise<ManyJobs> {
  // No other run needs what these load.
  const { openPostgres } = await import('../sync-server/db/open-postgres.ts');
  const { seedMany } = await import('../sync-server/db/seed/seed-many.ts');
  const { cloneTemplate, startTestPostgres } = await import('../sync-server/testing/test-postgres.ts');
  const { openServer } = await import('./open-server.ts');
  const postgres = await startTestPostgres();
  const { url } = await cloneTemplate(postgres.url);
  const database = await openPostgres({ url });
  await seedMany(database, { jobs: 20_000, tradies: 1 });
  await database.close();
  const server = await openServer({ DATABASE_URL: url });
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await postgres.stop();
    },
  };
}

/**
 * In the process that outlives every file of a run: one server with twenty thousand jobs for both engines, which only
 * read it. Its rows cost a twentieth of what the tests of both compute; it is started when it is first asked for.
 */
export async function offerManyJobs(): Promise<() => Promise<void>> {
  let opening: Promise<ManyJobs> | undefined;
  const asking = createServer((_asked, answer) => {
    opening ??= openManyJobs();
    opening.then(
      ({ url }) => answer.end(url),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    );
  });
  asking.listen(0, '127.0.0.1');
  await once(asking, 'listening');
  process.env[askAt] = `http://127.0.0.1:${(asking.address() as AddressInfo).port}`;
  return async () => {
    asking.close();
    await (await opening?.catch(() => undefined))?.close();
  };
}

/** The address of that server. */
export async function manyJobs(): Promise<string> {
  const answer = await fetch(must(process.env[askAt], askAt));
  const said = await answer.text();
  if (!answer.ok) throw new Error(`The server with many jobs did not start: ${said}`);
  return said;
}
