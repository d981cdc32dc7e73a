/**
 * The push services of the browsers there are: Google's (Chrome, Edge on Android, Samsung), Mozilla's, Microsoft's and
 * Apple's. An address that a browser hands in is called by this server, so only these hosts are: another one could be
 * anything inside the operator's network.
 */
const hosts = ['fcm.googleapis.com', 'push.services.mozilla.com', 'push.apple.com', 'notify.windows.com'] as const;

/** Whether this is a push service's address. `others`: origins that the operator trusts besides. */
export function isPushService(endpoint: string, others: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, origin, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return false;
  if (others.includes(origin)) return true;
  return (
    protocol === 'https:' && port === '' && hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  );
}
