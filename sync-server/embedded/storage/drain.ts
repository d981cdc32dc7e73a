import type { Context } from 'koa';
import { finished } from 'node:stream/promises';

/** Rejected bodies up to this size are read to their end; from there on the connection is closed. */
const drainAtMost = 32 * 1024 * 1024;

/** Lets the rest of a refused body flow past: clients that are still sending do not hear the answer. */
export async function drain(ctx: Context): Promise<void> {
  if (ctx.req.complete || ctx.req.destroyed) return;
  ctx.req.unpipe();
  if (Number(ctx.get('Content-Length')) > drainAtMost) {
    ctx.set('Connection', 'close');
    return;
  }
  let drained = 0;
  ctx.req.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > drainAtMost) ctx.req.destroy();
  });
  // A sender who has gone needs no answer.
  await finished(ctx.req.resume()).catch(() => undefined);
}
