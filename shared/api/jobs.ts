import * as z from 'zod/mini';
import { moneySchema } from '../lib/money.ts';
import {
  categoryId,
  description,
  id,
  locationId,
  maxPhotos,
  note,
  photoUrl,
  title,
  urgency,
} from '../tables/fields.ts';
import { defineCall } from './define-call.ts';
import { location } from './reference.ts';

export const job = z.object({
  id,
  /** The owner's own copy alone has it. */
  userId: z.optional(id),
  title: z.string(),
  description: z.string(),
  locationId: z.nullable(z.string()),
  location: z.nullable(location),
  budgetMin: z.nullable(z.number()),
  budgetMax: z.nullable(z.number()),
  urgency,
  categoryId: z.string(),
  status: z.enum(['active', 'closed']),
  images: z.array(z.string()),
  interestCount: z.int(),
  address: z.nullable(z.string()),
  suburb: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
});

const interest = z.object({
  id,
  jobId: id,
  note: z.string(),
  createdAt: z.iso.datetime(),
  tradie: z.object({
    id,
    userId: id,
    businessName: z.string(),
    logo: z.string(),
    email: z.string(),
    contactPhone: z.nullable(z.string()),
  }),
});

const images = z.array(photoUrl).check(z.maxLength(maxPhotos, `A job can have ${maxPhotos} photos at most.`));
const params = z.object({ id });

export const jobCalls = {
  'jobs.list': defineCall('GET', '/api/jobs', {
    access: 'member',
    query: z.object({ type: z.optional(z.literal('my-jobs')) }),
    answer: z.array(job),
  }),
  'jobs.read': defineCall('GET', '/api/jobs/:id', {
    access: 'optional',
    params,
    answer: job,
  }),
  'jobs.interests': defineCall('GET', '/api/jobs/:id/interests', {
    access: 'member',
    params,
    answer: z.array(interest),
  }),
  'jobs.post': defineCall('POST', '/api/jobs', {
    access: 'member',
    body: z.object({
      id: z.optional(id),
      title,
      description,
      locationId,
      budgetMax: z.optional(z.nullable(moneySchema)),
      urgency,
      categoryId,
      images: z.optional(images),
    }),
    answer: job,
    status: 201,
  }),
  'jobs.edit': defineCall('PATCH', '/api/jobs/:id', {
    access: 'member',
    params,
    body: z.object({
      title: z.optional(title),
      description: z.optional(description),
      location_id: z.optional(locationId),
      budget_max: z.optional(z.nullable(moneySchema)),
      urgency: z.optional(urgency),
      category_id: z.optional(categoryId),
      images: z.optional(images),
    }),
    answer: job,
  }),
  'jobs.close': defineCall('PATCH', '/api/jobs/:id/close', {
    access: 'member',
    params,
    body: z.object({ reason: z.optional(z.string().check(z.maxLength(200))) }),
    answer: job,
  }),
  'jobs.express': defineCall('POST', '/api/jobs/:id/interest', {
    access: 'member',
    params,
    body: z.object({ id: z.optional(id), note: z.optional(z.nullable(note)) }),
    answer: z.object({ id, jobId: id, note: z.string(), createdAt: z.iso.datetime() }),
    status: 201,
  }),
};
