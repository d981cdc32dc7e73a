import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  readonly origin: string;
  /** Requests passed on so far, by the port they went to. */
  readonly passed: ReadonlyMap<number, number>;
  close(): Promise<void>;
}

/**
 * A minimal load balancer: each request goes to the next instance in turn. One that refuses the connection is passed
 * over, because nothing was sent to it; one that breaks off in mid-answer breaks the caller's connection, and one that
 * ends before it answered becomes the error page of real balancers.
 */
export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const agents = new Map(ports.map((port) => [port, new Agent({ keepAlive: true, maxFreeSockets: 64 })]));
  const passed = new Map<number, number>(ports.map((port) => [port, 0]));
  let turn = 0;

  function pass(req: IncomingMessage, res: ServerResponse, body: Buffer, tries: number): void {
    const port = ports[(turn += 1) % ports.length]!;
    const onward = request(
      { host: '127.0.0.1', port, agent: agents.get(port), method: req.method, path: req.url, headers: req.headers },
      (answer) => {
        passed.set(port, (passed.get(port) ?? 0) + 1);
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        // An answer that broke off must not look whole.
        answer.on('error', () => res.destroy());
        answer.on('close', () => (answer.complete ? undefined : res.destroy()));
        answer.pipe(res);
      },
    );
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (res.headersSent) return res.destroy();
      if (error.code === 'ECONNREFUSED' && tries > 1) return pass(req, res, body, tries - 1);
      res.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
    });
    res.on('close', () => onward.destroy());
    onward.end(body);
  }

  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('error', () => res.destroy());
    req.on('end', () => pass(req, res, Buffer.concat(chunks), ports.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    close: async () => {
      for (const agent of agents.values()) agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
