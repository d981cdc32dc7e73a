import type { User } from '../../shared/tables/index.ts';
import { lockOf } from '../db/advisory-locks.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../ports/deps.ts';
import { notFound } from '../http/http-problem.ts';
import { asSystem } from '../sync/as-system.ts';
import type { Handlers } from './call-router.ts';
import { mustBeOwnEmail } from './own-email.ts';

export function asCurrentUser({ createdAt: _, ...user }: User) {
  return { ...user, isTradie: user.tradieId !== null };
}

export function userHandlers({ clock, database }: Deps): Pick<Handlers, 'users.me' | 'users.create'> {
  return {
    'users.me': async ({ person }) => {
      if (person === undefined) throw notFound('There is no profile for this account yet.', 'profile-missing');
      return asCurrentUser(person);
    },
    'users.create': async ({ claims, person, body }) => {
      mustBeOwnEmail(body.email, claims.email, 'The email must be the one you signed up with.');
      // Two tabs, or a lost answer, may send the details step twice: the profile is there, which is what was asked for.
      if (person !== undefined) return asCurrentUser(person);
      const made = await createPerson(database, {
        id: claims.userId,
        email: claims.email,
        firstName: body.firstName,
        lastName: body.lastName,
        tradieId: null,
        subscriptionStatus: null,
        subscriptionValidUntil: null,
        createdAt: clock().toISOString(),
      });
      return asCurrentUser(made);
    },
  };
}

/** Makes the profile record, once: of two at the same time the second finds what the first made. */
function createPerson(database: Database, person: User): Promise<User> {
  return asSystem(database, async (tx) => {
    await lockOf.person(person.id).execute(tx.sql);
    const there = await tx.hold('users', person.id);
    if (there !== undefined) return there;
    await tx.insert('users', person);
    return person;
  });
}
