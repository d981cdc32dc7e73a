import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../lib/config.ts';
import { createLog } from '../../lib/log.ts';
import { createServices } from '../../create-services.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../../testing/test-db.ts';

const token = 'an-admin-token-of-the-test';
const trial = {
  NODE_ENV: 'production',
  ALLOW_EMBEDDED: '1',
  ADMIN_TOKEN: token,
  PUBLIC_URL: 'https://trial.example.nz',
};

describe.each(usualDatabase)('who may read the mailbox, on %s', (kind) => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** The server as main assembles it, with a recovery link in its mailbox. */
  async function open(env: Record<string, string>): Promise<TestApp> {
    const database: TestDatabase = await openTestDb(kind);
    closers.push(() => database.close());
    const dataDir = await mkdtemp(join(tmpdir(), 'dwang-mailbox-'));
    closers.push(() => rm(dataDir, { recursive: true }));
    const config = readConfig({ DATA_DIR: dataDir, DEMO: '0', ...env });
    const log = createLog('silent');
    const closing = new AbortController();
    const own = () => 'http://127.0.0.1:1';
    const parts = {
      config,
      database,
      log,
      clock: () => new Date(),
      publicUrl: () => config.publicUrl ?? own(),
      ownUrl: own,
      closing: closing.signal,
    };
    const { mailer, seeding: _, adoptSubscribers: _none, ...services } = await createServices(parts);
    await mailer?.send({
      to: 'owner@example.nz',
      subject: 'Reset',
      text: 'https://trial.example.nz/auth/v1/verify?token=secret',
      html: '',
    });
    const app = await openTestApp({ config, database, log, ...services });
    closers.push(() => app.close());
    closers.push(() => Promise.resolve(closing.abort()));
    return app;
  }

  /** With a Host of one's own choosing, which `fetch` does not allow. */
  const ask = (app: TestApp, path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      request(`${app.origin}${path}`, { headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      })
        .once('error', reject)
        .end();
    });
  const pages = ['/dev/mailbox', '/dev/mailbox.json'];

  it('a trial in production publishes no recovery link: the admin token alone opens the mailbox', async () => {
    const app = await open(trial);
    for (const host of ['trial.example.nz', 'localhost', '127.0.0.1:8080']) {
      for (const path of pages) {
        const stranger = await ask(app, path, { host });
        expect([path, host, stranger.status]).toEqual([path, host, 401]);
        expect(stranger.text).not.toContain('secret');
        expect((await ask(app, path, { host, authorization: 'Bearer an-admin-token-of-the-tesT' })).text).not.toContain(
          'secret',
        );
        expect((await ask(app, path, { host, authorization: `Bearer ${token}` })).text).toContain('token=secret');
      }
      // In another letter case there is no page, with the token or without.
      expect((await ask(app, '/DEV/mailbox.json', { host, authorization: `Bearer ${token}` })).status).toBe(404);
    }
  });

  it('lets the operator’s browser in by the form, with a cookie for this page alone', async () => {
    const app = await open(trial);
    const signIn = (given: string) =>
      app.call('/dev/mailbox/sign-in', {
        method: 'POST',
        body: new URLSearchParams({ token: given }),
        redirect: 'manual',
      });
    expect((await signIn('wrong')).status).toBe(401);
    const right = await signIn(token);
    expect([right.status, right.headers.get('location')]).toEqual([303, '/dev/mailbox']);
    const cookie = right.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; Path=\/dev\/mailbox; HttpOnly; SameSite=Strict; Secure/);
    const page = await app.call('/dev/mailbox', { headers: { cookie: cookie.split(';')[0]! } });
    expect([page.status, (await page.text()).includes('token=secret')]).toEqual([200, true]);
  });

  it('on a machine of one’s own is open to requests from it, and to no page elsewhere whose name leads here, nor through a proxy', async () => {
    const app = await open({});
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080'])
      expect((await ask(app, '/dev/mailbox.json', { host })).text).toContain('token=secret');
    for (const path of pages) {
      for (const headers of [
        { host: 'rebound.example' },
        { host: 'localhost.rebound.example' },
        { host: '127.0.0.1@rebound.example' },
        { host: 'localhost', 'x-forwarded-for': '203.0.113.9' },
      ]) {
        const answer = await ask(app, path, headers);
        expect([400, 403, 404]).toContain(answer.status);
        expect(answer.text).not.toContain('secret');
      }
    }
  });

  it('a browser shows a mail: a page in a sandbox asks for no window group of its own, as every other does', async () => {
    const app = await open({});
    const [{ row }] = (await (await app.call('/dev/mailbox.json')).json()) as [{ row: number }];
    const shown = await app.call(`/dev/mailbox/${row}`);
    expect(shown.headers.get('content-security-policy')).toMatch(/^sandbox/);
    expect(shown.headers.has('cross-origin-opener-policy')).toBe(false);
    expect((await app.call('/dev/mailbox')).headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  it('a machine of one’s own that has a public address shows nothing without the token', async () => {
    const app = await open({ PUBLIC_URL: 'https://shown.example.nz' });
    for (const host of ['shown.example.nz', 'localhost'])
      expect((await ask(app, '/dev/mailbox.json', { host })).status).toBe(404);
  });
});
