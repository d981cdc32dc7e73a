import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { minute } from '../../shared/lib/durations.ts';
import type { Problem } from '../../shared/protocol/problem.ts';

/**
 * What one connection may cost before any handler runs: bytes of URL and headers together, their number, milliseconds.
 */
export const bounds = {
  headerBytes: 16 * 1024,
  headers: 100,
  /** A phone on a slow network sends its headers in seconds. */
  headersMs: 20_000,
  /** A photo of 10 MB at 50 kbit/s takes 27 minutes. A slower sender is hung up on long before (buffer-body.ts). */
  requestMs: 30 * minute,
  /**
   * For a connection on which no byte moves in either direction: past it an answer that the client does not read is
   * dropped.
   */
  stillMs: 90_000,
  /**
   * Between two requests. Longer than balancers keep a connection they do not use (60 s), for where both let go at once
   * a request is lost on the way; and longer than a device waits before it asks again, which then costs no new
   * connection.
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

/** The answer that Node has begun on a connection. */
type Begun = Duplex & { _httpMessage?: { headersSent: boolean } | null };

const tooSlow: Problem = { error: 'The request took too long to arrive', code: 'too-slow' };
const answers: Record<string, [status: string, problem: Problem]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    { error: `The address and the headers are longer than ${bounds.headerBytes} bytes`, code: 'headers-too-large' },
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', tooSlow],
};
const malformed: [string, Problem] = ['400 Bad Request', { error: 'That is not HTTP', code: 'malformed' }];

/** Bounds what a connection may send, and answers what Node itself rejects in the one error shape. */
export function bound(server: Server): void {
  server.maxHeadersCount = bounds.headers;
  server.timeout = bounds.stillMs;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // After a reset there is no client to answer, and an answer that has begun must not get another one in its middle.
    const { _httpMessage: begun } = socket as Begun;
    if (error.code === 'ECONNRESET' || !socket.writable || begun?.headersSent) return void socket.destroy();
    const [status, problem] = answers[error.code ?? ''] ?? malformed;
    say(socket, status, problem);
  });
}

/**
 * Hangs up on a sender whose body does not come, and says so where no answer has begun. 503 and not 408: sign-in
 * libraries take any other error of a session's renewal for its end, and a slow connection must not sign a person out.
 */
export function endTooSlow(socket: Socket): void {
  const { _httpMessage: begun } = socket as Begun;
  if (begun?.headersSent || !socket.writable) return void socket.destroy();
  say(socket, '503 Service Unavailable', tooSlow, 'Retry-After: 1\r\n');
}

function say(socket: Duplex, status: string, problem: Problem, more = ''): void {
  const body = JSON.stringify(problem);
  const head = `Content-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n${more}`;
  // A client that does not hang up in turn would keep the connection, and what waits for its body, without limit.
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n${body}`, () => socket.destroy());
}
