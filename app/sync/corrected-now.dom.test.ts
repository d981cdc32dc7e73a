import { expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb } from '../db/person-db.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { correctedNow, earliestNow } from './corrected-now.ts';

const now = Date.UTC(2026, 4, 1);
const clock = manualClock(now);
const after = (ms: number) => new Date(now + ms).toISOString();

test.each([
  ['never received the server’s time', undefined, 0, 0],
  ['is a minute behind, which may be latency', 60_000, 0, 0],
  ['is more than a minute behind', 60_001, 60_001, 0],
  ['is a minute ahead', -60_000, 0, 0],
  ['is a year ahead', -31_536_000_000, -31_536_000_000, -31_536_000_000],
])('[C12] correctedNow and earliestNow of a device that %s', async (_what, offset, corrected, earliest) => {
  const db = openPersonDb(makeTestId());
  if (offset !== undefined) await db.meta.put({ key: 'serverTimeOffset', value: offset });
  expect(await correctedNow(db, clock)).toBe(after(corrected));
  expect(earliestNow(offset, clock)).toBe(after(earliest));
});
