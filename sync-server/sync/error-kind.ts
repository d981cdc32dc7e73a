import { isTransient } from '../db/is-transient.ts';

/**
 * `transient`: the same work may succeed a little later. `data`: PostgreSQL cannot hold a value that was sent (SQLSTATE
 * class 22), now or ever. `unknown`: anything else, so perhaps our own mistake.
 */
export type ErrorKind = 'transient' | 'data' | 'unknown';

/** The error's SQLSTATE, also behind wrappers. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = (error as Error & { code?: unknown }).code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : sqlState(error.cause);
}

/** Decided by type and SQLSTATE, never by message text (S2). */
export function errorKindOf(error: unknown): ErrorKind {
  if (isTransient(error)) return 'transient';
  return sqlState(error)?.startsWith('22') === true ? 'data' : 'unknown';
}

/** What an operator may read of an error: kind and place. Messages of the database quote people's data. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const places = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 5)
    .map((line) => line.trim());
  const cause = error.cause === undefined ? [] : [`caused by ${describeError(error.cause)}`];
  return [`${error.name} ${sqlState(error) ?? ''}`.trim(), ...places, ...cause].join(' | ');
}
