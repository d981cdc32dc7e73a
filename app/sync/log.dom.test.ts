import { expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb } from '../db/person-db.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { createLog, logSize } from './log.ts';

test('the log is a ring buffer: the newest 500 entries stay, in order', async () => {
  const db = openPersonDb(makeTestId());
  const log = createLog(
    db,
    manualClock(),
    () => {},
    (error) => expect.unreachable(String(error)),
  );
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
  const log = createLog(
    db,
    manualClock(),
    () => {},
    (error) => lost.push(error),
  );
  log.add('event');
  await log.flush();
  expect(lost).toHaveLength(1);
});

test('an entry has a time, an event and perhaps a detail; it is emitted at once, and on disk after flush()', async () => {
  const db = openPersonDb(makeTestId());
  const told: string[] = [];
  const clock = manualClock();
  const log = createLog(
    db,
    clock,
    (event, detail) => told.push(`${event} ${detail}`),
    (error) => expect.unreachable(String(error)),
  );
  const at = new Date(clock.now()).toISOString();
  log.add('leading', '3');
  log.add('storage-cleared');
  expect(told).toEqual(['leading 3', 'storage-cleared ']);
  await log.flush();
  expect(await db.log.toArray()).toEqual([
    expect.objectContaining({ at, event: 'leading', detail: '3' }),
    expect.objectContaining({ at, event: 'storage-cleared', detail: '' }),
  ]);
});
