import { createServer, request } from 'node:http';
import { freePort } from '../sync-server/testing/free-port.ts';

/** A way to the server that writes down all that is sent to it: by pages, by workers, and by the browser itself. */
export interface Recorder {
  /** The address the browser knows. */
  readonly url: string;
  leadTo(serverUrl: string): void;
  /** Every request so far: its first line, its headers and its body. */
  sent(): readonly string[];
  close(): Promise<void>;
}

export async function openRecorder(): Promise<Recorder> {
  const port = await freePort();
  let target: URL | undefined;
  const requests: string[] = [];
  const server = createServer((from, to) => {
    if (target === undefined) throw new Error('The recorder leads nowhere yet.');
    const { hostname, port: serverPort } = target;
    const parts: Buffer[] = [];
    from.on('data', (part: Buffer) => parts.push(part));
    from.on('end', () => {
      const body = Buffer.concat(parts);
      requests.push(`${from.method} ${from.url}\n${JSON.stringify(from.headers)}\n${body.toString('utf8')}`);
      const onward = request(
        { host: hostname, port: serverPort, path: from.url, method: from.method, headers: from.headers },
        (answer) => {
          to.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(to);
        },
      );
      onward.on('error', () => to.destroy());
      to.on('close', () => onward.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return {
    url: `http://localhost:${port}`,
    leadTo: (serverUrl) => {
      target = new URL(serverUrl);
    },
    sent: () => requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
