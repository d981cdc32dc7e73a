import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeReference, makeUser } from '../../shared/testing/make.ts';
import { readFromReplica } from '../collections/read-from-replica.ts';
import { noticeRestore } from '../db/notice-restore.ts';
import { openPostgres } from '../db/open-postgres.ts';
import { insertRows } from '../db/write-rows.ts';
import { openSync } from '../open-sync.ts';
import { createSqlStore } from './sql-store.ts';
import { postgresWithTools } from '../testing/postgres-with-tools.ts';
import { startReplication } from '../testing/start-replication.ts';
import { askExchange, categoryId } from '../testing/sync-harness.ts';
import { unpackCookie } from '../sync/cookie.ts';
import { openSafePoints } from './safe-point.ts';

/* What a real standby and a real archive of the log say, and a replica whose replay stands still. */

const tools = postgresWithTools();
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
vi.setConfig({ testTimeout: 120_000 });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function openPair(synchronous: boolean) {
  const pair = await startReplication({ native: must(tools, 'tools').native, synchronous });
  closing.push(() => pair.close());
  const open = async (url: string) => {
    const database = await openPostgres({ url });
    closing.push(() => database.close());
    return database;
  };
  const primary = await open(pair.primary.url);
  await primary.migrate();
  await noticeRestore(primary, log);
  return { pair, primary, open };
}

describe.skipIf(tools === undefined)('with a standby and an archive', () => {
  it.each(['standby', 'archive'] as const)(
    'what is safe by %s is there, and what came later is not said to be',
    async (by) => {
      const { pair, primary } = await openPair(by === 'standby');
      if (by === 'archive') {
        await sql`alter system set archive_command = 'true'`.execute(primary.sql);
        await sql`select pg_reload_conf()`.execute(primary.sql);
      }
      const position = async () =>
        (
          await sql<{ timeline: string; head: string }>`select lineage as timeline,
          (select max(version) from sync_change) as head from sync_meta`.execute(primary.sql)
        ).rows[0]!;
      await insertRows(primary.sql, 'users', [makeUser()]);
      const { timeline, head } = await position();
      const points = await openSafePoints(primary, by, log);
      let tooEarly = points.safe(timeline);
      expect(tooEarly).toBe(undefined);
      if (by === 'archive') {
        await points.look();
        tooEarly = points.safe(timeline);
        await sql`select pg_switch_wal()`.execute(primary.sql);
      }
      expect(tooEarly).toBe(undefined);
      await expect
        .poll(async () => {
          await points.look();
          return points.safe(timeline);
        })
        .toBe(head);
      if (by === 'standby') {
        await pair.standby.kill();
        await sql`set synchronous_commit = local`.execute(primary.sql);
      }
      await primary.transaction(async (tx) => {
        await sql`set local synchronous_commit = local`.execute(tx);
        await insertRows(tx, 'users', [makeUser()]);
      });
      await points.look();
      await points.look();
      expect(points.safe(timeline)).toBe(head);
      points.close();
    },
  );

  it('a replica whose replay stands still shows no device less than it knows: it gives segments by their hash, and nothing else', async () => {
    const { pair, primary, open } = await openPair(false);
    const replica = await open(pair.standby.url);
    const person = makeUser();
    await insertRows(primary.sql, 'users', [person]);
    await expect.poll(async () => (await createSqlStore(replica).single.findPeople([person.id])).length).toBe(1);
    await sql`select pg_wal_replay_pause()`.execute(replica.sql);
    await expect
      .poll(
        async () =>
          (await sql<{ state: string }>`select pg_get_wal_replay_pause_state() as state`.execute(replica.sql)).rows[0]!
            .state,
      )
      .toBe('paused');
    await insertRows(primary.sql, 'reference', [makeReference({ id: categoryId })]);
    await sql`update users set first_name = 'Newer' where id = ${person.id}`.execute(primary.sql);
    const sync = await openSync({
      database: primary,
      replica,
      clock: () => new Date(),
      log: { ...log, debug: vi.fn(), fatal: vi.fn() } as never,
      verifyToken: async (userId) => ({ userId, email: '' }),
      anonKey: '',
      closing: new AbortController().signal,
    });
    closing.push(() => sync.close());
    const answer = await askExchange(sync.exchange, person, { shelves: { reference: '0' } });
    const head = await createSqlStore(primary).single.readHead();
    expect(BigInt(await createSqlStore(replica).single.readHead())).toBeLessThan(BigInt(head));
    expect(answer).toMatchObject({ kind: 'delta', puts: { users: [{ firstName: 'Newer' }] } });
    expect(answer.kind === 'delta' && unpackCookie(answer.cookie)?.v).toBe(head);
    const [onReplica, onPrimary] = [createSqlStore(replica).single, createSqlStore(primary).single];
    const { rows } = await sql<{ hash: string }>`select hash from shelf_segment where shelf = 'reference'`.execute(
      primary.sql,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { hash } of rows) {
      expect(await onReplica.readSegment('reference', hash)).toBe(undefined);
      expect(await readFromReplica(onReplica.readSegment, onPrimary.readSegment, log)('reference', hash)).toEqual(
        await onPrimary.readSegment('reference', hash),
      );
    }
    await sql`select pg_wal_replay_resume()`.execute(replica.sql);
  });
});
