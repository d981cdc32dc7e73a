import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Agent } from 'node:http';
import { migrations } from '../../sync-server/db/migrations/index.ts';
import { sharedPostgres } from '../../sync-server/testing/test-postgres.ts';
import { askOver } from './ask.ts';
import { openInstance, type Instance } from './instance.ts';

const name = `empty_${randomBytes(6).toString('hex')}`;
let url: string;
let instances: Instance[];

async function query<Row extends object>(at: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: at });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  const empty = new URL(sharedPostgres() ?? '');
  empty.pathname = '/postgres';
  await query(empty.href, `create database ${name}`);
  empty.pathname = `/${name}`;
  url = empty.href;
  instances = await Promise.all(
    [1, 2, 3].map(() => openInstance({ DATABASE_URL: url, DEMO: '1', PUBLIC_URL: 'https://dwang.example.nz' })),
  );
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
  const beside = new URL(url);
  beside.pathname = '/postgres';
  await query(beside.href, `drop database ${name} with (force)`);
});

it('three servers that start together on an empty database create it once, and honour each other’s sessions', async () => {
  await Promise.all(instances.map((instance) => instance.start()));
  const applied = await query<{ name: string }>(url, 'select name from mikro_orm_migrations order by id');
  expect(applied.map((row) => row.name)).toEqual(migrations.map((migration) => migration.name));
  expect(await query(url, 'select count(*)::int as keys from embedded.signing_keys')).toEqual([{ keys: 1 }]);
  expect(await query(url, 'select count(*)::int as jobs from jobs')).toEqual([{ jobs: 60 }]);

  for (const { origin } of instances) {
    const { anonKey } = (await (await fetch(`${origin}/api/config`)).json()) as { anonKey: string };
    const signedIn = await fetch(`${origin}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: anonKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'homeowner@demo.nz', password: 'demo-password' }),
    });
    const { access_token: token } = (await signedIn.json()) as { access_token: string };
    for (const other of instances) {
      const answer = await askOver(other.origin, token, new Agent())({});
      expect(answer.kind === 'delta' && answer.puts.users?.[0]?.email).toBe('homeowner@demo.nz');
    }
  }
});
