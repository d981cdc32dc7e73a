import type { Context } from 'koa';

/**
 * The names under which a machine reaches itself, as `URL.hostname` and a Host header write them. No name server
 * decides them.
 */
export const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const loopbackAddress = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const proxyHeaders = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via'];

/** The host name that the request asks for, without the port; undefined where the header is not one. */
function hostNameOf(ctx: Context): string | undefined {
  const asked = `http://${ctx.get('Host')}`;
  return URL.canParse(asked) ? new URL(asked).hostname : undefined;
}

/**
 * Did the request come from this very machine, by one of its own names and through no proxy? A page elsewhere whose
 * name was pointed at
 * 127.0.0.1 sends its own name, another machine comes from another address, and a proxy sends forwarded headers.
 */
export function isLoopbackHost(ctx: Context): boolean {
  if (proxyHeaders.some((name) => ctx.get(name) !== '')) return false;
  return loopbackAddress.test(ctx.req.socket.remoteAddress ?? '') && loopbackNames.has(hostNameOf(ctx) ?? '');
}
