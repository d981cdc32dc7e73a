import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute } from '../../shared/lib/durations.ts';
import { makeInterest, makeJob, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { readConfig } from '../lib/config.ts';
import { insertRows } from '../db/write-rows.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { sitemapRoutes } from './sitemap-routes.ts';

const origin = 'https://dwang.example.nz';
const owner = makeUser();
const people = [makeUser(), makeUser(), makeUser()];
const tradies = people.map(({ id }, at) =>
  makeTradie({ userId: id, email: `private-${at}@example.nz`, createdAt: `2026-03-0${at + 1}T00:00:00.000Z` }),
);
const job = makeJob({ userId: owner.id });

describe.each(usualDatabase)('on %s', (kind) => {
  let database: TestDatabase;
  let now = new Date('2026-05-01T00:00:00.000Z');
  const open: TestApp[] = [];
  /** An instance that has read nothing yet. */
  const start = async (most?: number) => {
    const config = readConfig({ PUBLIC_URL: origin });
    const parts = most === undefined ? {} : { sync: [sitemapRoutes({ database, config, clock: () => now }, most)] };
    const app = await openTestApp({ database, config, clock: () => now }, parts);
    open.push(app);
    return app;
  };
  const read = async (app: TestApp, path = '/sitemap.xml') => (await app.call(path)).text();
  const pathsIn = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url?.replace(origin, ''));
  const changed = (xml: string, id: string) =>
    new RegExp(`/tradie/${id}</loc><lastmod>([^<]*)</lastmod>`).exec(xml)?.[1];

  beforeAll(async () => {
    database = await openTestDb(kind);
    await database.transaction(async (sql) => {
      await insertRows(sql, 'users', [owner, ...people]);
      await insertRows(sql, 'tradies', tradies);
      await rawSql`update users set tradie_id = (select id from tradies where user_id = users.id)`.execute(sql);
      await insertRows(sql, 'jobs', [job]);
    });
  });
  afterAll(async () => {
    for (const app of open) await app.close();
    await database.close();
  });

  test('the sitemap lists the fixed pages and every business, the oldest first, and no job', async () => {
    const app = await start();
    const answer = await app.call('/sitemap.xml');
    const xml = await answer.text();
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'application/xml',
      'public, max-age=3600',
    ]);
    expect(pathsIn(xml)).toEqual(['/', '/legal', '/find-tradies', ...tradies.map(({ id }) => `/tradie/${id}`)]);
    for (const secret of [job.id, owner.id, 'private-']) expect(xml).not.toContain(secret);
  });

  test('a business is dated by its public columns: an edit moves its date, an interest does not', async () => {
    const [one, other] = tradies as [(typeof tradies)[number], (typeof tradies)[number]];
    // Dates far apart, so that no clock decides; the other profile is the commit that comes after.
    const date = (id: string, at: string) =>
      rawSql`update sync_change set changed_at = ${at}::timestamptz where entity = 'tradies' and entity_id = ${id}`.execute(
        database.sql,
      );
    await rawSql`update tradies set description = 'Decks.' where id = ${one.id}`.execute(database.sql);
    await rawSql`update tradies set description = 'Fences.' where id = ${other.id}`.execute(database.sql);
    await date(one.id, '2026-04-01T00:00:00Z');
    await date(other.id, '2026-04-02T00:00:00Z');
    expect(changed(await read(await start()), one.id)).toBe('2026-04-01T00:00:00.000Z');
    await insertRows(database.sql, 'interests', [
      makeInterest({ jobId: job.id, tradieId: one.id, userId: one.userId, ownerId: owner.id }),
    ]);
    expect(changed(await read(await start()), one.id)).toBe('2026-04-01T00:00:00.000Z');
    // What is not public has written over the instant: the next commit's is later than the truth, and tells nothing.
    await rawSql`update tradies set contact_phone = '021 555 0100' where id = ${one.id}`.execute(database.sql);
    expect(changed(await read(await start()), one.id)).toBe('2026-04-02T00:00:00.000Z');
    await rawSql`update tradies set description = 'Decks and fences.' where id = ${one.id}`.execute(database.sql);
    await date(one.id, '2026-04-09T00:00:00Z');
    expect(changed(await read(await start()), one.id)).toBe('2026-04-09T00:00:00.000Z');
  });

  test('more pages than one file may have are listed in parts, with an index, each page once', async () => {
    const app = await start(4);
    expect(pathsIn(await read(app))).toEqual(['/sitemap-1.xml', '/sitemap-2.xml']);
    const parts = [await read(app, '/sitemap-1.xml'), await read(app, '/sitemap-2.xml')];
    expect(parts.map((part) => pathsIn(part).length)).toEqual([4, 2]);
    expect(parts.flatMap(pathsIn)).toEqual([
      '/',
      '/legal',
      '/find-tradies',
      ...tradies.map(({ id }) => `/tradie/${id}`),
    ]);
    expect((await app.call('/sitemap-3.xml')).status).toBe(404);
    // Where one file holds all there are no parts, and no second address for the same list.
    expect((await (await start()).call('/sitemap-1.xml')).status).toBe(404);
  });

  test('it is read again after ten minutes, not sent again while it is the same, and asked for again after an error', async () => {
    const app = await start();
    const first = await app.call('/sitemap.xml');
    const again = await app.call('/sitemap.xml', {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
    const late = makeUser();
    const lateTradie = makeTradie({ userId: late.id });
    await database.transaction(async (sql) => {
      await insertRows(sql, 'users', [late]);
      await insertRows(sql, 'tradies', [lateTradie]);
    });
    expect(await read(app)).not.toContain(lateTradie.id);
    now = new Date(now.getTime() + 10 * minute);
    expect(await read(app)).toContain(lateTradie.id);

    let isAway = false;
    const away = database.sql.withPlugin({
      transformQuery: ({ node }) => {
        if (isAway) throw new Error('away');
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const config = readConfig({ PUBLIC_URL: origin });
    const hurt = await openTestApp({ database: { ...database, sql: away }, config });
    open.push(hurt);
    isAway = true;
    expect((await hurt.call('/sitemap.xml')).status).toBe(500);
    isAway = false;
    expect((await hurt.call('/sitemap.xml')).status).toBe(200);
  });

  test('robots.txt names the sitemap, keeps out of what is private, and leaves open what a business’s page is drawn with', async () => {
    const answer = await (await start()).call('/robots.txt');
    const lines = (await answer.text()).trim().split('\n');
    expect([answer.headers.get('content-type'), lines[0], lines.at(-1)]).toEqual([
      'text/plain; charset=utf-8',
      'User-agent: *',
      `Sitemap: ${origin}/sitemap.xml`,
    ]);
    for (const path of ['/dashboard', '/find-jobs', '/waiting', '/api/', '/auth/'])
      expect(lines).toContain(`Disallow: ${path}`);
    expect(lines).toContain('Allow: /api/sync/shelves/directory');
    expect(lines.some((line) => line.startsWith('Disallow: /tradie') || line.startsWith('Disallow: /job'))).toBe(false);
  });
});
