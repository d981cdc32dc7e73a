import type { Context } from 'koa';

/** The device that a request names: a plain text of its own making; anything else counts as none. */
export function deviceOf(ctx: Context): string | undefined {
  const device = ctx.get('X-Device-Id');
  return /^[\w-]{8,64}$/.test(device) ? device : undefined;
}
