import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../sync-server/testing/free-port.ts';

/**
 * What the wire does with a request. `through`: carries it. `silent`: accepts it and never answers. `one-way`: the
 * server gets it, and the answer is lost. `portal`: says 200 with a page of its own, as a café's network does. `busy`:
 * 503, as a proxy before a server that is down. `closed`: hangs up.
 */
export type WireMode = 'through' | 'silent' | 'one-way' | 'portal' | 'busy' | 'closed';

export interface Wire {
  /** The address the browser knows. */
  readonly url: string;
  leadTo(serverUrl: string): void;
  /** Closes open connections, then does so to every request that comes. */
  become(mode: WireMode): void;
  /** Hangs up on these requests alone; without, on none. */
  refuse(which?: (from: IncomingMessage) => boolean): void;
  /** Serves this path changed, as a newer build would. */
  change(path: string, text: string): void;
  /**
   * The next request for this path is carried, and its answer held; resolves when it is here, with the call that
   * releases it.
   */
  holdNext(path: string): Promise<() => void>;
  /** As `holdNext`, and so is every answer for this path after it, until the call releases them all. */
  holdAll(path: string): Promise<() => void>;
  /** Paths requested since the wire's mode last changed, in order. */
  asked(): string[];
  close(): Promise<void>;
}

const portalPage =
  '<!doctype html><title>Welcome</title><h1>Welcome to the free Wi-Fi</h1><p>Accept the terms to go on.</p>';

const pathOf = (from: IncomingMessage) => new URL(from.url ?? '/', 'http://wire').pathname;

/** A faulty network between the browser and the server, controlled by the test. */
export async function openWire(): Promise<Wire> {
  const port = await freePort();
  const changed = new Map<string, string>();
  const holds: { path: string; tell: (release: () => void) => void }[] = [];
  const kept = new Map<string, (() => void)[]>();
  let target: URL | undefined;
  let mode: WireMode = 'through';
  let paths: string[] = [];
  let isRefused = (_from: IncomingMessage) => false;

  const carry = (from: IncomingMessage, to: ServerResponse, isHeard: boolean) => {
    if (target === undefined) throw new Error('The wire leads nowhere yet.');
    const onward = request(
      { host: target.hostname, port: target.port, path: from.url, method: from.method, headers: from.headers },
      (answer) => {
        if (!isHeard) return void answer.resume();
        const deliver = () => {
          // The caller may not wait for it any more.
          if (to.destroyed) return void answer.resume();
          to.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(to);
          answer.on('error', () => to.destroy());
        };
        const queue = kept.get(pathOf(from));
        if (queue !== undefined) return void queue.push(deliver);
        const held = holds.findIndex(({ path }) => path === pathOf(from));
        if (held === -1) return deliver();
        holds.splice(held, 1)[0]?.tell(deliver);
      },
    );
    onward.on('error', () => to.destroy());
    to.on('close', () => isHeard && onward.destroy());
    from.pipe(onward);
  };

  const answer = (from: IncomingMessage, to: ServerResponse) => {
    const path = pathOf(from);
    paths.push(path);
    if (isRefused(from)) return from.socket.destroy();
    const text = changed.get(path);
    switch (mode) {
      case 'through':
        if (text !== undefined)
          return to.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' }).end(text);
        return carry(from, to, true);
      case 'one-way':
        return carry(from, to, false);
      case 'silent':
        return from.resume();
      case 'portal':
        return to.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(portalPage);
      case 'busy':
        return to
          .writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' })
          .end('Bad gateway, come back later.');
      case 'closed':
        return from.socket.destroy();
    }
  };

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${port}`,
    leadTo: (serverUrl) => {
      target = new URL(serverUrl);
    },
    become: (next) => {
      mode = next;
      paths = [];
      server.closeAllConnections();
    },
    refuse: (which = () => false) => {
      isRefused = which;
    },
    change: (path, text) => void changed.set(path, text),
    holdNext: (path) => new Promise((tell) => holds.push({ path, tell })),
    holdAll: (path) =>
      new Promise((tell) => {
        holds.push({
          path,
          tell: (release) => {
            const queue = [release];
            kept.set(path, queue);
            tell(() => {
              kept.delete(path);
              for (const deliver of queue) deliver();
            });
          },
        });
      }),
    asked: () => [...paths],
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
