import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day, minute } from '../../../shared/lib/durations.ts';
import { must } from '../../../shared/lib/must.ts';
import { startNewTimeline } from '../../db/new-timeline.ts';
import { follow, openEmbeddedHarness, password } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { databases } from '../../testing/test-db.ts';

/** What a browser keeps: the session, and the cookies of its answers. */
interface Phone {
  id: string;
  token: string;
  refreshToken: string;
  cookie: string;
}

interface Answer {
  status: number;
  code: string | undefined;
  phone: Phone;
}

/*
 * The loss of the tail is played by deleting what was made since; a backup that is really restored:
 * e2e/restore-account.spec.ts.
 */
describe.each(databases)('an account that a restore has lost, on %s', (kind) => {
  let harness: EmbeddedHarness;
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
  });
  afterAll(() => harness.close());

  async function token(grant: string, body: object, cookie = ''): Promise<Answer> {
    const response = await fetch(`${harness.url}/auth/v1/token?grant_type=${grant}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as {
      access_token?: string;
      refresh_token?: string;
      user?: { id: string };
      error_code?: string;
      code?: string;
    };
    const set = response.headers.getSetCookie().map((line) => line.split(';')[0]!);
    return {
      status: response.status,
      code: answer.error_code ?? answer.code,
      phone: {
        id: answer.user?.id ?? '',
        token: answer.access_token ?? '',
        refreshToken: answer.refresh_token ?? '',
        cookie: set.join('; '),
      },
    };
  }
  const signIn = (email: string) => token('password', { email, password });
  const renew = ({ refreshToken, cookie }: Pick<Phone, 'refreshToken' | 'cookie'>) =>
    token('refresh_token', { refresh_token: refreshToken }, cookie);

  let people = 0;
  async function newPerson(): Promise<{ email: string; phone: Phone }> {
    const email = `lost-${(people += 1)}@example.nz`;
    await harness.auth.createConfirmedUser({ email, password });
    harness.pass(1000);
    return { email, phone: (await signIn(email)).phone };
  }
  const forget = (id: string) => harness.database.sql.deleteFrom('embedded.users').where('id', '=', id).execute();
  /** The database forgets these accounts, and begins a new timeline as after a restore. */
  async function lose(...phones: Phone[]): Promise<void> {
    for (const { id } of phones) await forget(id);
    await restore();
  }
  /** The timeline of a restored database; its beginning by the clock that the harness moves. */
  async function restore(): Promise<void> {
    const { timeline } = await startNewTimeline(harness.database.sql);
    const timelines = harness.database.sql.updateTable('sync_timeline').set({ began_at: harness.now() });
    await timelines.where('lineage', '=', timeline).execute();
  }
  /** The browser's cookies, in which a new one takes the place of one of its name. */
  function jarOf({ cookie }: Phone) {
    const kept = new Map<string, string>();
    const take = (line: string) => void kept.set(line.split('=')[0]!, line.split(';')[0]!);
    for (const one of cookie.split('; ').filter(Boolean)) take(one);
    return { take, header: () => [...kept.values()].join('; ') };
  }
  /** Opens the newest link that was mailed to this address, in the browser with this jar. */
  async function open(email: string, jar: ReturnType<typeof jarOf>): Promise<{ fragment: URLSearchParams }> {
    const answer = await fetch(await harness.linkFor(email), { redirect: 'manual', headers: { cookie: jar.header() } });
    for (const line of answer.headers.getSetCookie()) jar.take(line);
    return { fragment: new URLSearchParams(new URL(must(answer.headers.get('location'), 'a place')).hash.slice(1)) };
  }
  async function openReset(email: string, jar: ReturnType<typeof jarOf>): Promise<URLSearchParams> {
    await harness.client().auth.resetPasswordForEmail(email);
    return (await open(email, jar)).fragment;
  }
  const withToken = (fragment: URLSearchParams, jar: ReturnType<typeof jarOf>) => ({
    authorization: `Bearer ${fragment.get('access_token')}`,
    cookie: jar.header(),
  });
  /** As the app takes a link's session: auth-js asks first whose it is. */
  async function comeInByLink(email: string, jar: ReturnType<typeof jarOf>): Promise<string> {
    const fragment = await openReset(email, jar);
    const answer = await fetch(`${harness.url}/auth/v1/user`, { headers: withToken(fragment, jar) });
    for (const line of answer.headers.getSetCookie()) jar.take(line);
    return fragment.get('refresh_token') ?? '';
  }
  async function declineLink(email: string, jar: ReturnType<typeof jarOf>): Promise<void> {
    const headers = withToken(await openReset(email, jar), jar);
    await fetch(`${harness.url}/auth/v1/logout?scope=local`, { method: 'POST', headers });
  }
  const account = (email: string) =>
    harness.database.sql
      .selectFrom('embedded.users')
      .select(['id', 'password_hash'])
      .where('email', '=', email)
      .executeTakeFirst();

  it('a person who signed up after the backup goes on under the same id, and is mailed a link to choose a password', async () => {
    const { email, phone } = await newPerson();
    await lose(phone);
    const back = await renew(phone);
    expect(back).toMatchObject({ status: 200, phone: { id: phone.id } });
    expect((await harness.client().auth.getUser(back.phone.token)).data.user?.email).toBe(email);
    expect((await renew(back.phone)).status).toBe(200);
    expect(await account(email)).toEqual({ id: phone.id, password_hash: null });
    expect((await signIn(email)).code).toBe('invalid_credentials');
    const { location, fragment } = await follow(await harness.linkFor(email));
    expect(location.pathname).toBe('/edit-account');
    expect([fragment.get('type'), fragment.get('password')]).toEqual(['recovery', null]);
  });

  it('a device that its person had signed out before the restore gets no password chosen, and the mail comes whatever was asked for', async () => {
    const { email, phone } = await newPerson();
    const choose = ({ token: bearer }: Phone, chosen: string) =>
      fetch(`${harness.url}/auth/v1/user`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ password: chosen }),
      }).then(async (response) => [response.status, ((await response.json()) as { error_code?: string }).error_code]);
    const own = (await signIn(email)).phone;
    expect(await choose(own, 'own-correct-horse')).toEqual([200, undefined]);
    expect((await renew(phone)).code).toBe('refresh_token_not_found');
    await lose(phone);
    const link = await fetch(`${harness.url}/auth/v1/recover`, { method: 'POST', body: JSON.stringify({ email }) });
    expect(link.status).toBe(200);
    const { phone: evicted } = await renew(phone);
    expect(await choose(evicted, 'taken-over-horse')).toEqual([400, 'reauthentication_needed']);
    const { fragment } = await follow(await harness.linkFor(email));
    const person = { ...own, token: fragment.get('access_token') ?? '' };
    expect(await choose(person, 'chosen-by-mail-horse')).toEqual([200, undefined]);
    expect((await renew(evicted)).code).toBe('refresh_token_not_found');
  });

  it('a phone that lost the answer gets another one; once the session was used its old token is worth nothing', async () => {
    const { phone } = await newPerson();
    await lose(phone);
    const unheard = await renew(phone);
    const heard = await renew(phone);
    expect([unheard.status, heard.status]).toEqual([200, 200]);
    expect((await harness.client().auth.getUser(heard.phone.token)).error).toBeNull();
    expect((await renew(unheard.phone)).code).toBe('refresh_token_not_found');
    expect((await renew(phone)).code).toBe('refresh_token_not_found');
  });

  it('after a log-out on the phone that came back nothing makes a session of what was kept from before', async () => {
    const { phone } = await newPerson();
    await lose(phone);
    const { phone: back } = await renew(phone);
    await fetch(`${harness.url}/auth/v1/logout?scope=local`, {
      method: 'POST',
      headers: { authorization: `Bearer ${back.token}` },
    });
    expect((await renew(phone)).code).toBe('refresh_token_not_found');
    expect((await renew(back)).code).toBe('refresh_token_not_found');
  });

  it('neither the token alone, nor the cookie that a log-out left behind, brings an account back', async () => {
    const [mine, other] = [await newPerson(), await newPerson()];
    await lose(mine.phone, other.phone);
    const { refreshToken, cookie } = mine.phone;
    const madeUp = { refreshToken: `${refreshToken.startsWith('A') ? 'B' : 'A'}${refreshToken.slice(1)}`, cookie };
    for (const asked of [
      { ...mine.phone, cookie: '' },
      { ...mine.phone, cookie: other.phone.cookie },
      { ...mine.phone, cookie: 'dwang-account=nonsense' },
      madeUp,
    ])
      expect((await renew(asked)).code).toBe('refresh_token_not_found');
    expect(await account(mine.email)).toBeUndefined();
  });

  it('a mailed link of another person that was opened here and declined takes nothing from who stays: their account comes back', async () => {
    const [mine, other, third] = [await newPerson(), await newPerson(), await newPerson()];
    const jar = jarOf(mine.phone);
    for (const { email } of [other, third]) await declineLink(email, jar);
    await lose(mine.phone, other.phone, third.phone);
    expect(await renew({ ...mine.phone, cookie: jar.header() })).toMatchObject({
      status: 200,
      phone: { id: mine.phone.id },
    });
  });

  it('a person who came in by a mailed link, in the place of another, goes on as well', async () => {
    const [mine, other] = [await newPerson(), await newPerson()];
    const jar = jarOf(mine.phone);
    const refreshToken = await comeInByLink(other.email, jar);
    await lose(other.phone);
    expect(await renew({ refreshToken, cookie: jar.header() })).toMatchObject({
      status: 200,
      phone: { id: other.phone.id },
    });
  });

  it('a person who came in by their own mailed link and then declines another’s goes on, and need not sign in again', async () => {
    const [mine, other] = [await newPerson(), await newPerson()];
    const jar = jarOf({ ...mine.phone, cookie: '' });
    const refreshToken = await comeInByLink(mine.email, jar);
    await declineLink(other.email, jar);
    await lose(mine.phone, other.phone);
    expect(await renew({ refreshToken, cookie: jar.header() })).toMatchObject({
      status: 200,
      phone: { id: mine.phone.id },
    });
  });

  it('a person who had not confirmed their sign-up gets a mail by “Send it again”, whose link asks them for a password once more, for theirs was lost', async () => {
    const email = 'unconfirmed@example.nz';
    const { auth } = harness.client();
    await auth.signUp({ email, password });
    const former = await harness.linkFor(email);
    await harness.database.sql.deleteFrom('embedded.sign_ups').where('email', '=', email).execute();
    await restore();
    expect((await auth.resend({ type: 'signup', email })).error).toBeNull();
    const link = await harness.linkFor(email);
    expect(link).not.toBe(former);
    harness.pass(minute + 1);
    await auth.resend({ type: 'signup', email });
    const second = await harness.linkFor(email);
    expect(second).not.toBe(link);
    // A code signs in by what was given with it, and that is lost.
    expect((await harness.mailbox.list()).find(({ to }) => to === email)?.text).not.toMatch(/\b\d{6}\b/);
    const { location, fragment } = await follow(link);
    expect(location.pathname).toBe('/edit-account');
    expect([fragment.get('type'), fragment.get('password')]).toEqual(['recovery', 'lost']);
    expect((await follow(second)).fragment.get('password')).toBe('lost');
    expect(await account(email)).toMatchObject({ password_hash: null });
  });

  it('“Send it again” mails nothing to an address with an account, nor to any that is new a day after the restore', async () => {
    const { email } = await newPerson();
    await restore();
    const mails = async () => (await harness.mailbox.list()).length;
    const before = await mails();
    await harness.client().auth.resend({ type: 'signup', email });
    harness.pass(day);
    await harness.client().auth.resend({ type: 'signup', email: 'nobody@example.nz' });
    expect(await mails()).toBe(before);
  });

  it('an account that was removed, and not lost by a restore, stays removed', async () => {
    harness.pass(2 * minute);
    const { email, phone } = await newPerson();
    await forget(phone.id);
    harness.pass(1000);
    expect((await renew(phone)).code).toBe('refresh_token_not_found');
    // The backup was made after the removal: it knows an account that is younger.
    const { phone: younger } = await newPerson();
    harness.pass(2 * minute);
    await restore();
    expect((await renew(phone)).code).toBe('refresh_token_not_found');
    expect((await renew(younger)).status).toBe(200);
    expect(await account(email)).toBeUndefined();
  });

  it('where the person has signed up anew meanwhile, the new account stays as it is', async () => {
    const { email, phone } = await newPerson();
    await lose(phone);
    const { id } = await harness.auth.createConfirmedUser({ email, password });
    expect((await renew(phone)).code).toBe('refresh_token_not_found');
    expect((await account(email))?.id).toBe(id);
  });

  it('what was lost longer ago than phones keep it does not come back', async () => {
    const { phone } = await newPerson();
    await lose(phone);
    harness.pass(31 * day);
    expect((await renew(phone)).code).toBe('refresh_token_not_found');
  });
});
