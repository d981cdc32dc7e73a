/**
 * `reset`: they asked to. The account has none where its address was signed up with several (`missing`), or a restore
 * has lost the one given.
 */
export type WhyPassword = 'reset' | 'missing' | 'lost';

/** The session that a mailed link (confirmation, recovery) brings in the address. */
export interface MailedSession {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Its person, as the token says. The server verifies it before it counts. */
  readonly userId: string;
  readonly email: string;
  /** Its person is to choose a password. */
  readonly choosesPassword: WhyPassword | undefined;
}

/** Undefined where the address has no session, or one that cannot be read. */
export function readMailedSession(hash: string): MailedSession | undefined {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  const accessToken = said.get('access_token');
  const refreshToken = said.get('refresh_token');
  if (accessToken === null || refreshToken === null) return undefined;
  try {
    const { sub, email } = JSON.parse(textOf(accessToken.split('.')[1] ?? '')) as { sub?: unknown; email?: unknown };
    if (typeof sub !== 'string') return undefined;
    return {
      accessToken,
      refreshToken,
      userId: sub,
      email: typeof email === 'string' ? email : '',
      choosesPassword: whyPassword(said.get('password'), said.get('type')),
    };
  } catch {
    // A token without a person: there is nothing to take from this address.
    return undefined;
  }
}

function whyPassword(password: string | null, type: string | null): WhyPassword | undefined {
  if (password === 'none') return 'missing';
  if (password === 'lost') return 'lost';
  return type === 'recovery' ? 'reset' : undefined;
}

/** Base64url of UTF-8. */
function textOf(part: string): string {
  const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
