import type { Context } from 'koa';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How much of a rejected body may still be read and dropped. A connection between two requests is kept for longer than
 * this (bounds.ts).
 */
const maxDrained = { bytes: 8 * 1024 * 1024, ms: 30_000 };

/**
 * Answers a request whose body was rejected, whether or not all of it has come. A sender whose connection is closed
 * while it sends may not read the answer (RFC 9112, 9.6): so all of the answer goes out at once, and the connection
 * ends when the body has, or is past the bounds. Nothing but the connection is held meanwhile: no place in a bulkhead
 * or a concurrency limit.
 */
export function answerRefused(ctx: Context, body: object): void {
  const { req } = ctx;
  if (req.complete || req.destroyed) {
    ctx.body = body;
    return;
  }
  req.unpipe();
  const bytes = Buffer.from(JSON.stringify(body));
  ctx.set('Connection', 'close');
  ctx.body = Readable.from(withRestOf(req, bytes));
  ctx.type = 'json';
  ctx.length = bytes.length;
}

async function* withRestOf(req: IncomingMessage, answer: Buffer): AsyncGenerator<Buffer> {
  yield answer;
  await drain(req);
}

async function drain(req: IncomingMessage): Promise<void> {
  const stopped = new AbortController();
  let drained = 0;
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > maxDrained.bytes) stopped.abort();
  });
  // The answer is over however this ends.
  const ended = finished(req.resume(), { signal: stopped.signal }).catch(() => undefined);
  await Promise.race([
    ended,
    sleep(maxDrained.ms, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined),
  ]);
  stopped.abort();
}
