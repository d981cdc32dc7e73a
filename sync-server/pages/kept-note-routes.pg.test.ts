import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countCookies, keptCookie, keptNotePath, sentCookie } from '../../shared/lib/kept-note.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';

describe.each(usualDatabase)('on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openTestDb(kind);
    app = await openTestApp({ database, clock: () => new Date('2026-05-01T00:00:00.000Z') });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const post = (body: string, type = 'application/json') =>
    app.call(keptNotePath, { method: 'POST', headers: { 'content-type': type }, body });

  test('a phone that has sent everything gets two cookies that the server has set, of its own site, readable by the app, and naming no person', async () => {
    const answer = await post('{"allSent":true}');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([204, 'no-store']);
    expect(answer.headers.getSetCookie().map((cookie) => cookie.replace(/expires=[^;]*; ?/, ''))).toEqual([
      'dwang-kept=2026-05-01T00:00:00.000Z; path=/; samesite=lax',
      'dwang-sent=yes; path=/; samesite=lax',
    ]);
    const expires = /expires=([^;]*)/.exec(answer.headers.getSetCookie()[0] ?? '')?.[1];
    expect(Date.parse(expires ?? '') - Date.now()).toBeGreaterThan(399 * 86_400_000);
  });

  test('an app that counts what waits gets those by which it counts as well, set by the server too', async () => {
    const set = (await post('{"allSent":true,"counts":true}')).headers.getSetCookie();
    expect(set.map((cookie) => cookie.slice(0, cookie.indexOf('=')))).toEqual([
      keptCookie,
      sentCookie,
      ...countCookies(),
    ]);
  });

  test.each([
    ['nothing', '{}'],
    ['another value', '{"allSent":false}'],
    ['null', 'null'],
  ])('%s sets none, and the field is named', async (_what, body) => {
    const answer = await post(body);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []]);
    expect(await answer.json()).toMatchObject({ details: { fields: { allSent: 'allSent must be true' } } });
  });

  test('a form, as a page of another site may send it, sets none', async () => {
    const answer = await post('allSent=true', 'application/x-www-form-urlencoded');
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([415, []]);
  });
});
