import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '../../db/database.ts';
import { openPglite } from '../../db/open-pglite.ts';
import { openPostgres } from '../../db/open-postgres.ts';
import { openTestDb } from '../../testing/test-db.ts';
import { embedded } from '../embedded-tables.ts';
import { createPasswords } from './passwords.ts';
import { findSignUp } from './sign-ups.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Accounts as the version before kept them, brought up to this one. */
async function expectBroughtUp(db: Database): Promise<void> {
  await db.orm.migrator.up({ to: '0009-rate-limit' });
  const hash = await createPasswords({ cost: { logN: 4, r: 8, p: 1 } }).hash('their-password', 'test');
  const [member, waiting, bricked] = [randomUUID(), randomUUID(), randomUUID()];
  for (const [id, email, confirmed, metadata] of [
    [member, 'member@example.nz', new Date(), '{"a":1}'],
    [waiting, 'waiting@example.nz', null, '{}'],
    [bricked, 'bricked@example.nz', new Date(), JSON.stringify({ big: 'x'.repeat(4000) })],
  ] as const) {
    await sql`insert into embedded.users values (${id}, ${email}, ${hash}, ${metadata}::jsonb, ${randomUUID()}, ${confirmed}, null, null, null, now(), now())`.execute(
      db.sql,
    );
  }
  await sql`insert into embedded.sessions values (${randomUUID()}, ${member}, 's', 3, 'password', '2026-11-01', '2026-11-20', '2026-11-01')`.execute(
    db.sql,
  );
  const token = (of: string, type: string, user: string) =>
    sql`insert into embedded.one_time_tokens values (${digest(of)}, 'x', ${user}, ${type}, 2, now() + interval '20 hours', null, null)`.execute(
      db.sql,
    );
  await token('sign-up link', 'signup', waiting);
  await token('recovery link', 'recovery', member);

  await db.orm.migrator.up({ to: '0012-nzbn-claims' });
  const signUp = (of: string, email: string, password: string) =>
    sql`insert into embedded.sign_ups values (${digest(of)}, 'x', ${email}, ${password}, '{"by": 1}', now(), now() + interval '20 hours', null, null)`.execute(
      db.sql,
    );
  await signUp('one', 'contested@example.nz', 'of a stranger');
  await signUp('other', 'contested@example.nz', 'of the owner');
  await signUp('twice', 'alone@example.nz', 'the same');
  await signUp('again', 'alone@example.nz', 'the same');

  await db.migrate();
  const tables = embedded(db.sql);
  const left = await tables
    .selectFrom('sign_ups')
    .select(['password_hash', 'user_metadata'])
    .where('email', '<>', 'waiting@example.nz')
    .orderBy('email')
    .execute();
  const [contested, alone] = [
    { password_hash: null, user_metadata: {} },
    { password_hash: 'the same', user_metadata: { by: 1 } },
  ];
  expect(left).toEqual([alone, alone, contested, contested]);
  expect(await tables.selectFrom('users').select(['email', 'user_metadata']).orderBy('email').execute()).toEqual([
    { email: 'bricked@example.nz', user_metadata: {} },
    { email: 'member@example.nz', user_metadata: { a: 1 } },
  ]);
  expect(await findSignUp(tables, 'sign-up link', new Date())).toMatchObject({
    email: 'waiting@example.nz',
    password_hash: hash,
  });
  expect(await tables.selectFrom('one_time_tokens').select(['token_hash', 'type']).execute()).toEqual([
    { token_hash: digest('recovery link'), type: 'recovery' },
  ]);
  expect(await tables.selectFrom('sessions').select(['device', 'last_used_at']).execute()).toEqual([
    { device: '', last_used_at: new Date('2026-11-20T00:00:00Z') },
  ]);
}

it('on pglite: accounts, sessions and mailed links still work after the update; what an attacker wrote into a token is gone', async () => {
  const db = await openPglite({});
  await expectBroughtUp(db);
  await db.close();
}, 300_000);

it('on postgres: the same', async () => {
  const template = await openTestDb('postgres');
  const name = `earlier_${randomUUID().replaceAll('-', '')}`;
  await sql`create database ${sql.id(name)}`.execute(template.sql);
  const url = new URL(template.url ?? '');
  url.pathname = `/${name}`;
  const db = await openPostgres({ url: url.href });
  await expectBroughtUp(db);
  await db.close();
  await sql`drop database ${sql.id(name)} with (force)`.execute(template.sql);
  await template.close();
}, 300_000);
