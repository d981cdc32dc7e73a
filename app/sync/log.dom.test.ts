import { expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb } from '../db/person-db.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { createLog, logSize } from './log.ts';

test('the log is a ring: the newest 500 stay, in order', async () => {
  const db = openPersonDb(makeTestId());
  const log = createLog(db, manualClock(), () => {}, (error) => expect.unreachable(String(error)));
  for (let at = 0; at < logSize + 20; at += 1) log.add('event', String(at));
  await log.flush();
  const kept = await db.log.toArray();
  expect([kept.length, kept[0]?.detail, kept.at(-1)?.detail]).toEqual([logSize, '20', String(logSize + 19)]);
});

test('an entry that cannot be written stops nothing', async () => {
  const db = openPersonDb(makeTestId());
  await db.open();
  db.close();
  const lost: unknown[] = [];
  const log = createLog(db, manualClock(), () => {}, (error) => lost.push(error));
  log.add('event');
  await log.flush();
  expect(lost).toHaveLength(1);
});
