import { randomUUID } from 'node:crypto';
import type { MutationName } from '../../shared/mutations/index.ts';
import type { ExchangeAnswer, ExchangeRequest, Outcome, SentMutation } from '../../shared/protocol/exchange.ts';
import { exchangeAnswerSchema } from '../../shared/protocol/exchange.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { privateTableNames, type Job, type Tradie, type User } from '../../shared/tables/index.ts';
import { makeJob, makeReference, makeTestId, makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { Database } from '../db/database.ts';
import { insertRows, writable } from '../db/write-rows.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { createExchange, type Exchange, type ExchangeParts } from '../sync/exchange.ts';
import type { SyncParts } from '../sync/sync-parts.ts';
import { openTestDb, type databases, type TestDatabase } from './test-db.ts';

type Row = { id: string } & Record<string, unknown>;

/** A device without screens: it stores what it is sent, and trusts every answer. */
export interface SyncDevice {
  readonly rows: Map<string, Map<string, Row>>;
  readonly outcomes: Map<string, Outcome>;
  cookie: string | null;
  /** Every answer, newest last. */
  readonly answers: ExchangeAnswer[];
  /** Asks until it has everything. */
  sync(mutations?: readonly SentMutation[]): Promise<ExchangeAnswer>;
  row(table: string, id: string): Row | undefined;
}

export interface SyncHarness {
  db: TestDatabase;
  parts: ExchangeParts & SyncParts;
  exchange: Exchange;
  /** What was logged, as JSON lines. */
  logged: string[];
  now(): Date;
  pass(ms: number): void;
  homeowner(changes?: Partial<User>): Promise<User>;
  tradie(changes?: Partial<User>): Promise<{ user: User; tradie: Tradie }>;
  job(owner: User, changes?: Partial<Job>): Promise<Job>;
  device(user: User, over?: Exchange): SyncDevice;
  /** One exchange of this person. */
  ask(user: User, request?: Partial<ExchangeRequest>, over?: Exchange): Promise<ExchangeAnswer>;
  close(): Promise<void>;
}

export const categoryId = 'spouting';
export const locationId = 'southland/winton';
const at = '2026-11-21T00:00:00.000Z';

export function sent(name: MutationName | (string & {}), args: unknown, uid: string = randomUUID()): SentMutation {
  return { uid, name, args, at };
}

/** A job as a person posts it. */
export function post(
  changes: Record<string, unknown> = {},
  uid?: string,
): SentMutation & { args: { id: string; title: unknown } } {
  const args = {
    id: makeTestId(),
    title: 'Fix the gate',
    description: 'It sags.',
    locationId,
    urgency: 'soon',
    categoryId,
    ...changes,
  };
  return { ...sent('job.post', args, uid), args };
}

/** One exchange of this person, as it goes over the wire, and as a device reads it. */
export async function askExchange(
  over: Exchange,
  user: Pick<User, 'id'>,
  request: Partial<ExchangeRequest> = {},
): Promise<ExchangeAnswer> {
  const answer = await over(
    { userId: user.id },
    {
      protocol: protocolVersion,
      schema: schemaVersion,
      userId: user.id,
      cookie: null,
      shelves: {},
      mutations: [],
      awaiting: [],
      ...request,
    },
  );
  const text: unknown = JSON.parse(JSON.stringify(answer));
  return exchangeAnswerSchema.parse(text);
}

export async function openSyncHarness(
  kind: (typeof databases)[number],
  given: Partial<ExchangeParts> = {},
): Promise<SyncHarness> {
  const db = await openTestDb(kind);
  let ms = Date.UTC(2026, 10, 21);
  const logged: string[] = [];
  const write = (details: unknown, text?: unknown) => void logged.push(JSON.stringify([details, text]));
  const now = () => new Date(ms);
  const parts = {
    database: db,
    store: createSqlStore(db),
    clock: now,
    log: { info: write, warn: write, error: write },
    ...given,
  };
  const exchange = createExchange(parts);
  await insertRows(db.sql, 'reference', [
    makeReference({ id: categoryId }),
    makeReference({ id: locationId, kind: 'location', region: 'Southland' }),
  ]);

  const ask: SyncHarness['ask'] = (user, request = {}, over = exchange) => askExchange(over, user, request);

  return {
    db,
    parts,
    exchange,
    logged,
    now,
    ask,
    pass: (by) => void (ms += by),
    async homeowner(changes) {
      const user = makeUser(changes);
      await insertRows(db.sql, 'users', [user]);
      return user;
    },
    async tradie(changes = {}) {
      const user = makeUser({ subscriptionStatus: 'active', ...changes });
      const tradie = makeTradie({ userId: user.id });
      await db.transaction(async (tx) => {
        await insertRows(tx, 'users', [{ ...user, tradieId: null }]);
        await insertRows(tx, 'tradies', [tradie]);
        await writable(tx).updateTable('users').set({ tradie_id: tradie.id }).where('id', '=', user.id).execute();
      });
      return { user: { ...user, tradieId: tradie.id }, tradie };
    },
    async job(owner, changes) {
      const job = makeJob({ userId: owner.id, ...changes });
      await insertRows(db.sql, 'jobs', [job]);
      return job;
    },
    device: (user, over) => openDevice((request) => ask(user, request, over)),
    close: () => db.close(),
  };
}

function openDevice(ask: (request: Partial<ExchangeRequest>) => Promise<ExchangeAnswer>): SyncDevice {
  const rows = new Map<string, Map<string, Row>>(privateTableNames.map((table) => [table, new Map()]));
  const awaiting = new Set<string>();
  let firstLoad: Set<string> | undefined = new Set();
  const device: SyncDevice = {
    rows,
    outcomes: new Map(),
    cookie: null,
    answers: [],
    row: (table, id) => rows.get(table)?.get(id),
    async sync(mutations = []) {
      let waiting = mutations;
      for (;;) {
        const answer = await ask({ cookie: device.cookie, mutations: [...waiting], awaiting: [...awaiting] });
        device.answers.push(answer);
        waiting.forEach(({ uid }) => awaiting.add(uid));
        waiting = [];
        if (answer.kind === 'reset') {
          device.cookie = null;
          firstLoad = new Set();
          continue;
        }
        for (const [table, puts] of Object.entries(answer.puts))
          for (const row of puts as Row[]) {
            rows.get(table)!.set(row.id, row);
            firstLoad?.add(row.id);
          }
        for (const [table, ids] of Object.entries(answer.removes)) for (const id of ids) rows.get(table)!.delete(id);
        for (const outcome of answer.outcomes) {
          device.outcomes.set(outcome.uid, outcome);
          awaiting.delete(outcome.uid);
        }
        device.cookie = answer.cookie;
        if (answer.more) continue;
        if (firstLoad !== undefined)
          for (const held of rows.values()) for (const id of held.keys()) if (!firstLoad.has(id)) held.delete(id);
        firstLoad = undefined;
        return answer;
      }
    },
  };
  return device;
}

/** The place in a transaction where something goes wrong. */
export type FaultPoint = { before: number } | { after: number } | 'before commit' | 'after commit';

/** The database, with `fail` called at each point of each transaction: what it returns is thrown there. */
export function withFaults(
  database: Database,
  fail: (point: FaultPoint, mode: 'write' | 'snapshot') => Error | undefined,
): Database {
  return {
    ...database,
    transaction: async (work, options = {}) => {
      const mode = options.mode ?? 'write';
      const at = (point: FaultPoint) => {
        const error = fail(point, mode);
        if (error !== undefined) throw error;
      };
      const answer = await database.transaction(async (sql) => {
        let statement = 0;
        const watched = sql.withPlugin({
          transformQuery: ({ node }) => {
            at({ before: (statement += 1) });
            return node;
          },
          transformResult: async ({ result }) => {
            at({ after: statement });
            return result;
          },
        });
        const done = await work(watched);
        at('before commit');
        return done;
      }, options);
      at('after commit');
      return answer;
    },
  };
}

/** An error as the driver throws it. */
export function sqlError(code: string): Error {
  return Object.assign(new Error('said by the test'), { code });
}
