import type { Question, Said } from './wire.ts';

/** What a mailed link carries in its address. */
export interface MailedSession {
  access_token: string;
  refresh_token: string;
}

/**
 * Sign-in as the hosted one answers it, as far as the app's own client uses it: sessions, their access tokens, and
 * rotating refresh tokens.
 */
export interface AuthServer {
  /** An account; its password is its id. */
  register(userId: string, email: string): void;
  emailOf(userId: string): string;
  /** The user of this token; undefined where it is invalid, has expired, or its session has ended. */
  userOf(token: string | undefined): string | undefined;
  /** Has this token's session ended? */
  isOver(token: string): boolean;
  answer(question: Question): Said;
  /** Opens a session for this person, as the link in a mail does. */
  mailLink(userId: string): MailedSession;
  /** Access tokens handed out so far become invalid; their sessions do not. */
  expire(userId: string): void;
  /** Every session of this person ends, until they sign in again. */
  end(userId: string): void;
}

interface Session {
  id: string;
  userId: string;
  /** Refreshes so far: the current refresh token names it. */
  count: number;
  isOver: boolean;
}

interface Claims {
  sub: string;
  session_id: string;
  generation: number;
  exp: number;
}

/** Short, so that a run of some minutes sees tokens expire by themselves. */
const tokenSeconds = 600;

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function claimsOf(token: string | undefined): Claims | undefined {
  const [, claims] = (token ?? '').split('.');
  return claims === undefined ? undefined : (JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims);
}

/** The user a token was made for, valid or not. */
export const bearerOf = (token: string | undefined): string | undefined => claimsOf(token)?.sub;

const json = (status: number, body: unknown): Said => ({
  status,
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});
const rejection = (status: number, code: string): Said => json(status, { code: status, error_code: code, msg: code });

export function createAuthServer(now: () => Date): AuthServer {
  const emails = new Map<string, string>();
  const sessions = new Map<string, Session>();
  const generations = new Map<string, number>();
  const seconds = () => Math.floor(now().getTime() / 1_000);
  const generationOf = (userId: string) => generations.get(userId) ?? 0;
  const userBody = (userId: string) => ({
    id: userId,
    email: emails.get(userId),
    aud: 'authenticated',
    role: 'authenticated',
  });

  function sessionBody({ id, userId, count }: Session) {
    const claims: Claims & object = {
      sub: userId,
      session_id: id,
      generation: generationOf(userId),
      exp: seconds() + tokenSeconds,
    };
    const access = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ ...claims, role: 'authenticated' })}.c2VhbA`;
    return {
      access_token: access,
      token_type: 'bearer',
      expires_in: tokenSeconds,
      expires_at: seconds() + tokenSeconds,
      refresh_token: `${id}-${count}`,
      user: userBody(userId),
    };
  }

  function open(userId: string): Session {
    const session: Session = { id: `session${sessions.size + 1}`, userId, count: 0, isOver: false };
    sessions.set(session.id, session);
    return session;
  }

  function userOf(token: string | undefined): string | undefined {
    const claims = claimsOf(token);
    if (claims === undefined || claims.exp <= seconds() || claims.generation !== generationOf(claims.sub))
      return undefined;
    return sessions.get(claims.session_id)?.isOver === false ? claims.sub : undefined;
  }

  /** The token before the current one is valid too: its client has lost the answer. An older one ends the session. */
  function refresh(token: string): Said {
    const [id = '', count] = token.split('-');
    const session = sessions.get(id);
    if (session === undefined || session.isOver) return rejection(400, 'refresh_token_not_found');
    const behind = session.count - Number(count);
    if (behind > 1) {
      session.isOver = true;
      return rejection(400, 'refresh_token_already_used');
    }
    if (behind === 0) session.count += 1;
    return json(200, sessionBody(session));
  }

  function signIn(email: string, password: string): Said {
    const [userId] = [...emails].find(([, known]) => known === email) ?? [];
    return userId === undefined || password !== userId
      ? rejection(400, 'invalid_credentials')
      : json(200, sessionBody(open(userId)));
  }

  return {
    register: (userId, email) => void emails.set(userId, email),
    emailOf: (userId) => emails.get(userId) ?? '',
    userOf,
    isOver: (token) => sessions.get(claimsOf(token)?.session_id ?? '')?.isOver !== false,
    answer: ({ path, token, body }) => {
      const given =
        typeof body === 'string' && body !== ''
          ? (JSON.parse(body) as { email?: string; password?: string; refresh_token?: string })
          : {};
      if (path === '/auth/v1/token?grant_type=password') return signIn(given.email ?? '', given.password ?? '');
      if (path === '/auth/v1/token?grant_type=refresh_token') return refresh(given.refresh_token ?? '');
      const userId = userOf(token);
      if (userId === undefined) return rejection(403, 'bad_jwt');
      if (path === '/auth/v1/user') return json(200, userBody(userId));
      if (!path.startsWith('/auth/v1/logout')) return rejection(404, 'not_found');
      const session = sessions.get(claimsOf(token)?.session_id ?? '');
      if (session !== undefined) session.isOver = true;
      return { status: 204, body: '' };
    },
    mailLink: (userId) => sessionBody(open(userId)),
    expire: (userId) => void generations.set(userId, generationOf(userId) + 1),
    end: (userId) => {
      for (const session of sessions.values()) if (session.userId === userId) session.isOver = true;
    },
  };
}
