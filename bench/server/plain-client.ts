import { connect, type Socket } from 'node:net';

export interface PlainAnswer {
  status: number;
  /** Of the body, as it came over the wire. */
  bytes: number;
  body: Buffer;
  /** How the body is compressed; undefined where it is not. */
  encoding: string | undefined;
}

/** One kept-alive connection that sends prepared bytes and reads the answer, and costs next to nothing itself. */
export interface PlainClient {
  ask(request: Buffer): Promise<PlainAnswer>;
  close(): void;
}

/** A request as bytes, made once and sent often. */
export function requestBytes(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  if (body !== '') lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

export async function openPlainClient(port: number): Promise<PlainClient> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let kept = Buffer.alloc(0);
  let waiting: { resolve: (answer: PlainAnswer) => void; reject: (error: Error) => void } | undefined;

  function take(): void {
    const answer = waiting === undefined ? undefined : readAnswer(kept);
    if (answer === undefined) return;
    kept = kept.subarray(answer.end);
    const asked = waiting;
    waiting = undefined;
    asked?.resolve(answer);
  }

  socket.on('data', (chunk) => {
    kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    take();
  });
  socket.on('close', () => waiting?.reject(new Error('the connection was closed')));
  socket.on('error', () => undefined);
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** Undefined while it is incomplete. */
function readAnswer(bytes: Buffer): (PlainAnswer & { end: number }) | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const text = bytes.toString('latin1', 0, head);
  const status = Number(text.slice(9, 12));
  const encoding = /content-encoding: (\w+)/i.exec(text)?.[1];
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  if (length !== undefined) {
    const [from, end] = [head + 4, head + 4 + Number(length)];
    if (bytes.length < end) return undefined;
    return { status, encoding, bytes: Number(length), body: bytes.subarray(from, end), end };
  }
  if (/transfer-encoding: chunked/i.test(text)) return readChunks(bytes, head + 4, { status, encoding });
  return { status, encoding, bytes: 0, body: Buffer.alloc(0), end: head + 4 };
}

function readChunks(
  bytes: Buffer,
  from: number,
  head: Pick<PlainAnswer, 'status' | 'encoding'>,
): (PlainAnswer & { end: number }) | undefined {
  const parts: Buffer[] = [];
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size + 2;
    if (bytes.length < end) return undefined;
    if (size === 0) {
      const body = Buffer.concat(parts);
      return { ...head, bytes: body.length, body, end };
    }
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = end;
  }
}
