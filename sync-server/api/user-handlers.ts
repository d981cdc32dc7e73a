import type { User } from '../../shared/tables/index.ts';
import type { Deps } from '../ports/deps.ts';
import { notFound } from '../http/http-problem.ts';
import type { Handlers } from './call-router.ts';
import { createPerson } from './create-person.ts';
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
      // The details step sent twice, from two tabs or after a lost answer: the profile is there, which is what was asked for.
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
