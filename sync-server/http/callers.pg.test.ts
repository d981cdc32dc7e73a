import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Router from '@koa/router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { readConfig } from '../lib/config.ts';
import { openEmbeddedHarness, password } from '../testing/embedded-harness.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';

let database: TestDatabase;
let dist: string;
const open: TestApp[] = [];

async function start(env: Record<string, string> = {}): Promise<TestApp> {
  const router = new Router();
  router.get('/dev/secret', (ctx) => {
    ctx.body = 'embedded';
  });
  router.get('/api/who', (ctx) => {
    ctx.body = { address: ctx.ip, origin: ctx.origin };
  });
  const app = await openTestApp({ database, config: readConfig(env), embedded: [router] }, { dist });
  open.push(app);
  return app;
}

beforeAll(async () => {
  database = await openTestDb('pglite');
  dist = await mkdtemp(join(tmpdir(), 'dwang-callers-'));
  const page = '<!doctype html><!--page-head--><title>x</title><!--/page-head--><body></body>';
  for (const name of ['index', 'home', 'legal', 'find-tradies', 'tradie'])
    await writeFile(join(dist, `${name}.html`), page);
});
afterAll(async () => {
  for (const app of open) await app.close();
  await database.close();
  await rm(dist, { recursive: true });
});

/** fetch writes Host itself. */
function ask(app: TestApp, path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    request(app.origin + path, { headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end();
  });
}

it.each(['/', '/legal', '/find-tradies', '/sitemap.xml', '/robots.txt'])(
  'without PUBLIC_URL %s names the host that was asked, never null and never the Origin header’s',
  async (path) => {
    const app = await start();
    for (const headers of [{ Host: 'dwang.test:81' }, { Host: 'dwang.test:81', Origin: 'https://evil.example' }]) {
      const { status, text } = await ask(app, path, headers);
      expect(status).toBe(200);
      expect(text).toContain('http://dwang.test:81');
      expect(text).not.toMatch(/evil\.example|\bnull\b/);
    }
  },
);

it.each(['a b', '[::1', 'x:99999', '"><script>', 'a/b', 'user@dwang.test', 'a,b', '%00'])(
  'a Host of %s is answered as no host name, and no page fails with it',
  async (host) => {
    const app = await start();
    for (const path of ['/', '/sitemap.xml', '/api/config']) {
      const { status, text } = await ask(app, path, { Host: host });
      expect([path, status, problemSchema.parse(JSON.parse(text)).code]).toEqual([path, 400, 'malformed']);
    }
  },
);

it.each([
  '/API/config',
  '/Api/config',
  '/aPI/jobs',
  '/Storage/v1/object/x',
  '/AUTH/v1/settings',
  '/HEALTH/ready',
  '/Dev/secret',
])('%s is no way past the limits that match calls by their path', async (path) => {
  const { status, text } = await ask(await start(), path, { Host: 'localhost' });
  expect([status, problemSchema.parse(JSON.parse(text)).code]).toEqual([404, 'not-found']);
});

it('a client that accepts no encoding at all is answered all the same, and nothing fails after it was done', async () => {
  const app = await start();
  for (const path of ['/', '/api/config', '/api/openapi.json']) {
    expect([path, (await ask(app, path, { Host: 'localhost', 'Accept-Encoding': 'identity;q=0' })).status]).toEqual([
      path,
      200,
    ]);
    expect([path, (await ask(app, path, { Host: 'localhost', 'Accept-Encoding': '*;q=0' })).status]).toEqual([
      path,
      200,
    ]);
  }
});

it('pages that are filled in for each address are not served with unfilled placeholders', async () => {
  const app = await start();
  for (const path of ['/tradie.html', '/find-tradies.html'])
    expect([path, (await ask(app, path, { Host: 'localhost', Accept: 'text/html' })).status]).toEqual([path, 404]);
  for (const path of ['/index.html', '/home.html', '/find-tradies'])
    expect([path, (await ask(app, path, { Host: 'localhost' })).status]).toEqual([path, 200]);
});

it('addresses that are a capability for their holder are in no log', async () => {
  const app = await start();
  const secrets = ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'cs_test_a1B2c3D4', 'bps_a1B2c3D4'];
  for (const path of [
    `/api/mail/unsubscribe/${secrets[0]}`,
    `/dev/payments/checkout/${secrets[1]}`,
    `/dev/payments/portal/${secrets[2]}`,
  ])
    await ask(app, path, { Host: 'localhost' });
  await expect.poll(() => app.logged().split('[hidden]').length).toBeGreaterThan(3);
  for (const secret of secrets) expect(app.logged()).not.toContain(secret);
});

it('embedded pages answer at our own names only: a page elsewhere that points its name here reads nothing', async () => {
  const app = await start({ PUBLIC_URL: 'https://trial.dwang.nz' });
  const answers = async (host: string, path = '/dev/secret') => (await ask(app, path, { Host: host })).status;
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080', '192.168.1.5:8080', 'trial.dwang.nz'])
    expect([host, await answers(host)]).toEqual([host, 200]);
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'trial.dwang.nz.evil.example',
  ]) {
    expect([host, await answers(host), await answers(host, '/DEV/secret')]).toEqual([host, 403, 404]);
  }
});

it('an address in X-Forwarded-For counts only where the operator trusts the proxy', async () => {
  const said = {
    Host: 'dwang.test',
    'X-Forwarded-For': '203.0.113.9, 198.51.100.7',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'dwang.nz',
  };
  const who = async (app: TestApp) => JSON.parse((await ask(app, '/api/who', said)).text) as unknown;
  for (const env of [{}, { NODE_ENV: 'production', ALLOW_EMBEDDED: '1', ADMIN_TOKEN: 'a'.repeat(24) }])
    expect(await who(await start(env))).toEqual({ address: '127.0.0.1', origin: 'http://dwang.test' });
  expect(await who(await start({ TRUSTED_PROXIES: 'loopback' }))).toEqual({
    address: '198.51.100.7',
    origin: 'https://dwang.nz',
  });
});

it('a whole IPv6 network is one caller to the limits, and all of a /48 together are bounded too', async () => {
  const harness = await openEmbeddedHarness('pglite', { signInByIp: { burst: 2, everyMs: 3_600_000 } });
  const guess = async (address: string) =>
    (
      await fetch(`${harness.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': address },
        body: JSON.stringify({ email: `nobody-${address.replaceAll(':', '-')}@example.nz`, password }),
      })
    ).status;
  expect([await guess('2001:db8:1:2::1'), await guess('2001:db8:1:2::2'), await guess('2001:db8:1:2:ffff::3')]).toEqual(
    [400, 400, 429],
  );
  const others = [];
  for (let at = 3; at < 25; at += 1) others.push(await guess(`2001:db8:1:${at.toString(16)}::1`));
  expect(others.filter((status) => status === 400)).toHaveLength(2 * 8 - 2);
  expect([await guess('::ffff:192.0.2.1'), await guess('192.0.2.1'), await guess('::ffff:c000:201')]).toEqual([
    400, 400, 429,
  ]);
  await harness.close();
});
