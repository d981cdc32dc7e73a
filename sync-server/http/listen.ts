import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bound, boundedServer } from './bounds.ts';
import type { Admit } from './limit-connections.ts';

export interface Listening {
  port: number;
  /** Takes no new connections, lets requests in flight finish, and cuts off what is left after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

/** This machine only: both of its loopback addresses, for `localhost` may mean either. */
const loopback = ['127.0.0.1', '::1'];

/** Listens on the host's address, on `port` or, for 0, on any free one. Connections that `admit` rejects are closed. */
export async function listen(
  answer: RequestListener,
  port: number,
  host: string,
  admit: Admit = () => true,
): Promise<Listening> {
  const [first = host, ...others] = host === 'localhost' ? loopback : [host];
  const main = await open(answer, port, first, admit);
  const opened = [main];
  const { port: own } = main.server.address() as AddressInfo;
  for (const other of others) {
    const also = await open(answer, own, other, admit).catch(unlessAbsent);
    if (also) opened.push(also);
  }
  return {
    port: own,
    close: async (timeoutMs) => void (await Promise.all(opened.map((one) => close(one, timeoutMs)))),
  };
}

interface Open {
  server: Server;
  /** Answers that are not finished. */
  begun: Set<ServerResponse>;
}

function open(answer: RequestListener, port: number, host: string, admit: Admit): Promise<Open> {
  return new Promise((resolve, reject) => {
    const begun: Open['begun'] = new Set();
    const server = createServer(boundedServer, (req, res) => {
      begun.add(res);
      res.once('close', () => begun.delete(res));
      if (!server.listening) res.shouldKeepAlive = false;
      answer(req, res);
    });
    bound(server);
    server.on('connection', (socket) => void (admit(socket) || socket.destroy()));
    server.once('error', reject).listen(port, host, () => resolve({ server, begun }));
  });
}

/** Many machines and containers have no IPv6. */
function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error;
}

async function close({ server, begun }: Open, timeoutMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // An idle keep-alive connection would hold the stop up until a timeout ends it.
  for (const res of begun) if (!res.headersSent) res.shouldKeepAlive = false;
  const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(cut);
}
