import { sql as rawSql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readRow } from '../api/read-rows.ts';
import { insertRows } from '../db/write-rows.ts';
import { openCallsHarness, type CallsHarness } from '../testing/calls-harness.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { Tradie } from '../../shared/tables/index.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { isVerifiedByNow } from './nzbn-checks.ts';
import { createAskRegister } from './nzbn-register.ts';
import { recheckNzbns } from './recheck-nzbns.ts';
import { nzbnRules, verifyNzbn } from './verify-nzbn.ts';

const good = '9429036748471';
const wrong = '9429040402544';
const key = 'register-key-of-the-test';

describe.each(usualDatabase)('the register of business numbers, on %s', (kind) => {
  let harness: CallsHarness;
  let ahead: number;
  let asked: { url: string; key: string | null }[];
  let register: () => Response | Promise<Response>;
  let warned: string[];
  const clock = () => new Date(Date.now() + ahead);
  const entity = (entityStatusCode: string, status = 200) =>
    Response.json({ entityName: 'SOUTHERN SPOUTING LIMITED', entityStatusCode, nzbn: good }, { status });

  function parts(hasKey = true) {
    const fetch: typeof globalThis.fetch = async (input, init) => {
      asked.push({ url: String(input), key: new Headers(init?.headers).get('Ocp-Apim-Subscription-Key') });
      return register();
    };
    const log = { warn: (...line: unknown[]) => void warned.push(JSON.stringify(line)) };
    const askRegister = hasKey ? createAskRegister({ apiKey: key, fetch }) : undefined;
    return { database: harness.database, clock, log: log as never, askRegister, closing: new AbortController().signal };
  }
  const verify = (nzbn = good, hasKey = true) => verifyNzbn(parts(hasKey), nzbn);

  beforeEach(async () => {
    [harness, ahead, asked, warned, register] = [await openCallsHarness(kind), 0, [], [], () => entity('50')];
  });
  afterEach(() => harness.close());

  test('without a key the check digit decides, and the register is not asked', async () => {
    expect(await verify(good, false)).toEqual({ isVerified: true, by: 'check-digit' });
    expect(await verify(wrong, false)).toEqual({ isVerified: false, by: 'none' });
    expect(await verify('not a number', false)).toEqual({ isVerified: false, by: 'none' });
    expect(asked).toEqual([]);
  });

  test('with a key the register is asked, once in a long while [§settled]', async () => {
    const said = { isVerified: true, by: 'register', entityName: 'SOUTHERN SPOUTING LIMITED' };
    expect([await verify(), await verify()]).toEqual([said, said]);
    expect(asked).toEqual([{ url: `https://api.business.govt.nz/gateway/nzbn/v5/entities/${good}`, key }]);
    expect((await verify(wrong)).by).toBe('none');
    expect(asked).toHaveLength(1);
    ahead = nzbnRules.registeredFor + 1_000;
    register = () => entity('80');
    expect(await verify()).toMatchObject({ isVerified: false, by: 'register' });
    expect(await isVerifiedByNow(harness.database.sql, good)).toBe(false);
    ahead += nzbnRules.absentFor + 1_000;
    register = () => entity('50');
    expect(await verify()).toMatchObject({ isVerified: true, by: 'register' });
  });

  test('a number that is not there, or an entity that is removed, is not verified', async () => {
    register = () => Response.json({ errorCode: 'ENTITY_NOT_FOUND' }, { status: 404 });
    expect(await verify()).toMatchObject({ isVerified: false, by: 'register' });
  });

  test.each([
    ['takes no key of ours', () => Response.json({}, { status: 401 })],
    ['has too much to do', () => Response.json({}, { status: 429 })],
    ['is out of order', () => new Response('<html>', { status: 502 })],
    ['says something else', () => Response.json({ items: [] })],
    [
      'says nothing that can be read',
      () => new Response('{"entity', { headers: { 'content-type': 'application/json' } }),
    ],
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['does not answer in time', () => Promise.reject(new DOMException('timed out', 'TimeoutError'))],
  ])(
    'where it %s the check digit counts, it is let be for a while, and the key is not logged',
    async (_what, answer) => {
      register = answer;
      expect([await verify(), await verify()]).toEqual([
        { isVerified: true, by: 'check-digit' },
        { isVerified: true, by: 'check-digit' },
      ]);
      expect(asked).toHaveLength(1);
      expect(warned).toHaveLength(1);
      expect(warned.join()).not.toContain(key);
      ahead = nzbnRules.pause + 1_000;
      register = () => entity('50');
      expect((await verify()).by).toBe('register');
    },
  );

  test('an earlier answer counts while it is away', async () => {
    await verify();
    ahead = nzbnRules.registeredFor + 1_000;
    register = () => new Response('', { status: 503 });
    expect(await verify()).toMatchObject({ isVerified: true, by: 'register' });
  });

  test('once there is a key, profiles are corrected one by one, and their devices are poked', async () => {
    const make = async (nzbn: string, isVerified: boolean): Promise<Tradie> => {
      const user = makeUser();
      const tradie = makeTradie({ userId: user.id, nzbn, isVerified });
      await insertRows(harness.database.sql, 'users', [user]);
      await insertRows(harness.database.sql, 'tradies', [tradie]);
      return tradie;
    };
    const [gone, claimed] = [await make(good, true), await make(wrong, true)];
    const before = await harness.exchange('owningTradie', null);
    expect(await recheckNzbns(parts(false))).toBe(0);
    register = () => entity(asked.at(-1)?.url.endsWith(good) === true ? '80' : '50');
    ahead = nzbnRules.pause + 1_000;
    expect(await recheckNzbns(parts())).toBe(2);
    const isVerified = async ({ id }: Tradie) => (await readRow(harness.database.sql, 'tradies', id))?.isVerified;
    expect([await isVerified(gone), await isVerified(claimed), await isVerified(harness.profile)]).toEqual([
      false,
      false,
      true,
    ]);
    const questions = asked.length;
    ahead += nzbnRules.pause + 1_000;
    expect(await recheckNzbns(parts())).toBe(0);
    expect(asked).toHaveLength(questions);

    ahead += nzbnRules.registeredFor + 1_000;
    register = () => entity('80');
    expect(await recheckNzbns(parts())).toBeGreaterThan(0);
    // An instance may answer "nothing new" until it is notified of the commit; then it pokes.
    await vi.waitFor(
      async () =>
        expect((await harness.exchange('owningTradie', before.cookie)).puts.tradies).toMatchObject([
          { id: harness.profile.id, isVerified: false },
        ]),
      { timeout: 30_000 },
    );
  });

  test('the register’s name of the business is in its profile, once the register was asked', async () => {
    const read = async () => (await harness.ask('anonymous', 'tradies.read', { id: harness.profile.id })).body;
    expect(await read()).not.toHaveProperty('registeredName');
    await recheckNzbns(parts());
    expect(await read()).toMatchObject({ registeredName: 'SOUTHERN SPOUTING LIMITED' });
    expect((await harness.ask('owningTradie', 'tradies.mine')).body).toMatchObject({
      registeredName: 'SOUTHERN SPOUTING LIMITED',
    });
  });

  const rename = async (businessName: string) => {
    const answer = await harness.ask('owningTradie', 'tradies.edit', {
      id: harness.profile.id,
      body: { businessName },
    });
    expect(answer.status).toBe(200);
    return (await readRow(harness.database.sql, 'tradies', harness.profile.id))?.isVerified;
  };
  const isMarked = async () => (await readRow(harness.database.sql, 'tradies', harness.profile.id))?.isVerified;

  test.each([[true], [false]])(
    'a business that renames itself has no mark until it was checked again (with a key: %s)',
    async (hasKey) => {
      await recheckNzbns(parts(hasKey));
      expect(await isMarked()).toBe(true);
      expect(await rename('Another Name Entirely')).toBe(false);
      await recheckNzbns(parts(hasKey));
      expect(await isMarked()).toBe(true);
      await harness.ask('owningTradie', 'tradies.edit', {
        id: harness.profile.id,
        body: { description: 'Drains too.' },
      });
      expect(await isMarked()).toBe(true);
    },
  );

  test('a renamed business has no mark while the register that could be asked does not answer', async () => {
    register = () => new Response('', { status: 503 });
    expect(await rename('Another Name Entirely')).toBe(false);
    expect([await recheckNzbns(parts()), await isMarked()]).toEqual([0, false]);
    ahead = nzbnRules.pause + 1_000;
    register = () => entity('50');
    expect([await recheckNzbns(parts()), await isMarked()]).toEqual([1, true]);
  });

  test('a lapsed business whose number another holds never gets the mark back', async () => {
    await rawSql`update users set subscription_status = 'canceled' where id = ${harness.profile.userId}`.execute(
      harness.database.sql,
    );
    const holder = makeUser({ subscriptionStatus: 'active' });
    await insertRows(harness.database.sql, 'users', [holder]);
    await rawSql`insert into nzbn_claim (nzbn, holder_id, has_subscribed) values (${harness.profile.nzbn}, ${holder.id}, true)
      on conflict (nzbn) do update set holder_id = excluded.holder_id`.execute(harness.database.sql);
    for (const hasKey of [true, false]) {
      await recheckNzbns(parts(hasKey));
      expect(await isMarked()).toBe(false);
      await rawSql`update tradies set is_verified = false`.execute(harness.database.sql);
    }
  });

  test('two instances at once ask about each number once', async () => {
    await Promise.all([recheckNzbns(parts()), recheckNzbns(parts())]);
    expect(new Set(asked.map(({ url }) => url)).size).toBe(asked.length);
  });
});
