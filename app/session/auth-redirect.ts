/** What a mailed link brought the person here for. `failed`: the link was used before, or is too old. */
export type AuthRedirect =
  | { kind: 'none' }
  | { kind: 'signup' | 'recovery'; hasSession: boolean }
  | { kind: 'failed'; message: string };

/** Reads the address's hash. Call it before the authentication client is made: that one empties it. */
export function readAuthRedirect(hash: string): AuthRedirect {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  if (said.has('error') || said.has('error_code')) {
    return { kind: 'failed', message: said.get('error_description') ?? 'Email link is invalid or has expired' };
  }
  const type = said.get('type');
  return type === 'signup' || type === 'recovery'
    ? { kind: type, hasSession: said.has('access_token') }
    : { kind: 'none' };
}
