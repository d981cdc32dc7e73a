/**
 * PostgreSQL's SQLSTATEs for "not now": serialisation, deadlock, lock not available, cancelled, connection, resources
 * (a full disk is one), the machine it runs on, shutdown, and a server that is read-only for now.
 */
const transientStates = /^(40001|40P01|55P03|57014|25P03|25006|08...|53...|57P0.|58000|58030)$/;

/** Node's codes for a host that cannot be reached or went away. */
const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Looks through `cause` and through the parts of an AggregateError (one for each address of a host). */
function hasCode(error: unknown, isMeant: (code: string) => boolean): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as Error & { code?: unknown }).code;
  if (typeof code === 'string' && isMeant(code)) return true;
  if (error instanceof AggregateError && error.errors.some((part) => hasCode(part, isMeant))) return true;
  return error.cause !== undefined && hasCode(error.cause, isMeant);
}

/** May the same work succeed a little later? Decided by SQLSTATE or system code, never by message text (SPEC S2). */
export const isTransient = (error: unknown): boolean =>
  hasCode(error, (code) => transientStates.test(code) || transientCodes.has(code));

/** A write met a server, or a session, that only reads: a standby, or an operator's `default_transaction_read_only`. */
export const isReadOnly = (error: unknown): boolean => hasCode(error, (code) => code === '25006');

export const isDiskFull = (error: unknown): boolean => hasCode(error, (code) => code === '53100');

/**
 * A prepared statement fails so when its table has other columns than when it was prepared ("cached plan must not
 * change result type").
 */
export const isOutdatedPlan = (error: unknown): boolean => hasCode(error, (code) => code === '0A000');
