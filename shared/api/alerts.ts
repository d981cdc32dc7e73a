import * as z from 'zod/mini';
import { defineCall } from './define-call.ts';

const endpoint = z.url('Send the endpoint of a push subscription.').check(z.maxLength(2_000));
const key = (bytes: number) =>
  z
    .string('Send the keys of a push subscription.')
    .check(
      z.regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`), 'Send the keys of a push subscription.'),
    );

export const alertCalls = {
  'alerts.subscribe': defineCall('POST', '/api/alerts/subscriptions', {
    access: 'member',
    body: z.object({ endpoint, keys: z.object({ p256dh: key(65), auth: key(16) }) }),
    answer: z.object({}),
    status: 201,
  }),
  'alerts.unsubscribe': defineCall('POST', '/api/alerts/unsubscribe', {
    access: 'member',
    body: z.object({ endpoint }),
    answer: z.object({}),
  }),
};
