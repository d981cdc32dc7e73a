import { pgliteTemplate } from './pglite-template.ts';
import { startTestPostgres, TEST_POSTGRES } from './test-postgres.ts';

/** Once before all database tests of a run: the PGlite template and one PostgreSQL for everybody. */
export async function setup(): Promise<() => Promise<void>> {
  await pgliteTemplate();
  if (process.env[TEST_POSTGRES] !== undefined) return () => Promise.resolve();
  const server = await startTestPostgres();
  process.env[TEST_POSTGRES] = server.url;
  return async () => {
    delete process.env[TEST_POSTGRES];
    await server.stop();
  };
}
