import { pgliteTemplate } from './pglite-template.ts';
import { NO_TEST_POSTGRES, startTestPostgres, TEST_POSTGRES } from './test-postgres.ts';

/**
 * Once before all database tests of a run: the PGlite template and one PostgreSQL for all tests. Where that cannot be
 * started, one line says so, and each test that needs it fails with the reason, and is counted.
 */
export async function setup(): Promise<() => Promise<void>> {
  await pgliteTemplate();
  if (process.env[TEST_POSTGRES] !== undefined) return () => Promise.resolve();
  try {
    const server = await startTestPostgres();
    process.env[TEST_POSTGRES] = server.url;
    return async () => {
      delete process.env[TEST_POSTGRES];
      await server.stop();
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.env[NO_TEST_POSTGRES] = why;
    process.stderr.write(`Every test that needs PostgreSQL will fail. ${why}\n`);
    return () => {
      delete process.env[NO_TEST_POSTGRES];
      return Promise.resolve();
    };
  }
}
