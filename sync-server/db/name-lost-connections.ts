import type { Pool, PoolClient } from 'pg';
import type { PostgresPool } from 'kysely';

/**
 * node-postgres reports a connection it lost, or could not get in time, as a bare Error without any code. Faults are told
 * apart by code here, so such an error gets SQLSTATE 08006 (connection failure). Errors of the server have their own.
 */
export function nameLostConnections(pool: Pool): PostgresPool {
  const seen = new WeakSet<PoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect().catch(rethrowNamed);
      if (!seen.has(client)) {
        seen.add(client);
        const query = client.query.bind(client) as (...args: unknown[]) => unknown;
        const named = (...args: unknown[]): unknown => {
          const running = query(...args);
          return running instanceof Promise ? running.catch(rethrowNamed) : running;
        };
        Object.assign(client, { query: named });
      }
      return client as unknown as Awaited<ReturnType<PostgresPool['connect']>>;
    },
    end: () => pool.end(),
  };
}

/** For `catch`: rethrows what it is given, named as above. */
export function rethrowNamed(error: unknown): never {
  if (error instanceof Error && error.constructor === Error && !('code' in error)) Object.assign(error, { code: '08006' });
  throw error;
}
