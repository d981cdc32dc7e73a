import { expect, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.ts';
import { correctedBy, earliestNow } from './corrected-now.ts';

const now = Date.UTC(2026, 4, 1);
const clock = manualClock(now);
const after = (ms: number) => new Date(now + ms).toISOString();

test.each([
  ['never received the server’s time', undefined, 0, 0],
  ['is a minute behind, which may be latency', 60_000, 0, 0],
  ['is more than a minute behind', 60_001, 60_001, 0],
  ['is a minute ahead', -60_000, 0, 0],
  ['is a year ahead', -31_536_000_000, -31_536_000_000, -31_536_000_000],
])('[C12] correctedBy and earliestNow of a device that %s', (_what, offset, corrected, earliest) => {
  expect(correctedBy(offset, now)).toBe(after(corrected));
  expect(earliestNow(offset, clock)).toBe(after(earliest));
});
