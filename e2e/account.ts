import type { RunningServer } from './open-server.ts';

interface Mail {
  to: string;
  subject: string;
  links: string[];
}

/** The newest mail to this address, waited for: mail is sent after the answer. */
export async function mailTo(server: RunningServer, address: string, subject: RegExp): Promise<Mail> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const mails = (await (await fetch(`${server.url}/dev/mailbox.json`)).json()) as Mail[];
    const found = mails.find((mail) => mail.to === address && subject.test(mail.subject));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No mail to ${address} about ${String(subject)}`);
}

/** Calls the authentication API without a session: `signup`, `recover`. */
export async function authCall({ url }: Pick<RunningServer, 'url'>, path: string, body: object): Promise<void> {
  const { supabaseAnonKey: apikey } = (await (await fetch(`${url}/api/config`)).json()) as { supabaseAnonKey: string };
  const answer = await fetch(`${url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** Calls the documented API as this account, from outside the browser: the server's own rows. */
export async function signedIn(server: Pick<RunningServer, 'url'>, email: string, password: string) {
  const config = (await (await fetch(`${server.url}/api/config`)).json()) as { supabaseAnonKey: string };
  const response = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: config.supabaseAnonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`Sign-in failed: ${response.status} ${await response.text()}`);
  const { access_token: token, user } = (await response.json()) as { access_token: string; user: { id: string } };
  return {
    userId: user.id,
    patch: async (path: string, body: object): Promise<void> => {
      const answer = await fetch(`${server.url}${path}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    },
    get: async <T>(path: string): Promise<T> => {
      const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    /** Puts a file into storage under `path`, which begins with its bucket. */
    upload: async (path: string, bytes: Uint8Array<ArrayBuffer>, type: string): Promise<void> => {
      const answer = await fetch(`${server.url}/storage/v1/object/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        body: bytes,
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    },
    post: async (path: string, body: unknown): Promise<void> => {
      const answer = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    },
  };
}

/** What "log out everywhere" on another device does. */
export async function endEverySession(server: RunningServer, email: string, password: string): Promise<void> {
  const { supabaseAnonKey: apikey } = (await (await fetch(`${server.url}/api/config`)).json()) as {
    supabaseAnonKey: string;
  };
  const asked = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access_token: token } = (await asked.json()) as { access_token: string };
  const ended = await fetch(`${server.url}/auth/v1/logout?scope=global`, {
    method: 'POST',
    headers: { apikey, authorization: `Bearer ${token}` },
  });
  if (ended.status !== 204) throw new Error(`Not logged out: ${ended.status} ${await ended.text()}`);
}
