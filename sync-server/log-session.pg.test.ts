import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { expect, it } from 'vitest';
import { png } from '../shared/testing/tiny-pictures.ts';

/** The whole server as a process of its own at the most verbose log level, on new embedded data. */
async function start() {
  const dataDir = await mkdtemp(join(tmpdir(), 'dwang-log-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const adminToken = 'planted-admin-token-0123456789';
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--without-app'], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      LOG_LEVEL: 'trace',
      DEMO: '0',
      PORT: String(port),
      ADMIN_TOKEN: adminToken,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = `http://localhost:${port}`;
  await expect
    .poll(
      () =>
        fetch(`${url}/health/ready`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 90_000 },
    )
    .toBe(200);
  return {
    url,
    adminToken,
    said: () => said,
    lines: () =>
      said
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    stop: async () => {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const json = { 'content-type': 'application/json' };

it('a whole session leaves ids, names of changes and versions in the log, and no secret, address, number or cookie of any person', async () => {
  const server = await start();
  const planted = new Set<string>([server.adminToken]);
  const plant = <T extends string>(secret: T): T => {
    planted.add(secret);
    return secret;
  };
  const email = plant('hinemoa.planted@example.nz');
  const [password, newPassword] = [plant('planted-password-1'), plant('planted-password-2')];
  const { supabaseAnonKey } = (await (await fetch(`${server.url}/api/config`)).json()) as { supabaseAnonKey: string };
  const client = createClient(server.url, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const linkIn = async () =>
    ((await (await fetch(`${server.url}/dev/mailbox.json`)).json()) as { to: string; links: string[] }[]).find(
      ({ to }) => to === email,
    )!.links[0]!;

  await client.auth.signUp({ email, password });
  const link = await linkIn();
  plant(new URL(link).searchParams.get('token')!);
  await fetch(link);
  await client.auth.signInWithPassword({ email, password: plant('planted-wrong-password') });
  const signedIn = await client.auth.signInWithPassword({ email, password });
  const { access_token: token, refresh_token: refresh } = signedIn.data.session!;
  plant(token);
  plant(token.split('.')[2]!);
  plant(refresh);
  const authorization = { authorization: `Bearer ${token}` };
  const userId = signedIn.data.user!.id;

  const created = await fetch(`${server.url}/api/users`, {
    method: 'POST',
    headers: { ...authorization, ...json },
    body: JSON.stringify({ email, firstName: plant('Plantedfirst'), lastName: plant('Plantedlast') }),
  });
  expect(created.status).toBe(201);
  const mutation = {
    uid: randomUUID(),
    name: 'job.post',
    at: new Date().toISOString(),
    args: {
      id: randomUUID(),
      title: plant('Plantedtitle'),
      description: `Ring ${plant('021 555 7890')} or write to ${plant('me@planted.example.nz')}`,
      locationId: 'southland/winton',
      urgency: 'soon',
      categoryId: 'plumber',
    },
  };
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/sync`, {
      method: 'POST',
      headers: {
        ...authorization,
        ...json,
        'x-request-id': 'phone-exchange-1',
        'x-device-id': 'phone-device-1',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const request = {
    protocol: 1,
    schema: 1,
    userId,
    cookie: null,
    shelves: {},
    mutations: [mutation, { ...mutation, uid: randomUUID(), name: plant('call.021-555-7891') }],
    awaiting: [],
  };
  const answer = (await (await ask(request)).json()) as { cookie: string; outcomes: { uid: string; status: string }[] };
  expect(answer.outcomes.find(({ uid }) => uid === mutation.uid)).toMatchObject({ status: 'applied' });
  plant(answer.cookie);
  await ask({ ...request, protocol: 'wrong', note: email });
  await ask({ ...request, mutations: [{ ...mutation, args: { ...mutation.args, title: 'other' } }] });
  await fetch(`${server.url}/api/sync?token=${token}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}x`, ...json },
    body: '{',
  });

  const photo = await client.storage
    .from('job-photos')
    .upload(`${userId}/${mutation.args.id}/1-a.png`, png, { contentType: 'image/png' });
  expect(photo.error).toBeNull();
  await client.storage.from('job-photos').upload(`${randomUUID()}/${email}`, png, { contentType: 'image/png' });
  const tradieData = {
    businessName: 'Planted Business',
    nzbn: '9429040402543',
    contactPhone: plant('027 555 7892'),
    businessAddress: plant('7 Planted Road'),
    description: 'x',
    categoryIds: '["plumber"]',
    locationId: 'southland/winton',
    logo: '',
  };
  const checkout = await fetch(`${server.url}/api/stripe/create-checkout`, {
    method: 'POST',
    headers: { ...authorization, ...json },
    body: JSON.stringify({ tradieData, email }),
  });
  expect(checkout.status).toBe(200);
  const forged = await fetch(`${server.url}/api/stripe/webhook`, {
    method: 'POST',
    headers: { 'stripe-signature': plant('t=1,v1=plantedsignature'), ...json },
    body: JSON.stringify({ email }),
  });
  expect(forged.status).toBe(400);
  await client.auth.resetPasswordForEmail(email);
  const recovery = await linkIn();
  plant(new URL(recovery).searchParams.get('token')!);
  await fetch(recovery);
  await client.auth.updateUser({ password: newPassword });
  await client.auth.refreshSession();
  const signIn = await fetch(`${server.url}/health/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ token: server.adminToken }),
    redirect: 'manual',
  });
  plant(signIn.headers.get('set-cookie')!.split(';')[0]!.split('=')[1]!);
  await fetch(`${server.url}/health`, { headers: { cookie: signIn.headers.get('set-cookie')!.split(';')[0]! } });
  await fetch(`${server.url}/health/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ token: plant('planted-wrong-admin') }),
  });
  const handedOut = await fetch(`${server.url}/api/admin/person.export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.adminToken}`, ...json },
    body: JSON.stringify({ user: email }),
  });
  expect(handedOut.status).toBe(200);
  await client.auth.signOut();
  await server.stop();

  const lines = server.lines();
  const exchange = lines.find(({ requestId }) => requestId === 'phone-exchange-1');
  expect(exchange).toMatchObject({
    path: '/api/sync',
    status: 200,
    actorId: userId,
    protocol: '1.1',
    answer: 'delta',
    ms: expect.any(Number),
    mutations: [
      `job.post ${mutation.uid} ${mutation.args.id} applied`,
      expect.stringMatching(/^unnamed [\w-]+ [\w-]+ refused:unknown-mutation$/),
    ],
  });
  expect(
    lines
      .filter(({ path }) => path === '/storage/v1/object/job-photos/[hidden]' || String(path).startsWith('/storage/'))
      .some(({ actorId }) => actorId === userId),
  ).toBe(true);
  expect(lines.length).toBeGreaterThan(20);
  for (const secret of planted)
    expect(
      server.said().includes(secret),
      `${secret.slice(0, 24)} is in the log: ${server
        .said()
        .split('\n')
        .find((line) => line.includes(secret))
        ?.slice(0, 300)}`,
    ).toBe(false);
}, 180_000);
