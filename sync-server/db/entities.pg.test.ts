import type { EntitySchema } from '@mikro-orm/core';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TableName, tables } from '../../shared/tables/index.ts';
import { makeInterest, makeJob, makeReference, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { databases, openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { columnName } from './column-name.ts';
import { syncedEntities } from './entities.ts';
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

  it.each(names)('%s: database, entity and shared row have the same columns', async (table) => {
    const { rows } = await sql<{
      name: string;
    }>`select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ${table}`.execute(
      db.sql,
    );
    const shared = tables[table].columns.map(columnName).toSorted();
    expect(rows.map(({ name }) => name).toSorted()).toEqual(shared);
    const entity: EntitySchema = syncedEntities[table];
    const meta = db.orm.getMetadata().get(entity);
    expect(meta.props.flatMap((property) => property.fieldNames).toSorted()).toEqual(shared);
  });

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
    });
    const reference = makeReference();
    const users = [owner, person].toSorted((one, other) => (one.id < other.id ? -1 : 1));
    await insertRows(db.sql, 'users', users);
    await insertRows(db.sql, 'tradies', [tradie]);
    await insertRows(db.sql, 'jobs', [job]);
    await insertRows(db.sql, 'interests', [interest]);
    await insertRows(db.sql, 'reference', [reference]);
    const expected = { users, tradies: [tradie], jobs: [job], interests: [interest], reference: [reference] };
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

    const entity = await db.orm.em.fork().findOneOrFail(syncedEntities.jobs, { id: job.id });
    expect(entity).toMatchObject({
      userId: owner.id,
      budgetMax: 9_999_999.99,
      images: job.images,
      createdAt: new Date(job.createdAt),
    });
  });

  it('a hosted project’s public key reads nothing: every table has row security', async () => {
    const { rows } = await sql<{
      name: string;
    }>`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and not relrowsecurity and relname <> 'mikro_orm_migrations'`.execute(db.sql);
    expect(rows).toEqual([]);
  });
});
