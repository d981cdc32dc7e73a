import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeReference, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { insertRows, writable } from '../db/write-rows.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { maxCacheAgeMs } from './public-answers.ts';

describe.each(usualDatabase)('public lists, on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  /** Readings of rows, by the table they are of. */
  let readings: number;
  let now: number;
  const user = makeUser();
  const tradie = makeTradie({ userId: user.id, businessName: 'Before' });
  beforeEach(async () => {
    database = await openTestDb(kind);
    await insertRows(database.sql, 'reference', [makeReference({ id: 'fencer' })]);
    await insertRows(database.sql, 'users', [user]);
    await insertRows(database.sql, 'tradies', [tradie]);
    readings = 0;
    now = Date.UTC(2026, 10, 22);
    const sql = database.sql.withPlugin({
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('business_name')) readings += 1;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    app = await openTestApp({ database: { ...database, sql }, clock: () => new Date(now) });
  });
  afterEach(async () => {
    await app.close();
    await database.close();
  });
  const names = async () =>
    ((await (await app.call('/api/tradies')).json()) as { businessName: string }[]).map(
      ({ businessName }) => businessName,
    );
  const rename = (to: string) =>
    writable(database.sql).updateTable('tradies').set({ business_name: to }).where('id', '=', tradie.id).execute();

  it('S10: are read once for however many ask, and not at all for a caller who has them already', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => app.call('/api/tradies')));
    expect(new Set(await Promise.all(all.map((response) => response.text())))).toHaveProperty('size', 1);
    const etag = all[0]?.headers.get('etag') ?? '';
    expect((await app.call('/api/tradies', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect(readings).toBe(1);
  });

  it('S10: are read again as soon as what they show has changed, and after half a minute whatever changed', async () => {
    expect(await names()).toEqual(['Before']);
    await rename('After');
    expect(await names()).toEqual(['After']);
    await writable(database.sql)
      .updateTable('users')
      .set({ first_name: 'Nobody sees it here' })
      .where('id', '=', user.id)
      .execute();
    expect(await names()).toEqual(['After']);
    expect(readings).toBe(2);
    now += maxCacheAgeMs + 1;
    expect(await names()).toEqual(['After']);
    expect(readings).toBe(3);
    await insertRows(database.sql, 'reference', [makeReference({ id: 'drainlayer' })]);
    expect((await (await app.call('/api/categories')).text()).match(/drainlayer/g)).toHaveLength(1);
  });

  it('are not kept where they could not be read', async () => {
    await database.sql.schema.alterTable('tradies').renameTo('elsewhere').execute();
    expect((await app.call('/api/tradies')).status).toBe(500);
    await database.sql.schema.alterTable('elsewhere').renameTo('tradies').execute();
    expect(await names()).toEqual(['Before']);
  });
});
