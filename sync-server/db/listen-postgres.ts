import { Client, escapeIdentifier } from 'pg';

type OnNotice = (payload: string) => void;

export interface PostgresListener {
  listen(channel: string, onNotice: OnNotice): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Milliseconds between attempts to get a lost connection back, and how often it is asked whether it is alive. */
const retry = { first: 250, most: 10_000 };
const PULSE = 30_000;

/**
 * LISTEN over one connection of its own, opened with the first channel. Notices are lost while it is away, so after
 * every reconnection each listener is called with '' ("anything may have happened").
 */
export function listenPostgres(url: string, onFault: (error: Error) => void): PostgresListener {
  const listeners = new Map<string, Set<OnNotice>>();
  let client: Client | undefined;
  let opening: Promise<Client> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function open(): Promise<Client> {
    const next = new Client({ connectionString: url, application_name: 'dwang listen', keepAlive: true, connectionTimeoutMillis: 5_000 });
    next.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''));
    next.on('error', (error) => lost(next, error));
    next.on('end', () => lost(next));
    try {
      await next.connect();
      for (const channel of listeners.keys()) await next.query(`listen ${escapeIdentifier(channel)}`);
    } catch (error) {
      next.end().catch(() => undefined);
      throw error;
    }
    client = next;
    schedule(PULSE, () => pulse(next));
    return next;
  }

  function connected(): Promise<Client> {
    if (client !== undefined) return Promise.resolve(client);
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  /** A connection cut without a goodbye says nothing; asking finds out. */
  function pulse(asked: Client): void {
    asked.query('select 1').then(
      () => asked === client && schedule(PULSE, () => pulse(asked)),
      (error: Error) => lost(asked, error),
    );
  }

  function lost(which: Client, error?: Error): void {
    if (closed || which !== client) return;
    client = undefined;
    if (error) onFault(error);
    which.end().catch(() => undefined);
    reopen(retry.first);
  }

  function reopen(after: number): void {
    schedule(after * (0.5 + Math.random() / 2), () => {
      connected().then(
        () => [...listeners.keys()].forEach((channel) => tell(channel, '')),
        (error: Error) => {
          onFault(error);
          reopen(Math.min(after * 2, retry.most));
        },
      );
    });
  }

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
        await (await connected()).query(`listen ${escapeIdentifier(channel)}`);
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
    close: async () => {
      closed = true;
      clearTimeout(timer);
      listeners.clear();
      await (client ?? (await opening?.catch(() => undefined)))?.end();
    },
  };
}
