import { createHash } from 'node:crypto';

/**
 * Objects with their keys in one order, so that the same intent gives the same text on every engine and after every
 * copy.
 */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, part]) => [key, inOrder(part)]),
  );
}

/** Identifies a mutation's intent, so that a uid used for another one is detected (S1). */
export function argsHash(name: string, args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([name, inOrder(args)]))
    .digest('base64url');
}
