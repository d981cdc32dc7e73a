import { setImmediate as breathe } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { demoHomeowners, demoPassword, demoTradies } from './demo/demo-people.ts';
import { demoRows } from './demo/demo-rows.ts';
import { insertMany, insertPeople } from './insert-rows.ts';

export interface DemoSeeding {
  database: Database;
  clock: () => Date;
  /** What the public address of every job photo begins with, slash at the end; logos lie in the bucket beside it. */
  photoBase: string;
  /** Of the embedded auth: an account that can sign in at once. */
  createConfirmedUser: (user: { email: string; password: string; id: string }) => Promise<{ id: string }>;
  /** Of the embedded storage: puts a file in place of what was there. */
  put: (file: { bucket: 'job-photos' | 'tradie-logos'; key: string; bytes: Uint8Array; ownerId: string }) => Promise<void>;
}

/**
 * On the first run: the demo accounts of running.md, 60 jobs, interests and pictures. The rows come last and together, so a
 * start that was cut off is made good by the next; a house that has them is left as it is.
 */
export async function seedDemo({ database, clock, photoBase, createConfirmedUser, put }: DemoSeeding): Promise<{ seeded: boolean }> {
  const { users, tradies, jobs, interests, files } = demoRows({ now: clock(), photoBase, logoBase: photoBase.replace(/job-photos\/$/, 'tradie-logos/') });
  const there = await sql`select 1 from users where id = any(${users.map(({ id }) => id)}::uuid[]) limit 1`.execute(database.sql);
  if (there.rows.length > 0) return { seeded: false };
  const withAccounts = new Set<string>([...Object.values(demoHomeowners), ...Object.values(demoTradies)].map(({ email }) => email));
  for (const { id, email } of users.filter((user) => withAccounts.has(user.email))) {
    const account = await createConfirmedUser({ id, email, password: demoPassword });
    // Somebody signed up under a demo address before: the demo has no business with their account.
    if (account.id !== id) return { seeded: false };
  }
  for (const { bucket, path, ownerId, draw } of files) {
    await put({ bucket, key: path, ownerId, bytes: draw() });
    // Drawing holds the event loop for some 20 ms a picture.
    await breathe();
  }
  await database.transaction(async (tx) => {
    await insertPeople(tx, { users, tradies });
    await insertMany(tx, 'jobs', jobs);
    await insertMany(tx, 'interests', interests);
  });
  return { seeded: true };
}
