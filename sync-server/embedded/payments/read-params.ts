import { parse } from 'qs';
import * as z from 'zod';
import { invalid } from './stripe-problem.ts';

export const metadata = z.record(z.string().max(40), z.string().max(500));
export const yesNo = z.enum(['true', 'false']).transform((text) => text === 'true');

/** What every list takes. */
export const page = {
  limit: z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 100)
    .optional(),
  starting_after: z.string().optional(),
};

/**
 * The parameters of a call, as its schema has them. Names have brackets: `items[0][price]=x` is `{ items: [{ price: 'x'
 * }] }`.
 *
 * @throws StripeProblem 400 `parameter_missing`, `parameter_unknown`, or without a code where one is wrong; the first
 * one only.
 */
export function readParams<Params>(schema: z.ZodType<Params>, encoded: string): Params {
  const { expand: _, ...given } = parse(encoded, { plainObjects: true });
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const name = nameOf(issue?.path ?? []);
  if (issue?.code === 'unrecognized_keys') {
    const unknown = nameOf([...issue.path, issue.keys[0] ?? '']);
    throw invalid(`Received unknown parameter: ${unknown}`, 'parameter_unknown', unknown);
  }
  if (issue?.code === 'invalid_type' && issue.input === undefined)
    throw invalid(`Missing required param: ${name}.`, 'parameter_missing', name);
  throw invalid(`Invalid ${name}: ${issue?.message ?? ''}`, undefined, name);
}

function nameOf([first = '', ...rest]: readonly PropertyKey[]): string {
  return String(first) + rest.map((part) => `[${String(part)}]`).join('');
}

interface Page<T> {
  object: 'list';
  url: string;
  has_more: boolean;
  data: T[];
}

/** One page of a list that is newest first. */
export function pageOf<T extends { id: string }>(
  all: readonly T[],
  url: string,
  { limit = 10, starting_after: after }: { limit?: number | undefined; starting_after?: string | undefined },
): Page<T> {
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0)
    throw invalid(`No such object: '${after}'`, 'resource_missing', 'starting_after');
  return { object: 'list', url, has_more: all.length > from + limit, data: all.slice(from, from + limit) };
}
