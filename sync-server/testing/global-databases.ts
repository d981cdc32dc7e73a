import { pgliteTemplate } from './pglite-template.ts';
import { noTestPostgresVariable, startTestPostgres, testPostgresVariable } from './test-postgres.ts';

/**
 * Once before all database tests of a run: the PGlite template and one PostgreSQL for all tests. Where that cannot be
 * started, one line says so, and each test that needs it fails with the reason, and is counted.
 */
export async function setup(): Promise<() => Promise<void>> {
  await pgliteTemplate();
  if (process.env[testPostgresVariable] !== undefined) return () => Promise.resolve();
  try {
    const server = await startTestPostgres();
    process.env[testPostgresVariable] = server.url;
    return async () => {
      delete process.env[testPostgresVariable];
      await server.stop();
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.env[noTestPostgresVariable] = why;
    process.stderr.write(`Every test that needs PostgreSQL will fail. ${why}\n`);
    return () => {
      delete process.env[noTestPostgresVariable];
      return Promise.resolve();
    };
  }
}
