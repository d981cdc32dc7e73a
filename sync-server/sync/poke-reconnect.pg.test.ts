import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeUser } from '../../shared/testing/make.ts';
import { insertMany } from '../db/seed/insert-rows.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { openPoke } from './poke.ts';

// PGlite has no connection to lose.
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDb('postgres');
});
afterAll(() => db.close());

it('finds what was committed while its connection was away', async () => {
  const person = makeUser();
  await db.transaction((tx) => insertMany(tx, 'users', [person]));
  const poke = openPoke({
    store: createSqlStore(db),
    clock: () => new Date(),
    log: { info: vi.fn(), warn: vi.fn(), error: vi.fn() },
  });
  await poke.start();
  const onPoke = vi.fn();
  await poke.connect({ userId: person.id, since: poke.headVersion(), onPoke });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dwang listen' and datname = current_database()`.execute(
    db.sql,
  );
  await sql`update users set first_name = 'Unheard' where id = ${person.id}`.execute(db.sql);
  await vi.waitFor(() => expect(onPoke).toHaveBeenCalledTimes(1), 30_000);
  await poke.close();
});

it('tries again when it could not read what changed', async () => {
  const person = makeUser();
  await db.transaction((tx) => insertMany(tx, 'users', [person]));
  const warn = vi.fn();
  const poke = openPoke({
    store: createSqlStore(db),
    clock: () => new Date(),
    log: { info: vi.fn(), warn, error: vi.fn() },
  });
  await poke.start();
  const onPoke = vi.fn();
  await poke.connect({ userId: person.id, since: poke.headVersion(), onPoke });
  await sql`alter table sync_change rename column audience to elsewhere`.execute(db.sql);
  await sql`select pg_notify('sync', '')`.execute(db.sql);
  await vi.waitFor(() => expect(warn).toHaveBeenCalled(), 30_000);
  await sql`alter table sync_change rename column elsewhere to audience`.execute(db.sql);
  await sql`update users set first_name = 'After the error' where id = ${person.id}`.execute(db.sql);
  await vi.waitFor(() => expect(onPoke).toHaveBeenCalledTimes(1), 30_000);
  await poke.close();
});
