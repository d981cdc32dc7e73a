import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDb, usualDatabase, type TestDatabase } from '../testing/test-db.ts';
import { ensureVapidKeys } from './vapid-keys.ts';

const config = { vapid: undefined, mail: undefined, publicUrl: undefined, embeddedAllowed: true };
const clock = () => new Date('2026-11-22T23:00:00Z');

describe.each(usualDatabase)('this server’s key at the push services, on %s', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openTestDb(kind);
  });
  afterEach(() => database.close());

  test('is made on the first start, once for all instances, and stays', async () => {
    const [one, other] = await Promise.all([
      ensureVapidKeys({ config, database, clock }),
      ensureVapidKeys({ config, database, clock }),
    ]);
    const later = await ensureVapidKeys({ config, database, clock });
    expect(one?.publicKey).toMatch(/^[\w-]{87}$/);
    expect([other, later]).toEqual([one, one]);
  });

  test('is the environment’s where it names one, and none in production without', async () => {
    const vapid = { publicKey: 'public', privateKey: 'private' };
    expect(await ensureVapidKeys({ config: { ...config, vapid }, database, clock })).toMatchObject(vapid);
    expect(await ensureVapidKeys({ config: { ...config, embeddedAllowed: false }, database, clock })).toBeUndefined();
  });

  test.each([
    ['Dwang <hello@dwang.example.nz>', undefined, 'mailto:hello@dwang.example.nz'],
    ['hello@dwang.example.nz', undefined, 'mailto:hello@dwang.example.nz'],
    [undefined, 'https://dwang.example.nz', 'https://dwang.example.nz'],
    [undefined, 'http://localhost:8080', 'mailto:nobody@example.org'],
  ])('says whom a push service may write to: %s, %s', async (from, publicUrl, subject) => {
    const mail = from === undefined ? undefined : { smtpUrl: 'smtp://localhost', from };
    expect(await ensureVapidKeys({ config: { ...config, mail, publicUrl }, database, clock })).toMatchObject({
      subject,
    });
  });
});
