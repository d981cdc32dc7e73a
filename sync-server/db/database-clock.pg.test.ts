import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { minute } from '../../shared/lib/durations.ts';
import { createExchangeLimit, exchangeRule } from '../sync/exchange-limit.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { openDatabaseClock } from './database-clock.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDb('postgres');
});
afterEach(() => void vi.useRealTimers());
afterAll(() => database.close());

const log = { warn: vi.fn() };
const year = 365 * 86_400_000;
const databaseTime = async () =>
  (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.sql)).rows[0]!.now.getTime();

it('says the database’s time on a machine whose clock is a year out, also when it is set while the server runs', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + year });
  const clock = await openDatabaseClock(database, log);
  expect(Math.abs(clock.now().getTime() - (await databaseTime()))).toBeLessThan(minute);
  vi.setSystemTime(Date.now() - 2 * year);
  expect(Math.abs(clock.now().getTime() - (await databaseTime()))).toBeLessThan(minute);
  clock.close();
});

it('lets two instances whose machines disagree count one limit', async () => {
  const userId = makeTestId();
  vi.useFakeTimers({ toFake: ['Date'] });
  const instanceAt = async (ahead: number) => {
    vi.setSystemTime(Date.now() + ahead);
    const clock = await openDatabaseClock(database, log);
    return { close: clock.close, limit: createExchangeLimit({ database, clock: clock.now }) };
  };
  const [one, other] = [await instanceAt(0), await instanceAt(year)];
  // By a clock a year ahead, everything the first one counted would be over, and what the second counts would lock the
  // first one out for a year.
  for (let lease = 0; lease < exchangeRule.burst * exchangeRule.lease; lease += 1)
    await (lease % 2 === 0 ? one : other).limit(userId);
  const waits = [await one.limit(userId), await other.limit(userId)];
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(exchangeRule.everyMs * exchangeRule.burst);
  one.close();
  other.close();
});
