import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import type { SupabaseClient } from '@supabase/supabase-js';
import Koa from 'koa';
import { bounds } from '../http/bounds.ts';
import { createEmbeddedAuth } from '../embedded/auth/embedded-auth.ts';
import type { EmbeddedAuth } from '../embedded/auth/embedded-auth.ts';
import type { RateRules } from '../embedded/auth/rate-limits.ts';
import { createMailbox } from '../embedded/mailbox/mailbox.ts';
import type { Mailbox } from '../embedded/mailbox/mailbox.ts';
import { createEmbeddedStorage } from '../embedded/storage/embedded-storage.ts';
import type { EmbeddedStorage } from '../embedded/storage/embedded-storage.ts';
import { createCallerOf, readProxies } from '../lib/client-address.ts';
import { setClientAddress } from '../http/set-client-address.ts';
import { createLog } from '../lib/log.ts';
import { createAdminGuard } from '../ops/operate/admin-token.ts';
import { openTestDb } from './test-db.ts';
import type { databases, TestDatabase } from './test-db.ts';

export interface EmbeddedHarness {
  url: string;
  database: TestDatabase;
  auth: EmbeddedAuth;
  mailbox: Mailbox;
  storage: EmbeddedStorage;
  dataDir: string;
  /** A device of its own: the unmodified supabase-js with nothing remembered. */
  client(): SupabaseClient;
  /** Moves the server's clock on. */
  pass(ms: number): void;
  now(): Date;
  /** What the server logged as errors. */
  errors: object[];
  /** The newest link mailed to the address. */
  linkFor(email: string): Promise<string>;
  /** A person who has confirmed the address, signed in on a device of their own. */
  person(email?: string): Promise<{ client: SupabaseClient; id: string; email: string; token: string }>;
  close(): Promise<void>;
}

/** Cheap on purpose: what passwords cost is tested by itself. */
const cheap = { cost: { logN: 4, r: 8, p: 1 } };
export const password = 'correct-horse';

/** Tests sign many people up from one address. */
export const noIpLimits: Partial<RateRules> = Object.fromEntries(
  ['signInByIp', 'signUpByIp', 'recoverByIp', 'verifyByIp', 'refreshByIp', 'updateByIp'].map((name) => [
    name,
    { burst: 10_000, everyMs: 1 },
  ]),
);

export async function openEmbeddedHarness(
  kind: (typeof databases)[number],
  rateRules: Partial<RateRules> = noIpLimits,
): Promise<EmbeddedHarness> {
  const database = await openTestDb(kind);
  const dataDir = await mkdtemp(join(tmpdir(), 'dwang-test-'));
  const errors: object[] = [];
  const log = createLog('error', { write: (line) => void errors.push(JSON.parse(line) as object) });
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const server = createServer({ keepAliveTimeout: bounds.idleMs });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const guard = createAdminGuard({ tokens: [], canSignIn: false, isOpenHere: true, clock: now });
  const mailbox = createMailbox({ database, clock: now, guard, publicUrl: undefined });
  const auth = await createEmbeddedAuth({
    database,
    mailer: mailbox,
    clock: now,
    log,
    publicUrl: () => url,
    rateRules,
    passwordOptions: cheap,
    mailAnswerFloorMs: 0,
  });
  // Tests say which network address they come from.
  const app = new Koa();
  setClientAddress(app, createCallerOf(readProxies('loopback') ?? []));
  const { verifyToken, anonKey, limits } = auth;
  const storage = await createEmbeddedStorage({
    database,
    clock: now,
    log,
    dataDir,
    verifyToken,
    anonKey,
    limits,
    personLimit: 20 * 1024 * 1024,
  });
  // Koa reports senders that hang up; some tests do nothing else.
  app.silent = true;
  app.use(auth.router.routes()).use(storage.router.routes()).use(mailbox.router.routes());
  const handle = app.callback();
  server.on('request', (req, res) => void handle(req, res));

  const client = () => createClient(url, auth.anonKey, { auth: { persistSession: false, autoRefreshToken: false } });
  let people = 0;
  return {
    url,
    database,
    auth,
    mailbox,
    storage,
    dataDir,
    client,
    now,
    errors,
    pass: (ms) => void (ahead += ms),
    async linkFor(email) {
      const mail = (await mailbox.list()).find(({ to }) => to === email);
      const link = mail?.links[0];
      if (!link) throw new Error(`No mail with a link for ${email}`);
      return link;
    },
    async person(email = `person-${(people += 1)}@example.nz`) {
      const { id } = await auth.createConfirmedUser({ email, password });
      const device = client();
      const { data, error } = await device.auth.signInWithPassword({ email, password });
      if (error) throw error;
      return { client: device, id, email, token: data.session.access_token };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Follows a mailed link as a browser would, and reads what the product finds in the fragment. */
export async function follow(
  link: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: URL; fragment: URLSearchParams }> {
  const response = await fetch(link, { redirect: 'manual', headers });
  const location = new URL(response.headers.get('location') ?? 'about:blank');
  return { status: response.status, location, fragment: new URLSearchParams(location.hash.slice(1)) };
}
