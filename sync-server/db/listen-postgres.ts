import { randomUUID } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import type { ListenState } from './database.ts';
import { rethrowNamed } from './name-lost-connections.ts';

type OnNotice = (payload: string) => void;

export interface PostgresListener {
  listen(channel: string, onNotice: OnNotice): Promise<() => Promise<void>>;
  hearing(): ListenState | undefined;
  /** Takes another connection in the place of the one that listens. */
  renew(): void;
  close(): Promise<void>;
}

/** Milliseconds between attempts to get a lost connection back. */
const retry = { first: 250, max: 10_000 };

/**
 * Milliseconds: `pulse` between two proofs that notices arrive, `answer` after which a connection that did not deliver
 * is dead.
 */
export interface ListenLimits {
  pulse: number;
  answer: number;
}

/** Notices do not arrive, or a question is not answered. */
class Deaf extends Error {
  override name = 'Deaf';
  /** SQLSTATE "connection failure". */
  readonly code = '08006';
}

/**
 * LISTEN over one connection of its own, opened with the first channel. Notices are lost while it is away, so after
 * every reconnection each listener is called with '' ("anything may have happened"). The connection proves itself: at
 * every pulse it sends a notice to itself, and one that does not arrive in time ends it. A query would prove too
 * little: behind a pooler that hands out connections by the transaction, queries are answered and notices never come.
 * `admit` may refuse a connection before it is used.
 */
export function listenPostgres(
  url: string,
  limits: ListenLimits,
  onError: (error: Error) => void,
  admit: (client: Pick<Client, 'query'>) => Promise<void> = async () => undefined,
): PostgresListener {
  const listeners = new Map<string, Set<OnNotice>>();
  let client: Client | undefined;
  let opening: Promise<Client> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let connection = 0;
  /**
   * When the last pulse began that was received: notices come in the order of their commits, so all before it were
   * received too.
   */
  let provedAt: number | undefined;

  async function open(): Promise<Client> {
    const fresh = new Client({
      connectionString: url,
      application_name: 'dwang listen',
      keepAlive: true,
      connectionTimeoutMillis: limits.answer,
      query_timeout: limits.answer,
    });
    const pulses = `dwang_pulse_${randomUUID()}`;
    let onPulse: () => void = () => undefined;
    fresh.on('notification', ({ channel, payload }) => (channel === pulses ? onPulse() : tell(channel, payload ?? '')));
    fresh.on('error', (error) => lost(fresh, error));
    fresh.on('end', () => lost(fresh));
    try {
      await fresh.connect();
      await admit(fresh);
      for (const channel of [pulses, ...listeners.keys()]) await fresh.query(`listen ${escapeIdentifier(channel)}`);
    } catch (error) {
      fresh.end().catch(() => undefined);
      return rethrowNamed(error);
    }
    client = fresh;
    connection += 1;
    provedAt = undefined;
    function pulse(): void {
      const began = performance.now();
      schedule(limits.answer, () => lost(fresh, new Deaf('the listening connection delivers no notices')));
      onPulse = () => {
        if (fresh !== client) return;
        provedAt = began;
        onPulse = () => undefined;
        schedule(limits.pulse, pulse);
      };
      fresh.query('select pg_notify($1, $2)', [pulses, '']).catch((error: Error) => lost(fresh, error));
    }
    pulse();
    return fresh;
  }

  function connected(): Promise<Client> {
    if (client !== undefined) return Promise.resolve(client);
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  function lost(which: Client, error?: Error): void {
    if (closed || which !== client) return;
    client = undefined;
    provedAt = undefined;
    if (error) onError(error);
    which.end().catch(() => undefined);
    reopen(retry.first);
  }

  function reopen(after: number): void {
    schedule(after * (0.5 + Math.random() / 2), () => {
      connected().then(
        () => [...listeners.keys()].forEach((channel) => tell(channel, '')),
        (error: Error) => {
          onError(error);
          reopen(Math.min(after * 2, retry.max));
        },
      );
    });
  }

  /** One thing is waited for at a time: the next pulse, its answer, or the next attempt to connect. */
  function schedule(after: number, what: () => void): void {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(what, after).unref();
  }

  function tell(channel: string, payload: string): void {
    for (const onNotice of listeners.get(channel) ?? []) onNotice(payload);
  }

  return {
    listen: async (channel, onNotice) => {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(onNotice));
      try {
        await (await connected()).query(`listen ${escapeIdentifier(channel)}`).catch(rethrowNamed);
      } catch (error) {
        set.delete(onNotice);
        throw error;
      }
      return async () => {
        set.delete(onNotice);
        if (set.size > 0) return;
        listeners.delete(channel);
        await client?.query(`unlisten ${escapeIdentifier(channel)}`);
      };
    },
    hearing: () =>
      client === undefined
        ? undefined
        : { connection, ageMs: provedAt === undefined ? Infinity : performance.now() - provedAt },
    renew: () => {
      if (client !== undefined) lost(client);
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      listeners.clear();
      const last = client ?? (await opening?.catch(() => undefined));
      // A silent peer does not answer an orderly end either.
      await Promise.race([last?.end(), new Promise((resolve) => setTimeout(resolve, limits.answer).unref())]);
    },
  };
}
