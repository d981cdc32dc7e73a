import { sql as rawSql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertRows } from '../../db/write-rows.ts';
import { makeUser } from '../../../shared/testing/make.ts';
import { usualDatabase, openTestDb } from '../../testing/test-db.ts';
import { openDeviceLog } from './device-log.ts';

describe.each(usualDatabase)('which devices there are, on %s', (kind) => {
  test('of a person who makes up a device for each exchange the twenty that reported last are kept, and all of other people’s', async () => {
    const database = await openTestDb(kind);
    const [maker, neighbour] = [makeUser(), makeUser()];
    await insertRows(database.sql, 'users', [maker, neighbour]);
    let now = Date.parse('2026-11-22T00:00:00.000Z');
    const devices = openDeviceLog({ database, clock: () => new Date(now), log: { warn: () => undefined } });
    const observe = (userId: string, device: string) =>
      devices.observe({
        userId,
        device,
        ms: 1,
        request: { cookie: null, protocol: 1, schema: 1, mutations: [] } as never,
        answer: { kind: 'reset', reason: 'view' } as never,
      });
    observe(neighbour.id, 'the-neighbours-phone');
    for (let n = 0; n < 100; n += 1) {
      now += 1_000;
      observe(maker.id, `made-up-${n}`);
      if (n % 15 === 14) await devices.flush();
    }
    await devices.close();
    const { rows } = await rawSql<{
      device: string;
      user_id: string;
    }>`select device, user_id from sync_device order by last_at desc`.execute(database.sql);
    expect(rows.filter(({ user_id }) => user_id === neighbour.id)).toHaveLength(1);
    const made = rows.filter(({ user_id }) => user_id === maker.id).map(({ device }) => device);
    expect(made).toEqual(Array.from({ length: 20 }, (_, n) => `made-up-${99 - n}`));
    await database.close();
  });
});
