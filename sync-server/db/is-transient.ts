/** PostgreSQL's SQLSTATEs for "not now": serialisation, deadlock, lock not to be had, cancelled, connection, resources, shutdown. */
const transientStates = /^(40001|40P01|55P03|57014|25P03|08...|53...|57P0.)$/;

/** Node's codes for a host that cannot be reached or went away. */
const transientCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Would the same work perhaps succeed a little later? Told by SQLSTATE or system code, never by message text (SPEC S2).
 * Looks through `cause` and through the parts of an AggregateError (one for each address of a host).
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as Error & { code?: unknown }).code;
  if (typeof code === 'string' && (transientStates.test(code) || transientCodes.has(code))) return true;
  if (error instanceof AggregateError && error.errors.some(isTransient)) return true;
  return error.cause !== undefined && isTransient(error.cause);
}
