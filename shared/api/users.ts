import * as z from 'zod/mini';
import { id, text } from '../tables/fields.ts';
import { defineCall } from './define-call.ts';

const currentUser = z.object({
  id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  isTradie: z.boolean(),
  tradieId: z.nullable(id),
  subscriptionStatus: z.nullable(z.string()),
  subscriptionValidUntil: z.nullable(z.iso.datetime()),
});

/** The account's own address, as typed. */
export const accountEmail = z.pipe(
  z.string('Enter an email address.').check(z.trim(), z.maxLength(320)),
  z.email('Enter an email address.'),
);

export const userCalls = {
  'users.me': defineCall('GET', '/api/users/me', {
    access: 'signed-in',
    answer: currentUser,
  }),
  'users.create': defineCall('POST', '/api/users', {
    access: 'signed-in',
    body: z.object({
      email: accountEmail,
      firstName: text('First name', 80),
      lastName: text('Last name', 80),
    }),
    answer: currentUser,
    status: 201,
  }),
};
