import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../shared/tables/index.ts';
import type { Database } from '../db/database.ts';
import { openSyncHouse, post, sqlError, withFaults, type SyncHouse } from '../testing/sync-house.ts';
import { databases } from '../testing/test-db.ts';
import { unpackCookie } from './cookie.ts';
import { createExchange, NamesNobody, OtherPerson, type Exchange } from './exchange.ts';
import { readHeadVersion } from './head-version.ts';
import { ProfileMissing } from './read-actor.ts';

describe.each(databases)('an exchange on %s', (kind) => {
  let house: SyncHouse;
  let owner: User;
  beforeEach(async () => {
    house = await openSyncHouse(kind);
    owner = await house.homeowner();
  });
  afterEach(() => house.close());

  it('[S2] a fault in the mutations does not hold back what changed', async () => {
    const job = await house.job(owner);
    const faulty = withFaults(house.db, (_, mode) => (mode === 'write' ? sqlError('40001') : undefined));
    const exchange = createExchange({ ...house.parts, database: faulty });
    const mutation = post();
    const answer = await house.ask(owner, { mutations: [mutation] }, exchange);
    expect(answer).toMatchObject({ kind: 'delta', puts: { jobs: [{ id: job.id }] }, stopped: { uid: mutation.uid, retryAfterMs: 2_000 }, outcomes: [] });
  });

  it('fails where not even the answer can be read; what was decided stays decided', async () => {
    const faulty = withFaults(house.db, (_, mode) => (mode === 'snapshot' ? sqlError('57P01') : undefined));
    const mutation = post();
    await expect(house.ask(owner, { mutations: [mutation] }, createExchange({ ...house.parts, database: faulty }))).rejects.toMatchObject({ code: '57P01' });
    expect(await house.ask(owner, { mutations: [mutation] })).toMatchObject({ outcomes: [{ uid: mutation.uid, status: 'applied' }], puts: { jobs: [{ id: mutation.args.id }] } });
  });

  it('somebody without a profile gets nothing', async () => {
    const userId = '0194b2a0-0000-7000-8000-000000000001';
    await expect(house.exchange({ userId }, { protocol: 1, schema: 1, userId, cookie: null, shelves: {}, mutations: [], awaiting: [] })).rejects.toThrow(ProfileMissing);
  });

  describe('[S9] with one person’s work and another’s token', () => {
    const decided = async () => [await house.db.sql.selectFrom('jobs').select('id').execute(), await house.db.sql.selectFrom('sync_mutation').select('uid').execute()];
    const cookieOf = async (user: User) => {
      const answer = await house.ask(user);
      return answer.kind === 'delta' ? answer.cookie : null;
    };

    it('refuses before anything is decided or read', async () => {
      const other = await house.homeowner();
      await expect(house.ask(other, { userId: owner.id, mutations: [post()] })).rejects.toThrow(OtherPerson);
      const unreachable = withFaults(house.db, () => sqlError('08006'));
      await expect(house.ask(other, { userId: owner.id }, createExchange({ ...house.parts, database: unreachable }))).rejects.toThrow(OtherPerson);
      expect(await decided()).toEqual([[], []]);
    });

    it('refuses a phone too old to name its person by the cookie it carries', async () => {
      const other = await house.homeowner();
      const cookie = await cookieOf(owner);
      await expect(house.ask(other, { userId: undefined, cookie, mutations: [post()] })).rejects.toThrow(OtherPerson);
      expect(await decided()).toEqual([[], []]);
      const mutation = post();
      expect(await house.ask(owner, { userId: undefined, cookie, mutations: [mutation] })).toMatchObject({ outcomes: [{ uid: mutation.uid, status: 'applied' }] });
      // Neither names anybody: whose outbox it is, nothing tells.
      for (const unreadable of [null, 'no cookie of ours']) {
        await expect(house.ask(owner, { userId: undefined, cookie: unreadable, mutations: [post()] })).rejects.toThrow(NamesNobody);
      }
      expect((await decided())[1]).toEqual([{ uid: mutation.uid }]);
      expect(await house.ask(other, { cookie: 'no cookie of ours' })).toEqual({ kind: 'reset', reason: 'unreadable' });
    });

    it('refuses where it could answer from memory, too', async () => {
      const head = await readHeadVersion(house.db.sql);
      const exchange = createExchange({ ...house.parts, headVersion: () => head });
      const device = house.device(owner, exchange);
      await device.sync();
      const other = await house.homeowner();
      await expect(house.ask(owner, { userId: other.id, cookie: device.cookie }, exchange)).rejects.toThrow(OtherPerson);
      await expect(house.ask(other, { userId: undefined, cookie: device.cookie }, exchange)).rejects.toThrow(OtherPerson);
    });

    it('takes the work of a phone that names its person, whatever cookie an older version of it was left with, and resets that', async () => {
      const other = await house.homeowner();
      const mutation = post();
      expect(await house.ask(owner, { cookie: await cookieOf(other), mutations: [mutation] })).toEqual({ kind: 'reset', reason: 'view' });
      expect(await house.ask(owner, { awaiting: [mutation.uid] })).toMatchObject({ outcomes: [{ uid: mutation.uid, status: 'applied' }] });
    });
  });

  it('[P9] the shelves are asked inside the same snapshot, on the last page only', async () => {
    const asked: unknown[] = [];
    for (let n = 0; n < 3; n += 1) await house.job(owner);
    const exchange = createExchange({
      ...house.parts,
      pageSize: 2,
      shelves: {
        answer: async ({ sql: tx, actor, asked: versions, standing: { head }, now }) => {
          const { rows } = await sql<{ ro: string }>`select current_setting('transaction_read_only') as ro`.execute(tx);
          asked.push([rows[0]?.ro, actor.id, versions, head, now]);
          return { feed: { denied: true } };
        },
      },
    });
    const device = house.device(owner, exchange);
    await device.sync();
    expect(device.answers.map((answer) => answer.kind === 'delta' && answer.shelves)).toEqual([{}, { feed: { denied: true } }]);
    expect(asked).toEqual([['on', owner.id, {}, unpackCookie(device.cookie!)?.v, house.now().toISOString()]]);
  });

  describe('with nothing new', () => {
    let head: string | undefined;
    let queries = 0;
    let exchange: Exchange;
    const hear = async () => {
      head = await readHeadVersion(house.db.sql);
    };
    beforeEach(async () => {
      queries = 0;
      const watched: Database = {
        ...house.db,
        get sql() {
          queries += 1;
          return house.db.sql;
        },
        transaction: (work, options) => {
          queries += 1;
          return house.db.transaction(work, options);
        },
      };
      exchange = createExchange({ ...house.parts, database: watched, headVersion: () => head });
      await hear();
    });
    const settled = async (user: User) => {
      const device = house.device(user, exchange);
      await device.sync();
      queries = 0;
      return device;
    };

    it('asks the database nothing, and answers as it would', async () => {
      const device = await settled(owner);
      const before = device.cookie;
      expect(await device.sync()).toEqual({ kind: 'delta', puts: {}, removes: {}, shelves: {}, outcomes: [], cookie: before, more: false, serverTime: house.now().toISOString() });
      const shelves = { reference: head, directory: head };
      expect(await house.ask(owner, { cookie: before, shelves }, exchange)).toMatchObject({ shelves: { reference: { puts: [], removes: [], version: head }, directory: { version: head } } });
      expect(queries).toBe(0);
    });

    it('asks it as soon as anything was committed, and only until then', async () => {
      const device = await settled(owner);
      const job = await house.job(owner);
      await hear();
      await device.sync();
      expect(device.row('jobs', job.id)).toEqual(job);
      expect(queries).toBe(1);
      await device.sync();
      expect(queries).toBe(1);
    });

    it('asks it where there is something to say, another cookie, an older shelf, or nobody listens', async () => {
      const device = await settled(owner);
      const { cookie } = device;
      const other = await house.ask(await house.homeowner());
      await hear();
      for (const request of [{ cookie: null }, { cookie }, { cookie: other.kind === 'delta' ? other.cookie : '' }, { shelves: { reference: null } }, { shelves: { reference: '0' } }, { schema: 2 }, { awaiting: [owner.id] }, { mutations: [post()] }]) {
        const current = await settled(owner);
        await house.ask(owner, { cookie: current.cookie, ...request }, exchange);
        expect(queries, JSON.stringify(request)).toBeGreaterThan(0);
        await hear();
      }
      const current = await settled(owner);
      head = undefined;
      await current.sync();
      expect(queries).toBe(1);
    });

    it('[S8] asks it when a subscription has run out by the clock, and for the feed without one', async () => {
      const { user } = await house.tradie({ subscriptionValidUntil: new Date(house.now().getTime() + 60_000).toISOString() });
      await hear();
      const device = await settled(user);
      await house.ask(user, { cookie: device.cookie, shelves: { feed: head } }, exchange);
      expect(queries).toBe(0);
      house.pass(61_000);
      await device.sync();
      expect(device.answers.at(-2)).toEqual({ kind: 'reset', reason: 'view' });
      queries = 0;
      await house.ask(user, { cookie: device.cookie, shelves: { feed: head } }, exchange);
      expect(queries).toBe(1);
    });

    it('one person’s rights are not another’s', async () => {
      const device = await settled(owner);
      const stranger = await house.tradie();
      await hear();
      const answer = await house.ask(stranger.user, { cookie: device.cookie }, exchange);
      expect(answer).toEqual({ kind: 'reset', reason: 'view' });
    });
  });
});
