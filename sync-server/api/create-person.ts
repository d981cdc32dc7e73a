import type { User } from '../../shared/tables/index.ts';
import { lockOf } from '../db/advisory-locks.ts';
import type { Database } from '../db/database.ts';
import { asSystem } from '../sync/as-system.ts';

/** Makes the profile record, once: of two at the same time the second finds what the first made. */
export function createPerson(database: Database, person: User): Promise<User> {
  return asSystem(database, async (tx) => {
    await lockOf.person(person.id).execute(tx.sql);
    const there = await tx.hold('users', person.id);
    if (there !== undefined) return there;
    await tx.insert('users', person);
    return person;
  });
}
