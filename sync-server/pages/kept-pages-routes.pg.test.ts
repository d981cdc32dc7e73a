import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keptPagesPath } from '../../shared/lib/kept-pages.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';

describe.each(usualDatabase)('on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openTestDb(kind);
    app = await openTestApp({ database });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const post = (site?: string) =>
    app.call(keptPagesPath, { method: 'POST', headers: site === undefined ? {} : { 'sec-fetch-site': site } });

  test.each([['same-origin'], [undefined]])(
    'a page of the app (%s) has the pages given up that the browser keeps, and nothing that is stored',
    async (site) => {
      const { status, headers } = await post(site);
      expect([status, headers.get('clear-site-data'), headers.get('cache-control')]).toEqual([
        204,
        '"cache"',
        'no-store',
      ]);
    },
  );

  test('a page of another site does not', async () => {
    const { status, headers } = await post('cross-site');
    expect([status, headers.get('clear-site-data')]).toEqual([403, null]);
  });
});
