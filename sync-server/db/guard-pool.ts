import type { PostgresPool } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isDiskFull, isOutdatedPlan, isReadOnly } from './is-transient.ts';
import { rethrowNamed } from './name-lost-connections.ts';
import { createStatementNames } from './name-statements.ts';

/** Milliseconds this process waits for an answer. */
export interface AnswerLimits {
  /** To any statement; above the server's own `statement_timeout`, which leaves the connection usable. */
  statement: number;
  /** To a statement that has nothing to do: BEGIN, ROLLBACK, and the question whether the connection is there. */
  trivial: number;
  /** A connection that was idle for longer is checked before it is handed out. */
  unused: number;
}

export interface GuardedPool {
  pool: PostgresPool;
  /** Milliseconds since the server last said that its disk is full; undefined where it never did. */
  diskFullAgeMs(): number | undefined;
}

const isTrivial = (statement: unknown) =>
  typeof statement === 'string' && /^\s*(begin|start transaction|rollback)\b/i.test(statement);

const hasParameters = (args: unknown[]): args is [string, unknown[]] =>
  typeof args[0] === 'string' && Array.isArray(args[1]) && args[1].length > 0;

/** "Try the transaction again": what an outdated plan asks for, too. */
const serializationFailure = '40001';

/**
 * Calls `isSilent` after `ms` without an answer. A process that was stalled finds its timers due before it reads what was received
 * meanwhile: that is read first, and where the stall was long the timer starts again.
 */
function afterSilence(ms: number, isSilent: () => void): () => void {
  let isCancelled = false;
  let timer: NodeJS.Timeout;
  const arm = () => {
    const armed = performance.now();
    timer = setTimeout(() => {
      const wasStalled = performance.now() - armed > ms * 1.5;
      setImmediate(() => {
        if (isCancelled) return;
        if (wasStalled) arm();
        else isSilent();
      });
    }, ms);
  };
  arm();
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}

/**
 * Gives every statement a time limit on this side of the network: where a firewall forgets a connection, the server's own limits never
 * arrive. A connection that did not answer is destroyed, and with it are those that have been silent since before the question: a
 * firewall that forgot one forgot them all. One that turned out to be read-only (the server it leads to was set aside, or the setting
 * came with the connection) is not used again either, nor is one whose prepared statements a migration has outdated.
 *
 * Statements that come again and again are prepared (name-statements.ts).
 */
export function guardPool(pool: Pool, limits: AnswerLimits): GuardedPool {
  const guarded = new WeakMap<PoolClient, Guard>();
  /** Connections whose last answer is older are not to be trusted. */
  let silentSince = -Infinity;
  let diskFullAt: number | undefined;
  const nameOf = createStatementNames();

  interface Guard {
    heardAt: number;
    isUnfit: boolean;
  }

  function guard(client: PoolClient): Guard {
    const state: Guard = { heardAt: performance.now(), isUnfit: false };
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const limited = (...args: unknown[]): unknown => {
      const asked = performance.now();
      const name = hasParameters(args) ? nameOf(args[0]) : undefined;
      const running = name === undefined ? query(...args) : query({ name, text: args[0], values: args[1] });
      if (!(running instanceof Promise)) return running;
      const cancel = afterSilence(isTrivial(args[0]) ? limits.trivial : limits.statement, () => {
        silentSince = Math.max(silentSince, asked);
        // With a question under way this destroys the socket, and the question fails.
        client.end().catch(() => undefined);
      });
      return running
        .then(
          (answer: unknown) => {
            state.heardAt = performance.now();
            return answer;
          },
          (error: unknown) => {
            if (isReadOnly(error)) state.isUnfit = true;
            if (isDiskFull(error)) diskFullAt = performance.now();
            if (name !== undefined && isOutdatedPlan(error)) {
              state.isUnfit = true;
              throw Object.assign(new Error('a prepared statement no longer fits its table', { cause: error }), {
                code: serializationFailure,
              });
            }
            return rethrowNamed(error);
          },
        )
        .finally(cancel);
    };
    Object.assign(client, { query: limited });
    return state;
  }

  /** Is it worth handing out? */
  async function isThere(client: PoolClient, state: Guard): Promise<boolean> {
    if (state.heardAt <= silentSince) return false;
    if (performance.now() - state.heardAt < limits.unused) return true;
    return client.query('begin; rollback').then(
      () => true,
      () => false,
    );
  }

  async function connect(): Promise<PoolClient> {
    for (;;) {
      const client = await pool.connect().catch(rethrowNamed);
      const known = guarded.get(client);
      const state = known ?? guard(client);
      guarded.set(client, state);
      const release = client.release.bind(client);
      client.release = (error) => release(error ?? state.isUnfit);
      if (known === undefined || (await isThere(client, state))) return client;
      release(true);
    }
  }

  return {
    pool: {
      options: pool.options,
      connect: async () => (await connect()) as unknown as Awaited<ReturnType<PostgresPool['connect']>>,
      end: () => pool.end(),
    },
    diskFullAgeMs: () => (diskFullAt === undefined ? undefined : performance.now() - diskFullAt),
  };
}
