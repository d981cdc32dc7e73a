import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  port: number;
  /** Takes no new connections, lets requests in flight finish, and cuts off what is left after `patienceMs`. */
  close(patienceMs: number): Promise<void>;
}

/** This machine only: both of its loopback addresses, for `localhost` may mean either. */
const loopback = ['127.0.0.1', '::1'];

/** Listens on the host's address, on `port` or, for 0, on any free one. */
export async function listen(answer: RequestListener, port: number, host: string): Promise<Listening> {
  const [first = host, ...others] = host === 'localhost' ? loopback : [host];
  const main = await open(answer, port, first);
  const servers = [main];
  const { port: own } = main.address() as AddressInfo;
  for (const other of others) {
    const server = await open(answer, own, other).catch(unlessAbsent);
    if (server) servers.push(server);
  }
  return { port: own, close: async (patienceMs) => void (await Promise.all(servers.map((server) => close(server, patienceMs)))) };
}

function open(answer: RequestListener, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(answer);
    server.once('error', reject).listen(port, host, () => resolve(server));
  });
}

/** Many machines and containers have no IPv6. */
function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error;
}

async function close(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearTimeout(cut);
}
