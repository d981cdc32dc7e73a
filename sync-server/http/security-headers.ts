import type { Middleware } from 'koa';
import type { Config } from '../lib/config.ts';

/** What a browser may do with our pages. No inline script, no inline style, no third-party code, no framing. */
export function securityHeadersOf(config: Pick<Config, 'supabase' | 'publicUrl'>): Record<string, string> {
  const hosted = config.supabase === undefined ? [] : [config.supabase.url];
  const hostedLive = hosted.map((origin) => origin.replace(/^http/, 'ws'));
  const policy = {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'blob:', 'data:', ...hosted],
    'connect-src': ["'self'", ...hosted, ...hostedLive],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  const headers: Record<string, string> = {
    'Content-Security-Policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources.join(' ')}`)
      .join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(self), payment=(), usb=(), browsing-topics=()',
  };
  if (config.publicUrl?.startsWith('https:'))
    headers['Strict-Transport-Security'] = 'max-age=31536000; includeSubDomains';
  return headers;
}

export function securityHeaders(config: Pick<Config, 'supabase' | 'publicUrl'>): Middleware {
  const headers = securityHeadersOf(config);
  return async (ctx, next) => {
    ctx.set(headers);
    await next();
  };
}
