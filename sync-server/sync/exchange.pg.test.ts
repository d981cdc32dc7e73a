import { schemaVersion } from '../../shared/protocol/version.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../shared/tables/index.ts';
import { openSyncHarness, post, sqlError, withFaults, type SyncHarness } from '../testing/sync-harness.ts';
import { createSqlStore } from '../store/sql-store.ts';
import type { SyncStore } from '../store/sync-store.ts';
import { watchedStore } from '../testing/watched-store.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { unpackCookie } from './cookie.ts';
import { createExchange, PersonMissing, OtherPerson, type Exchange } from './exchange.ts';
import { ProfileMissing } from './read-actor.ts';

describe.each(usualDatabase)('an exchange on %s', (kind) => {
  let harness: SyncHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openSyncHarness(kind);
    owner = await harness.homeowner();
  });
  afterEach(() => harness.close());

  it('[S2] an error in the mutations does not hold back what changed', async () => {
    const job = await harness.job(owner);
    const faulty = withFaults(harness.db, (_, mode) => (mode === 'write' ? sqlError('40001') : undefined));
    const exchange = createExchange({ ...harness.parts, store: createSqlStore(faulty) });
    const mutation = post();
    const answer = await harness.ask(owner, { mutations: [mutation] }, exchange);
    expect(answer).toMatchObject({
      kind: 'delta',
      puts: { jobs: [{ id: job.id }] },
      stopped: { uid: mutation.uid, retryAfterMs: 2_000 },
      outcomes: [],
    });
  });

  it('fails where not even the answer can be read; what was decided stays decided', async () => {
    const faulty = withFaults(harness.db, (_, mode) => (mode === 'snapshot' ? sqlError('57P01') : undefined));
    const mutation = post();
    await expect(
      harness.ask(
        owner,
        { mutations: [mutation] },
        createExchange({ ...harness.parts, store: createSqlStore(faulty) }),
      ),
    ).rejects.toMatchObject({ code: '57P01' });
    expect(await harness.ask(owner, { mutations: [mutation] })).toMatchObject({
      outcomes: [{ uid: mutation.uid, status: 'applied' }],
      puts: { jobs: [{ id: mutation.args.id }] },
    });
  });

  it('says that mutations are decided before it reads the answer, and where there are none says nothing', async () => {
    const heard: string[] = [];
    const { store } = harness.parts;
    const exchange = createExchange({
      ...harness.parts,
      onDecided: () => void heard.push('decided'),
      store: { ...store, snapshot: (work) => (heard.push('read'), store.snapshot(work)) },
    });
    await harness.ask(owner, {}, exchange);
    expect(heard).toEqual(['read']);
    await harness.ask(owner, { mutations: [post()] }, exchange);
    expect(heard).toEqual(['read', 'decided', 'read']);
  });

  it('a person without a profile gets nothing', async () => {
    const userId = '0194b2a0-0000-7000-8000-000000000001';
    await expect(
      harness.exchange(
        { userId },
        { protocol: 1, schema: 1, userId, cookie: null, shelves: {}, mutations: [], awaiting: [] },
      ),
    ).rejects.toThrow(ProfileMissing);
  });

  describe('[S9] with one person’s mutations and another’s token', () => {
    const decided = async () => [
      await harness.db.sql.selectFrom('jobs').select('id').execute(),
      await harness.db.sql.selectFrom('sync_mutation').select('uid').execute(),
    ];
    const cookieOf = async (user: User) => {
      const answer = await harness.ask(user);
      return answer.kind === 'delta' ? answer.cookie : null;
    };

    it('rejects before anything is decided or read', async () => {
      const other = await harness.homeowner();
      await expect(harness.ask(other, { userId: owner.id, mutations: [post()] })).rejects.toThrow(OtherPerson);
      const unreachable = withFaults(harness.db, () => sqlError('08006'));
      await expect(
        harness.ask(
          other,
          { userId: owner.id },
          createExchange({ ...harness.parts, store: createSqlStore(unreachable) }),
        ),
      ).rejects.toThrow(OtherPerson);
      expect(await decided()).toEqual([[], []]);
    });

    it('rejects a phone too old to name its person by the cookie it carries', async () => {
      const other = await harness.homeowner();
      const cookie = await cookieOf(owner);
      await expect(harness.ask(other, { userId: undefined, cookie, mutations: [post()] })).rejects.toThrow(OtherPerson);
      expect(await decided()).toEqual([[], []]);
      const mutation = post();
      expect(await harness.ask(owner, { userId: undefined, cookie, mutations: [mutation] })).toMatchObject({
        outcomes: [{ uid: mutation.uid, status: 'applied' }],
      });
      // Neither names a person, so the outbox's owner is unknown.
      for (const unreadable of [null, 'no cookie of ours']) {
        await expect(
          harness.ask(owner, { userId: undefined, cookie: unreadable, mutations: [post()] }),
        ).rejects.toThrow(PersonMissing);
      }
      expect((await decided())[1]).toEqual([{ uid: mutation.uid }]);
      expect(await harness.ask(other, { cookie: 'no cookie of ours' })).toEqual({
        kind: 'reset',
        reason: 'unreadable',
      });
    });

    it('rejects where it could answer from memory, too', async () => {
      const head = await harness.parts.store.single.readHead();
      const exchange = createExchange({ ...harness.parts, headVersion: () => head });
      const device = harness.device(owner, exchange);
      await device.sync();
      const other = await harness.homeowner();
      await expect(harness.ask(owner, { userId: other.id, cookie: device.cookie }, exchange)).rejects.toThrow(
        OtherPerson,
      );
      await expect(harness.ask(other, { userId: undefined, cookie: device.cookie }, exchange)).rejects.toThrow(
        OtherPerson,
      );
    });

    it('takes the mutations of a phone that names its person, whatever cookie an older version of it stored, and resets that', async () => {
      const other = await harness.homeowner();
      const mutation = post();
      expect(await harness.ask(owner, { cookie: await cookieOf(other), mutations: [mutation] })).toEqual({
        kind: 'reset',
        reason: 'view',
      });
      expect(await harness.ask(owner, { awaiting: [mutation.uid] })).toMatchObject({
        outcomes: [{ uid: mutation.uid, status: 'applied' }],
      });
    });
  });

  it('[P9] the collections are read in the same snapshot, on the last page only', async () => {
    const asked: unknown[] = [];
    let snapshot: unknown;
    const store: SyncStore = {
      ...harness.parts.store,
      snapshot: (work) => harness.parts.store.snapshot((tx) => work((snapshot = tx) as typeof tx)),
    };
    for (let n = 0; n < 3; n += 1) await harness.job(owner);
    const exchange = createExchange({
      ...harness.parts,
      store,
      pageSize: 2,
      collections: {
        answer: async ({ tx, actor, asked: versions, position: { head }, now }) => {
          asked.push([tx === snapshot, actor.id, versions, head, now]);
          return { feed: { denied: true } };
        },
      },
    });
    const device = harness.device(owner, exchange);
    await device.sync();
    expect(device.answers.map((answer) => answer.kind === 'delta' && answer.shelves)).toEqual([
      {},
      { feed: { denied: true } },
    ]);
    expect(asked).toEqual([[true, owner.id, {}, unpackCookie(device.cookie!)?.v, harness.now().toISOString()]]);
  });

  describe('with nothing new', () => {
    let head: string | undefined;
    let seen: string;
    let queries = 0;
    let exchange: Exchange;
    const hear = async () => {
      head = seen = await harness.parts.store.single.readHead();
    };
    beforeEach(async () => {
      queries = 0;
      const { timeline } = await harness.db.sql
        .selectFrom('sync_meta')
        .select('lineage as timeline')
        .executeTakeFirstOrThrow();
      exchange = createExchange({
        ...harness.parts,
        store: watchedStore(harness.parts.store, () => void (queries += 1)),
        headVersion: () => head,
        seen: () => ({ timeline, head: seen }),
      });
      await hear();
    });
    const settled = async (user: User) => {
      const device = harness.device(user, exchange);
      await device.sync();
      queries = 0;
      return device;
    };

    it('asks the database nothing, and answers as it would', async () => {
      const device = await settled(owner);
      const before = device.cookie;
      expect(await device.sync()).toEqual({
        kind: 'delta',
        puts: {},
        removes: {},
        shelves: {},
        outcomes: [],
        cookie: before,
        more: false,
        serverTime: harness.now().toISOString(),
      });
      const collections = { reference: head, directory: head };
      expect(await harness.ask(owner, { cookie: before, shelves: collections }, exchange)).toMatchObject({
        shelves: { reference: { puts: [], removes: [], version: head }, directory: { version: head } },
      });
      expect(queries).toBe(0);
    });

    it('asks it as soon as anything was committed, and only until then', async () => {
      const device = await settled(owner);
      const job = await harness.job(owner);
      await hear();
      await device.sync();
      expect(device.row('jobs', job.id)).toEqual(job);
      expect(queries).toBe(1);
      await device.sync();
      expect(queries).toBe(1);
    });

    it('asks it where there is something to say, another cookie, an older collection, or no subscription to commits', async () => {
      const device = await settled(owner);
      const { cookie } = device;
      const other = await harness.ask(await harness.homeowner());
      await hear();
      for (const request of [
        { cookie: null },
        { cookie },
        { cookie: other.kind === 'delta' ? other.cookie : '' },
        { shelves: { reference: null } },
        { shelves: { reference: '0' } },
        { schema: schemaVersion + 1 },
        { awaiting: [owner.id] },
        { mutations: [post()] },
      ]) {
        const current = await settled(owner);
        await harness.ask(owner, { cookie: current.cookie, ...request }, exchange);
        expect(queries, JSON.stringify(request)).toBeGreaterThan(0);
        await hear();
      }
      const current = await settled(owner);
      head = undefined;
      await current.sync();
      expect(queries).toBe(1);
    });

    it('[S8] asks it when a subscription has run out by the clock, and for the feed without one', async () => {
      const { user } = await harness.tradie({
        subscriptionValidUntil: new Date(harness.now().getTime() + 60_000).toISOString(),
      });
      await hear();
      const device = await settled(user);
      await harness.ask(user, { cookie: device.cookie, shelves: { feed: head } }, exchange);
      expect(queries).toBe(0);
      harness.pass(61_000);
      await device.sync();
      expect(device.answers.at(-2)).toEqual({ kind: 'reset', reason: 'view' });
      queries = 0;
      await harness.ask(user, { cookie: device.cookie, shelves: { feed: head } }, exchange);
      expect(queries).toBe(1);
    });

    it('one person’s rights are not another’s', async () => {
      const device = await settled(owner);
      const stranger = await harness.tradie();
      await hear();
      const answer = await harness.ask(stranger.user, { cookie: device.cookie }, exchange);
      expect(answer).toEqual({ kind: 'reset', reason: 'view' });
    });
  });
});
