/**
 * For `catch`: node-postgres reports a connection it lost, or could not get in time, as a bare Error without any code.
 * Faults are classified by code here, so such an error gets SQLSTATE 08006 (connection failure). Errors of the server
 * have their own.
 */
export function rethrowNamed(error: unknown): never {
  if (error instanceof Error && error.constructor === Error && !('code' in error))
    Object.assign(error, { code: '08006' });
  throw error;
}
