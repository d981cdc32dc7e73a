import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { databases, openTestDb, type TestDatabase } from '../testing/test-db.ts';

describe.each(databases)('the database interface on %s', (kind) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDb(kind);
    await sql`create table box (id int primary key, note text)`.execute(db.sql);
    await sql`create table strict (id int, constraint once unique (id) deferrable initially deferred)`.execute(db.sql);
  });
  afterAll(() => db.close());
  const notes = async () =>
    (await sql<{ note: string }>`select note from box order by id`.execute(db.sql)).rows.map(({ note }) => note);

  it('brings columns into JavaScript the same way', async () => {
    const { rows } = await sql`select
      timestamptz '2026-04-05 02:59:59.123456+13' as instant, timestamptz '0099-12-31 23:00:00+00' as old,
      int8 '9007199254740993' as big, numeric '12.50' as money, date '2026-10-13' as day,
      int4 '7' as number, float8 '0.5' as float, true as flag, jsonb '{"a":[1,null]}' as json, '{a,b}'::text[] as list,
      uuid '018f3a5e-0000-7000-8000-000000000000' as id, null::timestamptz as nothing`.execute(db.sql);
    expect(rows[0]).toEqual({
      instant: new Date('2026-04-04T13:59:59.123Z'),
      old: new Date('0099-12-31T23:00:00.000Z'),
      big: '9007199254740993',
      money: '12.50',
      day: '2026-10-13',
      number: 7,
      float: 0.5,
      flag: true,
      json: { a: [1, null] },
      list: ['a', 'b'],
      id: '018f3a5e-0000-7000-8000-000000000000',
      nothing: null,
    });
    const {
      rows: [bytes],
    } = await sql<{ b: Uint8Array }>`select '\\x0aff'::bytea as b`.execute(db.sql);
    expect([...bytes!.b]).toEqual([10, 255]);
  });

  it.each<(string | null)[]>([
    [],
    ['builder', 'jobs/018f3a5e.webp'],
    ['Free on Tuesday, or after', '"quoted"', 'back\\slash', '{braces}', '', ' '],
    ['NULL', null, 'null', 'ANNULLED'],
  ])('brings a list as it was written: %j', async (...list) => {
    const { rows } = await sql<{ list: (string | null)[] }>`select ${list}::text[] as list`.execute(db.sql);
    expect(rows).toEqual([{ list }]);
  });

  it('takes parameters of the same JavaScript types', async () => {
    const at = new Date('2026-11-02T10:20:30.456Z');
    const { rows } = await sql<{
      ok: boolean;
    }>`select ${at}::timestamptz = '2026-11-02 10:20:30.456Z' and ${'12.50'}::numeric = 12.5
      and ${JSON.stringify({ a: 1 })}::jsonb = '{"a":1}' and ${['a', 'b']}::text[] = '{a,b}' and ${new Uint8Array([1, 255])}::bytea = '\\x01ff'::bytea as ok`.execute(
      db.sql,
    );
    expect(rows).toEqual([{ ok: true }]);
  });

  it('commits what a transaction did, and nothing of one that threw', async () => {
    await db.transaction(async (tx) => sql`insert into box values (1, 'kept')`.execute(tx));
    const failing = db.transaction(async (tx) => {
      await sql`insert into box values (2, 'lost')`.execute(tx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await notes()).toEqual(['kept']);
  });

  it('fails with the SQLSTATE and works on, also when COMMIT itself fails', async () => {
    await expect(sql`insert into box values (1, 'again')`.execute(db.sql)).rejects.toMatchObject({ code: '23505' });
    const atCommit = db.transaction((tx) => sql`insert into strict values (1), (1)`.execute(tx));
    await expect(atCommit).rejects.toMatchObject({ code: '23505' });
    expect(
      await db.transaction(async (tx) => (await sql`select count(*)::int as n from strict`.execute(tx)).rows),
    ).toEqual([{ n: 0 }]);
  });

  it('runs savepoints inside a transaction', async () => {
    await db.transaction(async (tx) => {
      await sql`savepoint one`.execute(tx);
      await expect(sql`insert into box values (1, 'again')`.execute(tx)).rejects.toMatchObject({ code: '23505' });
      await sql`rollback to savepoint one`.execute(tx);
      await sql`insert into box values (3, 'after')`.execute(tx);
    });
    expect(await notes()).toEqual(['kept', 'after']);
  });

  it('gives a snapshot that can neither write nor see later commits', async () => {
    const settings = await db.transaction(
      async (tx) =>
        (
          await sql`select current_setting('transaction_isolation') as level, current_setting('transaction_read_only') as ro`.execute(
            tx,
          )
        ).rows,
      { mode: 'snapshot' },
    );
    expect(settings).toEqual([{ level: 'repeatable read', ro: 'on' }]);
    const writing = db.transaction((tx) => sql`insert into box values (9, 'no')`.execute(tx), { mode: 'snapshot' });
    await expect(writing).rejects.toMatchObject({ code: '25006' });
    await db.transaction(async (tx) => sql`insert into box values (4, 'write again')`.execute(tx));
  });

  it('serves many callers at once', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        db.transaction(async (tx) => {
          await sql`insert into box values (${100 + i}, 'crowd')`.execute(tx);
          await sql`update box set note = 'crowd!' where id = ${100 + i}`.execute(tx);
        }),
      ),
    );
    expect((await notes()).filter((note) => note === 'crowd!')).toHaveLength(20);
  });

  it('receives notices after the commit, until it stops listening', async () => {
    const heard = vi.fn();
    const stop = await db.listen('news', heard);
    const rolledBack = db.transaction(async (tx) => {
      await sql`select pg_notify('news', 'never')`.execute(tx);
      throw new Error('undone');
    });
    await expect(rolledBack).rejects.toThrow('undone');
    await db.transaction((tx) => sql`select pg_notify('news', 'hello')`.execute(tx));
    await vi.waitFor(() => expect(heard.mock.calls).toEqual([['hello']]), 10_000);
    await stop();
    const marker = vi.fn();
    await db.listen('marker', marker);
    await sql`select pg_notify('news', 'late')`.execute(db.sql);
    await sql`select pg_notify('marker', '')`.execute(db.sql);
    await vi.waitFor(() => expect(marker).toHaveBeenCalled(), 10_000);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('finds nothing left to migrate, however often it is asked', async () => {
    await db.migrate();
    await db.migrate();
    expect(await db.orm.migrator.getPending()).toEqual([]);
  });
});
