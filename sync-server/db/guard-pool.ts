import type { Duplex } from 'node:stream';
import type { PostgresPool } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isDiskFull, isOutdatedPlan, isReadOnly } from './is-transient.ts';
import { rethrowNamed } from './name-lost-connections.ts';
import { createStatementNames } from './name-statements.ts';

/** Milliseconds this process waits for an answer. */
export interface AnswerLimits {
  /** The time for any statement; above the server's own `statement_timeout`, which leaves the connection usable. */
  statement: number;
  /** To a statement that has nothing to do: BEGIN, ROLLBACK, and the question whether the connection is there. */
  trivial: number;
  /** A connection that was idle for longer is checked before it is handed out. */
  unused: number;
}

/** What a connection must pass before it is used. */
export interface Admission {
  /** Whatever was admitted under another number is asked again. */
  generation(): number;
  /** @throws Error where the connection leads to what must not be used. */
  admit(client: Pick<PoolClient, 'query'>): Promise<void>;
}

const unconditional: Admission = { generation: () => 0, admit: async () => undefined };

export interface GuardedPool {
  pool: PostgresPool;
  /** Milliseconds since the server last said that its disk is full; undefined where it never did. */
  diskFullAgeMs(): number | undefined;
}

const isTrivial = (statement: unknown) =>
  typeof statement === 'string' && /^\s*(begin|start transaction|rollback)\b/i.test(statement);

/** One statement that PostgreSQL plans; BEGIN and the like it only reads. */
const isPlanned = (args: unknown[]): args is [string, unknown[]] =>
  typeof args[0] === 'string' && Array.isArray(args[1]) && /^\s*(select|insert|update|delete|with)\b/i.test(args[0]);

/** "Try the transaction again": what an outdated plan asks for, too. */
const serializationFailure = '40001';

/** Its socket, which node-postgres does not name in its types. */
const streamOf = (client: PoolClient) => (client as { connection?: { stream: Duplex } }).connection?.stream;

/** What is asked in one go is written in one go: each write to a socket costs as much as making a small statement. */
function sendTogether(client: PoolClient): void {
  const stream = streamOf(client);
  if (stream === undefined || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Calls `isSilent` after `ms` without an answer. A process that was stalled finds its timers due before it reads what
 * was received meanwhile: that is read first, and where the stall was long the timer starts again.
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
 * Gives every statement a time limit on this side of the network: where a firewall forgets a connection, the server's
 * own limits never arrive. A connection that did not answer is destroyed, and with it are those that have been silent
 * since before the question: a firewall that forgot one forgot them all. One that turned out to be read-only (the
 * server it leads to was set aside, or the setting came with the connection) is not used again either, nor is one whose
 * prepared statements a migration has outdated. One that `admission` refuses is destroyed, and what was asked of it
 * fails with that error.
 *
 * Statements that come again and again are prepared (name-statements.ts).
 */
export function guardPool(pool: Pool, limits: AnswerLimits, admission = unconditional): GuardedPool {
  const guarded = new WeakMap<PoolClient, Guard>();
  /** Connections whose last answer is older are not to be trusted. */
  let silentSince = -Infinity;
  let diskFullAt: number | undefined;
  let ending: Promise<void> | undefined;
  const nameOf = createStatementNames();

  interface Guard {
    heardAt: number;
    isUnfit: boolean;
    /** The generation it was admitted in; undefined before. */
    admitted: number | undefined;
  }

  function guard(client: PoolClient): Guard {
    const state: Guard = { heardAt: performance.now(), isUnfit: false, admitted: undefined };
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const limited = (...args: unknown[]): unknown => {
      const asked = performance.now();
      const name = isPlanned(args) ? nameOf(args[0]) : undefined;
      sendTogether(client);
      const running = name === undefined ? query(...args) : query({ name, text: args[0], values: args[1] });
      if (!(running instanceof Promise)) return running;
      const cancel = afterSilence(isTrivial(args[0]) ? limits.trivial : limits.statement, () => {
        silentSince = Math.max(silentSince, asked);
        // The question fails, and those sent after it. `end` alone would wait for their answers.
        client.end().catch(() => undefined);
        streamOf(client)?.destroy();
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

  async function admit(client: PoolClient, state: Guard): Promise<void> {
    const generation = admission.generation();
    if (state.admitted === generation) return;
    await admission.admit(client);
    state.admitted = generation;
  }

  async function connect(): Promise<PoolClient> {
    for (;;) {
      const client = await pool.connect().catch(rethrowNamed);
      const known = guarded.get(client);
      const state = known ?? guard(client);
      guarded.set(client, state);
      const release = client.release.bind(client);
      client.release = (error) => release(error ?? state.isUnfit);
      if (known !== undefined && !(await isThere(client, state))) {
        release(true);
        continue;
      }
      try {
        await admit(client, state);
        // The query builder has forgotten its pool by now, and would lose this connection: the pool would wait for it
        // for ever.
        if (ending !== undefined) throw Object.assign(new Error('the database is being closed'), { code: '57P01' });
        return client;
      } catch (error) {
        release(true);
        throw error;
      }
    }
  }

  return {
    pool: {
      options: pool.options,
      connect: async () => (await connect()) as unknown as Awaited<ReturnType<PostgresPool['connect']>>,
      end: () => (ending ??= pool.end()),
    },
    diskFullAgeMs: () => (diskFullAt === undefined ? undefined : performance.now() - diskFullAt),
  };
}
