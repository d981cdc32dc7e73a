import { readFile } from 'node:fs/promises';
import { sql as rawSql } from 'kysely';
import type { Database, Sql } from '../database.ts';
import { demoHomeowners, demoPassword, demoTradies } from './demo/demo-people.ts';
import { demoRows } from './demo/demo-rows.ts';
import { picturePath } from './demo/picture-path.ts';
import { insertMany, insertPeople } from './insert-rows.ts';
import { advisoryLocks } from '../advisory-locks.ts';

export interface DemoSeeding {
  database: Database;
  clock: () => Date;
  /** Makes an account of the embedded auth that can sign in at once. */
  createConfirmedUser: (user: { email: string; password: string; id: string }) => Promise<{ id: string }>;
  /** Puts a file into the embedded storage, in place of what was there. */
  put: (file: {
    bucket: 'job-photos' | 'tradie-logos';
    key: string;
    bytes: Uint8Array;
    ownerId: string;
  }) => Promise<void>;
}

/**
 * On the first run: the demo accounts, 60 jobs, interests and pictures. The rows come last and together, so the next
 * start completes one that was cut off; a database that has them is left as it is.
 */
export async function seedDemo({
  database,
  clock,
  createConfirmedUser,
  put,
}: DemoSeeding): Promise<{ seeded: boolean }> {
  const { users, tradies, jobs, interests, files } = demoRows(clock());
  const isThere = async (tx: Sql) =>
    (await tx
      .selectFrom('users')
      .select('id')
      .where((eb) => eb('id', '=', eb.fn.any(eb.val(users.map(({ id }) => id)))))
      .limit(1)
      .executeTakeFirst()) !== undefined;
  if (await isThere(database.sql)) return { seeded: false };
  const withAccounts = new Set<string>(
    [...Object.values(demoHomeowners), ...Object.values(demoTradies)].map(({ email }) => email),
  );
  for (const { id, email } of users.filter((user) => withAccounts.has(user.email))) {
    const account = await createConfirmedUser({ id, email, password: demoPassword });
    // A person signed up under a demo address before: the demo leaves their account alone.
    if (account.id !== id) return { seeded: false };
  }
  for (const { bucket, path, ownerId, picture } of files)
    await put({ bucket, key: path, ownerId, bytes: await readFile(picturePath(picture)) });
  return database.transaction(async (tx) => {
    // Of several servers that start together on an empty database, one writes the rows.
    await rawSql`select pg_advisory_xact_lock(${advisoryLocks.seed}::bigint)`.execute(tx);
    if (await isThere(tx)) return { seeded: false };
    await insertPeople(tx, { users, tradies });
    await insertMany(tx, 'jobs', jobs);
    await insertMany(tx, 'interests', interests);
    return { seeded: true };
  });
}
