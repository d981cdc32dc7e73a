import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { isUpload } from './app-paths.ts';
import { endTooSlow } from './bounds.ts';
import type { CallerOf } from '../lib/client-address.ts';
import { readWhole, type BufferedBody } from './read-body.ts';
import { createConcurrencyLimiter, overloaded, type ConcurrencyLimits } from './shed-load.ts';

/** The limits on bodies that are still being received. */
export interface BulkheadRules extends ConcurrencyLimits {
  /** Milliseconds within which a body has to be whole, or else to have sent `bytesPerSecond` again. */
  windowMs: number;
  bytesPerSecond: number;
  /** Bytes after which the connection is cut, whether or not they are read. */
  cutAfter: number;
}

const mebibyte = 1024 * 1024;

/**
 * Two bulkheads, so that neither uses up the other's capacity. JSON and forms are small: a phone on a slow network (50
 * kbit/s) sends them in seconds. A photo of 10 MB takes 200 s at 400 kbit/s and half an hour at 50, and is accepted as
 * long as bytes keep coming.
 */
export const bulkheads = {
  small: { max: 1_000, perAddress: 40, windowMs: 10_000, bytesPerSecond: 1_000, cutAfter: 16 * mebibyte },
  photos: { max: 200, perAddress: 20, windowMs: 30_000, bytesPerSecond: 1_000, cutAfter: 64 * mebibyte },
} as const satisfies Record<string, BulkheadRules>;

export type Bulkheads = Readonly<Record<keyof typeof bulkheads, BulkheadRules>>;

/** Sign-in sends an address, a password and a few fields. What reads a body may allow less, never more. */
const maxBytes = (path: string) => (path.startsWith('/auth/') ? 32 * 1024 : mebibyte);

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads a request's body whole before any other middleware runs: a client that only begins to send uses none of the
 * capacity for calls. A photo is streamed on as it comes, in a bulkhead of its own, because it goes to the disk and not
 * into memory. Either bulkhead has a share for each client address; past it, or with the bulkhead full, 503
 * `overloaded`. A sender below the bulkhead's pace is hung up on.
 */
export function bufferBody(callerOf: CallerOf, rules: Bulkheads = bulkheads): Middleware {
  const limiters = { small: createConcurrencyLimiter(rules.small), photos: createConcurrencyLimiter(rules.photos) };
  return async (ctx, next) => {
    if (!hasBody(ctx.req)) return next();
    const bulkhead = isUpload(ctx) ? 'photos' : 'small';
    const { blocks } = callerOf(ctx.req);
    holdToPace(ctx.req, rules[bulkhead]);
    if (!limiters[bulkhead].enter(blocks)) {
      ctx.req.resume();
      throw overloaded();
    }
    try {
      if (bulkhead === 'photos') return await next();
      ctx.state['bufferedBody'] = await settle(readWhole(ctx, maxBytes(ctx.path)));
    } finally {
      limiters[bulkhead].leave(blocks);
    }
    return next();
  };
}

/** A body's error is thrown where the body is read: each family of calls has its own shape of an error. */
function settle(reading: Promise<Buffer>): Promise<BufferedBody> {
  return reading.then(
    (bytes) => () => bytes,
    (error: unknown) => () => {
      throw error;
    },
  );
}

/** Hangs up on the sender of a body that falls behind the pace. */
export function holdToPace(
  req: IncomingMessage,
  { windowMs, bytesPerSecond, cutAfter }: Pick<BulkheadRules, 'windowMs' | 'bytesPerSecond' | 'cutAfter'>,
): void {
  const { socket } = req;
  const first = socket.bytesRead;
  let before = first;
  let timer = setTimeout(look, windowMs).unref();
  req.once('close', () => clearTimeout(timer));

  function look(): void {
    if (req.complete || req.destroyed) return;
    const now = socket.bytesRead;
    // Bytes that wait to be read are our delay, not the sender's.
    const isOnPace = req.readableLength > 0 || now - before >= (bytesPerSecond * windowMs) / 1_000;
    if (!isOnPace || now - first > cutAfter) return endTooSlow(socket);
    before = now;
    timer = setTimeout(look, windowMs).unref();
  }
}
