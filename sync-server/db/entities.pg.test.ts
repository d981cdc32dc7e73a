import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultPreferences } from '../../shared/tables/preferences.ts';
import { type TableName, tables } from '../../shared/tables/index.ts';
import {
  makeInterest,
  makeJob,
  makeMark,
  makeReference,
  makeSearch,
  makeTradie,
  makeUser,
} from '../../shared/testing/make.ts';
import { databases, openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { columnName } from './column-name.ts';
import { entities } from './entities/index.ts';
import { asRow, columnsSql, decimalColumns } from './rows.ts';
import { insertRows, updateRows } from './write-rows.ts';

const names = Object.keys(tables) as TableName[];

describe.each(databases)('the synced tables on %s', (kind) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDb(kind);
  });
  afterAll(() => db.close());

  const stored = async (table: TableName) =>
    (
      await sql<
        Record<string, unknown>
      >`select ${columnsSql(table, 't')} from ${sql.table(table)} t order by id`.execute(db.sql)
    ).rows.map((row) => asRow(row));

  it('knows every exact decimal there is', async () => {
    const { rows } = await sql<{
      name: string;
    }>`select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'numeric' and table_name = any(${names}) order by 1`.execute(
      db.sql,
    );
    const known = names.flatMap((table) =>
      (decimalColumns[table] ?? []).map((column) => `${table}.${columnName(column)}`),
    );
    expect(rows.map(({ name }) => name)).toEqual(known.toSorted());
  });

  it('rows come out of every table as they went in, and as their schema has them', async () => {
    const owner = makeUser();
    const person = makeUser({ subscriptionStatus: 'active', subscriptionValidUntil: '2026-12-31T10:59:59.999Z' });
    const tradie = makeTradie({ userId: person.id, categoryIds: ['a', 'b, "c"', '{d}'] });
    const job = makeJob({
      userId: owner.id,
      budgetMin: 0.1,
      budgetMax: 9_999_999.99,
      title: 'Ōtāne “gate” \\ {x}',
      images: ['https://a.nz/1,2.jpg', 'https://a.nz/{3}.jpg'],
    });
    const interest = makeInterest({
      jobId: job.id,
      tradieId: tradie.id,
      userId: person.id,
      ownerId: owner.id,
      contactedAt: '2026-02-28T23:59:59.001Z',
      ownerNote: 'Rang: Monday',
      seenAt: '2026-02-28T22:00:00.001Z',
      isSeen: true,
    });
    const mark = makeMark({ userId: person.id, jobId: job.id, hiddenAt: '2026-03-01T00:00:00.001Z' });
    const search = makeSearch({ userId: person.id, urgencies: ['soon', 'urgent'], withinKm: 40, maxBudget: 5_000 });
    const prefers = {
      ...defaultPreferences(person.id),
      preparedNotes: ['Kia ora, “Thursday”?', 'a, {b}'],
      searchOrder: [search.id],
    };
    const reference = makeReference();
    const users = [owner, person].toSorted((one, other) => (one.id < other.id ? -1 : 1));
    await insertRows(db.sql, 'users', users);
    await insertRows(db.sql, 'tradies', [tradie]);
    await insertRows(db.sql, 'jobs', [job]);
    await insertRows(db.sql, 'interests', [interest]);
    await insertRows(db.sql, 'marks', [mark]);
    await insertRows(db.sql, 'searches', [search]);
    await insertRows(db.sql, 'preferences', [prefers]);
    await insertRows(db.sql, 'reference', [reference]);
    const expected = {
      users,
      tradies: [tradie],
      jobs: [job],
      interests: [interest],
      marks: [mark],
      searches: [search],
      preferences: [prefers],
      reference: [reference],
    };
    for (const table of names) {
      const rows = await stored(table);
      expect(rows).toEqual(expected[table]);
      for (const row of rows) expect(tables[table].row.parse(row)).toEqual(row);
    }

    const closed = {
      ...job,
      status: 'closed' as const,
      closedAt: '2026-03-01T00:00:00.000Z',
      budgetMin: null,
      title: 'not written',
    };
    await updateRows(db.sql, 'jobs', ['status', 'closedAt', 'budgetMin'], [closed]);
    expect(await stored('jobs')).toEqual([{ ...closed, title: job.title }]);
    await expect(updateRows(db.sql, 'jobs', ['title'], [makeJob()])).rejects.toThrow('1 rows to update');

    const entity = await db.orm.em
      .fork()
      .findOneOrFail(entities.InterestEntity, { id: interest.id }, { populate: ['job', 'tradie.user'] });
    expect(entity.job).toMatchObject({
      budgetMax: '9999999.99',
      images: job.images,
      createdAt: new Date(job.createdAt),
    });
    expect(entity.tradie.user.email).toBe(person.email);
  });

  it('a hosted project’s public key reads nothing: every table has row security', async () => {
    const { rows } = await sql<{
      name: string;
    }>`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and not relrowsecurity and relname <> 'mikro_orm_migrations'`.execute(db.sql);
    expect(rows).toEqual([]);
  });
});

/*
 * By the schema generator's own comparison: tables, columns, defaults, keys, checks, indexes, row security. It knows
 * nothing of sequences, of functions, of `unlogged` and of storage, and leaves the triggers alone, which
 * sync-triggers.ts makes.
 */
describe.each(databases)('the entities of every table, on %s', (kind) => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await openTestDb(kind);
  });
  afterEach(() => db.close());
  const missing = () => db.orm.schema.getUpdateSchemaSQL({ wrap: false });

  it('agree with the database: after the migrations there is nothing left to change', async () => {
    expect(await missing()).toBe('');
  });

  it('are seen to differ after each of these changes of the database', async () => {
    const changes = [
      'alter table billing_subscription rename column ticket to number',
      'alter table sync_parked alter column error drop not null',
      'alter table mail_preference alter column wants_interest_mails drop default',
      'alter table tradies alter column nzbn type varchar(13)',
      'alter table jobs drop constraint jobs_status_check',
      'alter table interests drop constraint interests_job_id_tradie_id_key',
      'alter table billing_checkout drop constraint billing_checkout_user_id_fkey',
      'alter table effect disable row level security',
      'alter table marks drop constraint marks_job_id_fkey',
      'drop index embedded.sessions_last_used_at',
      'drop index billing_checkout_open',
      'create table embedded.forgotten (id integer primary key)',
    ];
    const unseen: string[] = [];
    let before = await missing();
    for (const change of changes) {
      await sql.raw(change).execute(db.sql);
      const after = await missing();
      if (after === before) unseen.push(change);
      before = after;
    }
    expect(unseen).toEqual([]);
  });
});
