import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Problem } from '../../shared/protocol/problem.ts';

/** What one connection may cost before anything of ours looks at it: bytes of URL and headers together, their number, milliseconds. */
export const bounds = {
  headerBytes: 16 * 1024,
  headers: 100,
  /** A phone on one bar sends its headers in seconds. */
  headersMs: 20_000,
  /** A photo of 10 MB at 400 kbit/s takes 200 s. */
  requestMs: 300_000,
  /**
   * Between two requests. Longer than balancers keep a connection they do not use (60 s), for where both let go at once a request is
   * lost on the way; and longer than a device waits before it asks again, which then costs no new connection.
   */
  idleMs: 65_000,
} as const;

export const boundedServer: ServerOptions = {
  maxHeaderSize: bounds.headerBytes,
  headersTimeout: bounds.headersMs,
  requestTimeout: bounds.requestMs,
  keepAliveTimeout: bounds.idleMs,
  connectionsCheckingInterval: 5_000,
};

const answers: Record<string, [status: string, problem: Problem]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', { error: `The address and the headers are longer than ${bounds.headerBytes} bytes`, code: 'headers-too-large' }],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', { error: 'The request took too long to arrive', code: 'too-slow' }],
};
const malformed: [string, Problem] = ['400 Bad Request', { error: 'That is not HTTP', code: 'malformed' }];

/** Bounds what a connection may send, and answers what Node itself turns away in the one error shape. */
export function bound(server: Server): void {
  server.maxHeadersCount = bounds.headers;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // A reset by the other side has nobody to be answered, and an answer that has begun must not get another one in its middle.
    const { _httpMessage: begun } = socket as Duplex & { _httpMessage?: { req?: IncomingMessage; headersSent: boolean } | null };
    if (error.code === 'ECONNRESET' || !socket.writable || begun?.headersSent) return void socket.destroy();
    const [status, problem] = answers[error.code ?? ''] ?? malformed;
    const body = JSON.stringify(problem);
    socket.end(`HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
  });
}
