import * as z from 'zod/mini';

/** The one error body, of every route and of the exchange. An array of messages where several fields are wrong. */
export const problemSchema = z.object({
  error: z.union([z.string(), z.array(z.string())]),
  code: z.string(),
  details: z.optional(z.record(z.string(), z.unknown())),
});

/**
 * 401: the mutations are of another person than the token. Nothing was decided, and nothing of either person is in the
 * answer (S9).
 */
export const otherPerson = 'other-person';

export type Problem = z.output<typeof problemSchema>;
