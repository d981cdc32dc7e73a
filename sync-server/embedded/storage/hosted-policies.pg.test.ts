import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshPostgres } from '../../testing/test-postgres.ts';

/**
 * The script of docs/deploy/supabase.md, step 6, on a real PostgreSQL. The tables are ours after the service's
 * documentation: the columns that the script names, and `auth.uid()` from a setting. That a hosted project has them so
 * is not seen here.
 */
const tablesOfTheService = `
  do $$ begin create role authenticated; exception when duplicate_object then null; end $$;
  create schema storage;
  create schema auth;
  create function auth.uid() returns uuid language sql stable as $$ select nullif(current_setting('test.uid', true), '')::uuid $$;
  create table storage.buckets (id text primary key, name text not null, public boolean, file_size_limit bigint, allowed_mime_types text[]);
  create table storage.objects (id uuid primary key default gen_random_uuid(), bucket_id text references storage.buckets, name text, owner_id text);
  alter table storage.objects enable row level security;
  grant usage on schema storage, auth to authenticated;
  grant all on storage.objects to authenticated;
  -- An earlier version of the script:
  create policy "People add files to their own folder" on storage.objects for insert to authenticated with check (true);`;

const [one, other] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let client: Client;

beforeEach(async () => {
  postgres = await freshPostgres();
  client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(tablesOfTheService);
  const script = await readFile(join(import.meta.dirname, 'hosted-policies.sql'), 'utf8');
  // The statements run once, and again after an update.
  await client.query(script);
  await client.query(script);
});
afterEach(async () => {
  await client.end();
  await postgres.drop();
});

async function as(person: string, statement: string): Promise<number> {
  await client.query(`begin; set local role authenticated; set local test.uid = '${person}'`);
  try {
    const { rowCount } = await client.query(statement);
    await client.query('commit');
    return rowCount ?? 0;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

const put = (bucket: string, owner: string, name = 'a') =>
  `insert into storage.objects (bucket_id, name, owner_id) values ('${bucket}', '${name}', '${owner}')`;

describe('the policies of a hosted project, applied twice in a row', () => {
  it('make two buckets that are public to read, and leave no rule of an earlier version', async () => {
    const { rows: buckets } = await client.query(
      'select id, public, file_size_limit::int as max from storage.buckets order by id',
    );
    expect(buckets).toEqual([
      { id: 'job-photos', public: true, max: 5_242_880 },
      { id: 'tradie-logos', public: true, max: 5_242_880 },
    ]);
    const { rows: policies } = await client.query<{ cmd: string }>(
      "select cmd from pg_policies where schemaname = 'storage' order by cmd",
    );
    expect(policies.map(({ cmd }) => cmd)).toEqual(['DELETE', 'INSERT', 'SELECT', 'UPDATE']);
  });

  it('let people add, see, replace and remove what is theirs, and nothing of any other person', async () => {
    expect(await as(one, put('job-photos', one))).toBe(1);
    await expect(as(other, put('job-photos', one, 'b'))).rejects.toThrow('row-level security');
    for (const [person, rows] of [
      [other, 0],
      [one, 1],
    ] as const) {
      expect(await as(person, 'select 1 from storage.objects')).toBe(rows);
      expect(await as(person, "update storage.objects set name = 'c'")).toBe(rows);
    }
    await expect(as(one, `update storage.objects set owner_id = '${other}'`)).rejects.toThrow('row-level security');
    expect(await as(other, 'delete from storage.objects')).toBe(0);
    expect(await as(one, 'delete from storage.objects')).toBe(1);
  });

  it('reach no other bucket', async () => {
    await client.query("insert into storage.buckets (id, name) values ('theirs', 'theirs')");
    await expect(as(one, put('theirs', one))).rejects.toThrow('row-level security');
  });
});
