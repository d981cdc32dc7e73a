import { loopbackNames } from '../../http/loopback-host.ts';

/**
 * The origin that links and redirects of one request are made for: always the public one, because the client chooses
 * the Host header and a mailed link must not follow it. The names of this very machine are the one exception: a browser
 * at 127.0.0.1 is not sent to localhost, where it would not find its session.
 */
export function originFor(publicUrl: string, requestHost: string): string {
  const home = new URL(publicUrl);
  const asked = `${home.protocol}//${requestHost}`;
  if (!URL.canParse(asked) || !loopbackNames.has(home.hostname)) return home.origin;
  const { hostname, port, origin } = new URL(asked);
  return loopbackNames.has(hostname) && port === home.port ? origin : home.origin;
}
