import { sql as rawSql } from 'kysely';
import { calls, type CallName } from '../../shared/api/index.ts';
import { deltaSchema, type Delta, type ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { makeInterest, makeJob, makeReference, makeTestId, makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { Job, Tradie, User } from '../../shared/tables/index.ts';
import { createStripe } from '../billing/create-stripe.ts';
import type { Database } from '../db/database.ts';
import { insertRows } from '../db/write-rows.ts';
import { createEmbeddedPayments } from '../embedded/payments/embedded-payments.ts';
import { readConfig } from '../lib/config.ts';
import { createLog } from '../lib/log.ts';
import { openSync, type Sync } from '../open-sync.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import { openTestDb, type databases, type TestDatabase } from './test-db.ts';

/**
 * All callers. `owner` is a homeowner with jobs; `owningTradie` has a profile and has answered both of the owner's
 * jobs.
 */
export const roles = [
  'anonymous',
  'newcomer',
  'owner',
  'homeowner',
  'activeTradie',
  'trialingTradie',
  'lapsedTradie',
  'owningTradie',
  'admin',
] as const;
export type Role = (typeof roles)[number];

const adminToken = 'an-admin-token-of-the-test';

export interface Answer {
  status: number;
  /** The code of an error. */
  code: string | undefined;
  headers: Headers;
  text: string;
  body: unknown;
}

export interface Asked {
  id?: string;
  query?: string;
  /** JSON; a text goes as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface CallsHarness {
  database: TestDatabase;
  app: TestApp;
  sync: Sync;
  people: { readonly [R in Exclude<Role, 'anonymous' | 'admin'>]: User };
  /** The profile of `owningTradie`. */
  profile: Tradie;
  /** The owner's job, active or closed, which `owningTradie` has answered where `answered`. A new one every time. */
  makeJobOf(changes?: Partial<Job>, answered?: boolean): Promise<Job>;
  ask(role: Role, name: CallName, asked?: Asked): Promise<Answer>;
  /** One exchange of this person's, over the wire. */
  exchange(role: Role, cookie: string | null): Promise<Delta>;
  /** `call status`, as seen so far. */
  seen: Set<string>;
  pass(ms: number): void;
  /** All that people have, as one value: what was written between two of them shows. */
  digest(): Promise<string>;
  /** Every query fails as if the database were away, until the returned function is called. */
  cutDatabase(): () => void;
  close(): Promise<void>;
}

/**
 * The real app, its exchange and its test payments, with one person of every kind. Every answer is held to the call's
 * schema.
 */
export async function openCallsHarness(kind: (typeof databases)[number]): Promise<CallsHarness> {
  const database = await openTestDb(kind);
  const people = makePeople();
  const profile = makeTradie({ userId: people.owningTradie.id, email: people.owningTradie.email });
  await seed(database, people, profile);
  let ahead = 0;
  let isAway = false;
  const clock = () => new Date(Date.now() + ahead);
  const closing = new AbortController();
  const log = createLog('silent');
  let origin = '';
  const { source, webhookSecret, priceId, router } = createEmbeddedPayments({
    database,
    clock,
    log,
    closing: closing.signal,
    ownUrl: () => origin,
  });
  const cuttable = withSwitch(database, () => isAway);
  // A token is the user's id and address: the checks of real tokens have tests of their own.
  const verifyToken = async (token: string) => {
    const [userId, email] = token.split('|');
    return userId === undefined || email === undefined ? undefined : { userId, email };
  };
  const deps = {
    database: cuttable,
    clock,
    verifyToken,
    anonKey: 'test-anon-key',
    closing: closing.signal,
    payments: { stripe: createStripe(source), webhookSecret, priceId, trialDays: 14 },
  };
  const sync = await openSync({ ...deps, log });
  const config = readConfig({ ADMIN_TOKEN: adminToken, LOG_LEVEL: 'debug' });
  const app = await openTestApp({ ...deps, config, embedded: [router] }, { sync: sync.routers });
  origin = app.origin;
  const seen = new Set<string>();

  function tokenOf(role: Role): Record<string, string> {
    if (role === 'anonymous') return {};
    if (role === 'admin') return { authorization: `Bearer ${adminToken}` };
    return { authorization: `Bearer ${people[role].id}|${people[role].email}` };
  }

  const ask: CallsHarness['ask'] = async (role, name, { id = '', query = '', body, headers = {} } = {}) => {
    const call = calls[name];
    const response = await app.call(call.path.replace(':id', encodeURIComponent(id)) + query, {
      method: call.method,
      headers: { ...tokenOf(role), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    seen.add(`${name} ${response.status}`);
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    if (response.ok) call.answer.parse(answer.body);
    const problem = response.status >= 400 ? problemSchema.parse(answer.body) : undefined;
    return { ...answer, code: problem?.code };
  };

  return {
    database,
    app,
    sync,
    people,
    profile,
    ask,
    seen,
    exchange: async (role, cookie) => {
      const userId = role === 'anonymous' || role === 'admin' ? undefined : people[role].id;
      const request: ExchangeRequest = {
        protocol: protocolVersion,
        schema: schemaVersion,
        userId,
        cookie,
        shelves: {},
        mutations: [],
        awaiting: [],
      };
      const response = await app.call('/api/sync', {
        method: 'POST',
        headers: { ...tokenOf(role), 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      return deltaSchema.parse(await response.json());
    },
    makeJobOf: async (changes = {}, answered = false) => {
      const job = makeJob({ userId: people.owner.id, ...changes, interestCount: answered ? 1 : 0 });
      await insertRows(database.sql, 'jobs', [job]);
      const interest = makeInterest({
        jobId: job.id,
        tradieId: profile.id,
        userId: people.owningTradie.id,
        ownerId: people.owner.id,
      });
      if (answered) await insertRows(database.sql, 'interests', [interest]);
      return job;
    },
    pass: (ms) => void (ahead += ms),
    digest: createDigest(database),
    cutDatabase: () => {
      isAway = true;
      return () => void (isAway = false);
    },
    close: async () => {
      closing.abort();
      await app.close();
      await sync.close();
      await database.close();
    },
  };
}

function makePeople(): CallsHarness['people'] {
  return {
    newcomer: makeUser({ email: 'new@example.nz' }),
    owner: makeUser({ firstName: 'Hinemoa', lastName: 'Tūhoe-Kaiwaka', email: 'hinemoa.tuhoe@example.nz' }),
    homeowner: makeUser(),
    activeTradie: makeUser({ subscriptionStatus: 'active' }),
    trialingTradie: makeUser({ subscriptionStatus: 'trialing', subscriptionValidUntil: '2999-01-01T00:00:00.000Z' }),
    lapsedTradie: makeUser({ subscriptionStatus: 'canceled' }),
    owningTradie: makeUser({ subscriptionStatus: 'active' }),
  };
}

async function seed(database: Database, people: CallsHarness['people'], profile: Tradie): Promise<void> {
  const winton = makeReference({ id: 'southland/winton', kind: 'location', name: 'Winton', region: 'Southland' });
  await insertRows(database.sql, 'reference', [makeReference(), winton]);
  const { newcomer: _, ...members } = people;
  const { activeTradie, trialingTradie, lapsedTradie } = people;
  const others = [activeTradie, trialingTradie, lapsedTradie].map((user) =>
    makeTradie({ id: makeTestId(), userId: user.id, email: user.email }),
  );
  await database.transaction(async (sql) => {
    await insertRows(sql, 'users', Object.values(members));
    await insertRows(sql, 'tradies', [profile, ...others]);
    await rawSql`update users set tradie_id = (select id from tradies where user_id = users.id)`.execute(sql);
  });
  for (const tradie of [profile, ...others])
    Object.values(people).find(({ id }) => id === tradie.userId)!.tradieId = tradie.id;
}

/** The driver's error when nothing answers. */
function withSwitch(database: Database, isAway: () => boolean): Database {
  const away = () => Object.assign(new Error('said by the test'), { code: 'ECONNREFUSED' });
  const sql = database.sql.withPlugin({
    transformQuery: ({ node }) => {
      if (isAway()) throw away();
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return {
    ...database,
    sql,
    transaction: async (work, options) => {
      if (isAway()) throw away();
      return database.transaction(work, options);
    },
  };
}

const people = [
  'users',
  'tradies',
  'jobs',
  'interests',
  'billing_checkout',
  'billing_customer',
  'nzbn_claim',
  'effect',
];

/**
 * Where the snapshot is that of the last time, no transaction that wrote anything has ended since: the digest is that
 * of the last time too.
 */
function createDigest(database: Database): () => Promise<string> {
  let last: { snapshot: string; digest: string } | undefined;
  return async () => {
    const { rows } = await rawSql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(
      database.sql,
    );
    const snapshot = rows[0]?.snapshot ?? '';
    if (last?.snapshot !== snapshot) last = { snapshot, digest: await digestOf(database) };
    return last.digest;
  };
}

async function digestOf({ sql }: Database): Promise<string> {
  const parts = people.map(
    (table) =>
      rawSql`(select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from ${rawSql.table(table)} t)`,
  );
  const { rows } = await rawSql<{ all: string }>`select concat_ws(' ', ${rawSql.join(parts)}) as "all"`.execute(sql);
  return rows[0]?.all ?? '';
}
