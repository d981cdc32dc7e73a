import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { openPostgres } from './open-postgres.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDb('postgres');
});
afterAll(() => db.close());

it('says "anything may have happened" after the listening connection was lost, and receives notices again', async () => {
  const heard = vi.fn();
  await db.listen('news', heard);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dwang listen' and datname = current_database()`.execute(
    db.sql,
  );
  await vi.waitFor(() => expect(heard.mock.calls).toEqual([['']]), 30_000);
  await sql`select pg_notify('news', 'back')`.execute(db.sql);
  await vi.waitFor(() => expect(heard.mock.calls).toEqual([[''], ['back']]), 30_000);
});

it('survives the loss of its pooled connections', async () => {
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`.execute(db.sql)));
  const killing = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await killing.execute(db.sql);
  await vi.waitFor(async () => expect((await sql`select 1 as one`.execute(db.sql)).rows).toEqual([{ one: 1 }]), 30_000);
});

it('limits how long statements and locks may take', async () => {
  const { rows } =
    await sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle, current_setting('TimeZone') as zone`.execute(
      db.sql,
    );
  expect(rows).toEqual([{ statement: '15s', lock: '5s', idle: '30s', zone: 'UTC' }]);
});

it('leaves no connection behind once it is closed, used for transactions alone: a restore renames its database then', async () => {
  await sql`create database left_alone`.execute(db.sql);
  const url = new URL(db.url ?? '');
  url.pathname = '/left_alone';
  const other = await openPostgres({ url: url.href });
  await other.transaction((tx) => sql`select 1`.execute(tx));
  await other.close();
  await expect(sql`drop database left_alone`.execute(db.sql)).resolves.toBeDefined();
});

it('lets two instances that start at once migrate an empty database', async () => {
  await sql`create database twice`.execute(db.sql);
  const url = new URL(db.url ?? '');
  url.pathname = '/twice';
  const instances = await Promise.all([1, 2, 3].map(() => openPostgres({ url: url.href })));
  await Promise.all(instances.map((instance) => instance.migrate()));
  expect(await instances[0]!.orm.migrator.getPending()).toEqual([]);
  await Promise.all(instances.map((instance) => instance.close()));
  await sql`drop database twice with (force)`.execute(db.sql);
});

it('prepares what comes again and again, and goes on after a migration has given a table other columns', async () => {
  const small = await openPostgres({ url: db.url ?? '', poolSize: 1 });
  try {
    await sql`create table thing (id int)`.execute(small.sql);
    const read = async () => (await sql`select * from thing where id = ${7}`.execute(small.sql)).rows;
    for (let at = 0; at < 8; at += 1) expect(await read()).toEqual([]);
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(small.sql);
    expect(rows.map(({ statement }) => statement)).toEqual(['select * from thing where id = $1']);
    await sql`alter table thing add column name text`.execute(small.sql);
    await expect(read()).rejects.toMatchObject({ code: '40001' });
    await sql`insert into thing values (7, 'seven')`.execute(small.sql);
    expect(await read()).toEqual([{ id: 7, name: 'seven' }]);
  } finally {
    await sql`drop table if exists thing`.execute(small.sql);
    await small.close();
  }
});
