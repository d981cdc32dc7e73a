import { mutationsVersion, protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeAnswerSchema, maxMutations, maxRequestBytes } from '../../shared/protocol/exchange.ts';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { makeTestId, makeUser } from '../../shared/testing/make.ts';
import { openSyncHarness, post, sent, sqlError, type SyncHarness } from '../testing/sync-harness.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { TooManyExchanges } from './exchange-limit.ts';
import { exchangeRoute, type ExchangeSeen } from './exchange-route.ts';

describe('POST /api/sync', () => {
  const owner = makeUser();
  let harness: SyncHarness, app: TestApp;
  let failure: Error | undefined;
  const seen: ExchangeSeen[] = [];
  beforeAll(async () => {
    harness = await openSyncHarness('pglite');
    await harness.homeowner(owner);
    const verifyToken = (token: string) =>
      Promise.resolve(token.length === 36 ? { userId: token, email: 'somebody@example.nz' } : undefined);
    const deps = { verifyToken, anonKey: 'anon' };
    app = await openTestApp({
      database: harness.db,
      ...deps,
      embedded: [
        exchangeRoute({
          ...deps,
          observe: (one) => void seen.push(one),
          exchange: (person, request) =>
            failure === undefined ? harness.exchange(person, request) : Promise.reject(failure),
        }),
      ],
    });
  });
  afterAll(async () => {
    await app.close();
    await harness.close();
  });

  const request = (changes: object = {}) => ({
    protocol: 1,
    schema: 1,
    userId: owner.id,
    cookie: null,
    shelves: {},
    mutations: [],
    awaiting: [],
    ...changes,
  });
  const call = (body: unknown, headers: Record<string, string> = {}) =>
    app.call('/api/sync', {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.id}`, 'content-type': 'application/json', ...headers },
      body: body instanceof Uint8Array ? new Uint8Array(body) : typeof body === 'string' ? body : JSON.stringify(body),
    });
  const problemOf = async (response: Response) => ({
    status: response.status,
    ...problemSchema.parse(await response.json()),
  });

  it('[P1][P2][P8] takes a gzip body, answers compressed JSON of ours that must not be stored', async () => {
    const mutations = Array.from({ length: 40 }, () => post());
    const response = await call(gzipSync(JSON.stringify(request({ mutations }))), { 'content-encoding': 'gzip' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-encoding')).toMatch(/br|gzip/);
    const answer = exchangeAnswerSchema.parse(await response.json());
    expect(answer.kind === 'delta' && answer.outcomes.map(({ status }) => status)).toEqual(
      mutations.map(() => 'applied'),
    );
  });

  it('[S9] says 401 with a code of its own where the request is of another person than the token, and decides nothing', async () => {
    const mutation = post();
    const response = await call(request({ userId: makeTestId(), mutations: [mutation] }));
    expect(await problemOf(response)).toEqual({
      status: 401,
      code: 'other-person',
      error: 'Somebody else is signed in on this device. Sign in again.',
    });
    const after = exchangeAnswerSchema.parse(
      await (await call(request({ userId: owner.id, awaiting: [mutation.uid] }))).json(),
    );
    expect(after).toMatchObject({ kind: 'delta', outcomes: [] });
    expect((await problemOf(await call(request({ userId: 'nobody' })))).code).toBe('invalid');
  });

  it('[S9] asks an app that names no person, and has no cookie that does, to update, and decides nothing; the new version finds all of it waiting', async () => {
    const mutation = post();
    for (const cookie of [null, 'of another make', Buffer.from('{}').toString('base64url')]) {
      const response = await call(request({ userId: undefined, cookie, mutations: [mutation], awaiting: [] }));
      expect(await problemOf(response)).toMatchObject({ status: 426, code: 'update-needed' });
    }
    const named = exchangeAnswerSchema.parse(await (await call(request({ awaiting: [mutation.uid] }))).json());
    expect(named).toMatchObject({ kind: 'delta', outcomes: [] });
    const sentAgain = exchangeAnswerSchema.parse(await (await call(request({ mutations: [mutation] }))).json());
    expect(sentAgain).toMatchObject({ kind: 'delta', outcomes: [{ uid: mutation.uid, status: 'applied' }] });
  });

  it('[S9] an app that names no person goes on under a cookie of its person, and under no other’s', async () => {
    const first = exchangeAnswerSchema.parse(await (await call(request())).json());
    const cookie = first.kind === 'delta' ? first.cookie : '';
    const mutation = post();
    const drained = exchangeAnswerSchema.parse(
      await (await call(request({ userId: undefined, cookie, mutations: [mutation] }))).json(),
    );
    expect(drained).toMatchObject({ kind: 'delta', outcomes: [{ uid: mutation.uid, status: 'applied' }] });
    const another = await harness.homeowner();
    const woken = await call(request({ userId: undefined, cookie, mutations: [post()] }), {
      authorization: `Bearer ${another.id}`,
    });
    expect(await problemOf(woken)).toMatchObject({ status: 401, code: 'other-person' });
  });

  it.each([
    ['protocol', protocolVersion],
    ['schema', schemaVersion],
    ['mutationsVersion', mutationsVersion],
  ] as const)(
    'asks an app with a newer %s than this server to wait, and rejects and decides nothing of it',
    async (version, ours) => {
      const unknown = sent('job.fly', { id: makeTestId() });
      const known = post({ title: 'Fix the gate', aNewArg: 'that would be stripped' });
      const response = await call(request({ [version]: ours + 1, mutations: [unknown, known] }));
      expect(response.headers.get('retry-after')).toBe('30');
      expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
      const after = exchangeAnswerSchema.parse(
        await (await call(request({ awaiting: [unknown.uid, known.uid] }))).json(),
      );
      expect(after).toMatchObject({ kind: 'delta', outcomes: [] });
    },
  );

  it('counts as failed what was not answered, and not what was rejected', async () => {
    const stranger = makeTestId();
    const statusAnd = async (error: Error | undefined, headers = {}, userId = owner.id) => {
      seen.length = 0;
      failure = error;
      const { status } = await call(request({ userId }), headers);
      failure = undefined;
      return [status, seen.map(({ answer }) => answer?.kind)];
    };
    expect(await statusAnd(undefined)).toEqual([200, ['delta']]);
    expect(await statusAnd(sqlError('08006'))).toEqual([503, [undefined]]);
    expect(await statusAnd(new TooManyExchanges(1_500))).toEqual([429, []]);
    failure = new TooManyExchanges(1_001);
    const tooMany = await call(request());
    failure = undefined;
    expect(tooMany.headers.get('retry-after')).toBe('2');
    expect(await statusAnd(undefined, { authorization: `Bearer ${stranger}` }, stranger)).toEqual([403, []]);
  });

  it('tells who asked, from which device and how long it took, and believes a device’s id only where it looks like one', async () => {
    const device = 'f-7_'.repeat(4);
    seen.length = 0;
    for (const id of [device, `${device}!`, `!${device}`, 'short', 'x'.repeat(65)])
      await call(request(), { 'x-device-id': id });
    expect(seen.map((one) => one.device)).toEqual([device, undefined, undefined, undefined, undefined]);
    for (const { userId, ms } of seen) {
      expect(userId).toBe(owner.id);
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThan(600_000);
    }
  });

  it('writes what became of each mutation into the log, also where nothing was decided', async () => {
    const [applied, undecided] = [post(), post()];
    await call(request({ mutations: [applied] }));
    failure = new TooManyExchanges(1_000);
    await call(request({ mutations: [undecided] }));
    failure = undefined;
    const line = ({ uid, args }: typeof applied, end: string) =>
      `job.post ${uid} ${(args as { id: string }).id} ${end}`;
    // A request's line is written once its answer has left.
    await expect.poll(() => app.logged().includes(line(applied, 'applied'))).toBe(true);
    await expect.poll(() => app.logged().includes(line(undecided, 'undecided'))).toBe(true);
  });

  it('says how many changes a request may carry, and takes exactly so many', async () => {
    const uids = Array.from({ length: maxMutations + 1 }, () => makeTestId());
    const awaited = await call(request({ awaiting: uids }));
    expect(await problemOf(awaited)).toMatchObject({ status: 413, details: { mutations: maxMutations } });
    expect((await call(request({ awaiting: uids.slice(1) }))).status).toBe(200);
    const unknown = uids.slice(1).map((uid) => ({ ...sent('job.fly', {}), uid }));
    expect((await call(request({ mutations: unknown }))).status).toBe(200);
  });

  it('names the places that are wrong, each once and twenty at most', async () => {
    const wrong = { ...post(), uid: 'none', at: 'today' };
    const places = async (body: unknown) => (await problemOf(await call(body))).details?.['places'];
    expect(await places(request({ mutations: [wrong], cookie: 7 }))).toEqual([
      'cookie',
      'mutations.0.uid',
      'mutations.0.at',
    ]);
    expect(await places([])).toEqual(['body']);
    expect(await places(request({ mutations: Array.from({ length: 30 }, () => wrong) }))).toHaveLength(20);
  });

  it('[P7] says 401, 403, 413, 426 and 503 where it should, in the one error shape', async () => {
    expect(await problemOf(await call(request(), { authorization: '' }))).toMatchObject({
      status: 401,
      code: 'sign-in-needed',
    });
    expect(await problemOf(await call(request(), { authorization: 'Bearer forged' }))).toMatchObject({
      status: 401,
      code: 'sign-in-needed',
    });
    const stranger = makeTestId();
    expect(
      await problemOf(await call(request({ userId: stranger }), { authorization: `Bearer ${stranger}` })),
    ).toMatchObject({ status: 403, code: 'profile-missing' });
    expect(
      await problemOf(await call(request({ mutations: Array.from({ length: maxMutations + 1 }, () => post()) }))),
    ).toMatchObject({ status: 413, code: 'too-large' });
    expect(
      await problemOf(
        await call(
          gzipSync(JSON.stringify(request({ mutations: [post({ description: 'x'.repeat(maxRequestBytes) })] }))),
          {
            'content-encoding': 'gzip',
          },
        ),
      ),
    ).toMatchObject({ status: 413, code: 'too-large' });
    expect(await problemOf(await call({ protocol: 0, other: 'shape' }))).toMatchObject({
      status: 426,
      code: 'update-needed',
    });
    const newer = await call(request({ protocol: protocolVersion + 1 }));
    expect(newer.headers.get('retry-after')).toBe('30');
    expect(await problemOf(newer)).toMatchObject({ status: 503, code: 'unavailable' });
    failure = sqlError('08006');
    const away = await call(request());
    failure = undefined;
    expect(away.headers.get('retry-after')).toBe('2');
    expect(await problemOf(away)).toMatchObject({ status: 503, code: 'unavailable' });
  });

  it.each<[string, unknown]>([
    ['no JSON', '{"protocol":1'],
    ['nothing', 'null'],
    ['a list', []],
    ['no protocol', {}],
    ['a cookie that is a number', request({ cookie: 7 })],
    ['a uid that is none', request({ mutations: [post({}, 'me')] })],
    ['an instant that is none', request({ mutations: [{ ...post(), at: 'today' }] })],
    ['mutations that are no list', request({ mutations: {} })],
    ['gzip that is none', new Uint8Array([1, 2, 3])],
  ])('a malformed exchange is 400 in the error shape, and nothing happens: %s', async (_, body) => {
    const before = await sql`select 1 from sync_mutation`.execute(harness.db.sql);
    const problem = await problemOf(await call(body, body instanceof Uint8Array ? { 'content-encoding': 'gzip' } : {}));
    expect(problem.status).toBe(400);
    expect(['invalid', 'malformed']).toContain(problem.code);
    expect((await sql`select 1 from sync_mutation`.execute(harness.db.sql)).rows).toHaveLength(before.rows.length);
  });

  it.each(['\0', 'a\0b', '\ud800', 'ä'])(
    'a timeline that no server has named so is 400, and its place is said: %j',
    async (timeline) => {
      const from = await problemOf(
        await call(request({ mutations: [{ ...post(), from: { timeline, version: '1' } }] })),
      );
      expect([from.status, from.details]).toEqual([400, { places: ['mutations.0.from.timeline'] }]);
      const journal = await problemOf(await call(request({ journal: ['fine', timeline] })));
      expect([journal.status, journal.details]).toEqual([400, { places: ['journal.1'] }]);
    },
  );

  it('nothing a person wrote is in the log', async () => {
    await call(request({ mutations: [post({ title: 'Unspeakable' }), post({ categoryId: 'Unspeakable' })] }));
    await call(request({ mutations: [post({}, 'Unspeakable')] }));
    expect(app.logged() + harness.logged.join()).not.toContain('Unspeakable');
  });
});
