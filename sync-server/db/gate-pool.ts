import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pLimit from 'p-limit';

/** The same pool, of which at most so many connections are checked out at once; who asks for more waits here. */
export function gatePool(pool: PostgresPool, maxAtOnce: number): PostgresPool {
  const limit = pLimit(maxAtOnce);
  return {
    options: pool.options,
    connect: () => {
      const connected = Promise.withResolvers<PostgresPoolClient>();
      limit(async () => {
        const released = Promise.withResolvers<void>();
        const client = await pool.connect();
        const release = client.release.bind(client);
        client.release = () => {
          release();
          released.resolve();
        };
        connected.resolve(client);
        await released.promise;
      }).catch(connected.reject);
      return connected.promise;
    },
    // It ends with the pool itself.
    end: async () => undefined,
  };
}
