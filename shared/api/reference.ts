import * as z from 'zod/mini';
import { defineCall } from './define-call.ts';

export const location = z.object({ id: z.string(), region: z.string(), town: z.string() });
export const category = z.object({ id: z.string(), name: z.string() });

export const referenceCalls = {
  'config.read': defineCall('GET', '/api/config', {
    access: 'public',
    answer: z.object({
      supabaseUrl: z.url(),
      supabaseAnonKey: z.string().check(z.minLength(1)),
      /** Sign-in and files are on this server: at the address by which the app is opened. */
      isEmbedded: z.optional(z.boolean()),
      /** The server's key at the push services (RFC 8292), base64url; absent where phones cannot be told. */
      pushKey: z.optional(z.string()),
    }),
  }),
  'locations.list': defineCall('GET', '/api/locations', {
    access: 'public',
    answer: z.array(location),
    isPublic: true,
  }),
  'categories.list': defineCall('GET', '/api/categories', {
    access: 'public',
    answer: z.array(category),
    isPublic: true,
  }),
};
