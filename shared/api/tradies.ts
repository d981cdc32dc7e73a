import * as z from 'zod/mini';
import { profileFields } from '../mutations/profile.ts';
import { id } from '../tables/fields.ts';
import { defineCall } from './define-call.ts';
import { job } from './jobs.ts';
import { category } from './reference.ts';
import { accountEmail } from './users.ts';

const listItem = z.object({
  id,
  businessName: z.string(),
  logo: z.string(),
  categories: z.array(category),
  locationId: z.nullable(z.string()),
  isVerified: z.boolean(),
});

const profile = z.object({
  id,
  userId: id,
  businessName: z.string(),
  nzbn: z.string(),
  isVerified: z.boolean(),
  /** The register's name of the holder of the number, where it has been asked. */
  registeredName: z.optional(z.string()),
  logo: z.string(),
  description: z.string(),
  categories: z.array(category),
  contactPersonFirstName: z.string(),
  contactPersonLastName: z.string(),
  businessAddress: z.string(),
  /** Only for those who are signed in. */
  email: z.optional(accountEmail),
  contactPhone: z.optional(z.nullable(z.string())),
  locationId: z.nullable(z.string()),
});

const params = z.object({ id });

export const tradieCalls = {
  'tradies.list': defineCall('GET', '/api/tradies', {
    access: 'public',
    answer: z.array(listItem),
    isPublic: true,
  }),
  'tradies.mine': defineCall('GET', '/api/tradies/me', {
    access: 'member',
    answer: profile,
  }),
  'tradies.interests': defineCall('GET', '/api/tradies/me/interests', {
    access: 'member',
    answer: z.array(z.object({ id, createdAt: z.iso.datetime(), jobId: id, note: z.string(), job })),
  }),
  'tradies.read': defineCall('GET', '/api/tradies/:id', {
    access: 'optional',
    params,
    answer: profile,
  }),
  'tradies.edit': defineCall('PATCH', '/api/tradies/:id', {
    access: 'member',
    params,
    body: z.extend(profileFields, { email: z.optional(accountEmail) }),
    answer: profile,
  }),
};
