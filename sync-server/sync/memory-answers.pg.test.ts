import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { User } from '../../shared/tables/index.ts';
import { startNewTimeline } from '../db/new-timeline.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { openSyncHarness, type SyncHarness } from '../testing/sync-harness.ts';
import { packCookie, unpackCookie, type Cookie } from './cookie.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { openCollections } from '../collections/collections.ts';

/*
 * [S10, S11] An answer from memory is for this timeline, this person's rights, these collections, and the current head.
 */
describe('an answer from memory', () => {
  let harness: SyncHarness;
  let head: string;
  let questions: number;
  let exchange: Exchange;
  let owner: User;
  let cookie: Cookie;
  /** As another instance answers: with an empty cache. */
  let elsewhere: Exchange;
  beforeEach(async () => {
    harness = await openSyncHarness('postgres');
    owner = await harness.homeowner();
    const collections = openCollections(harness.parts);
    const transaction: typeof harness.db.transaction = (work, options) => {
      questions += 1;
      return harness.db.transaction(work, options);
    };
    exchange = createExchange({
      ...harness.parts,
      store: createSqlStore({ ...harness.db, transaction }),
      collections,
      headVersion: () => head,
    });
    elsewhere = createExchange({ ...harness.parts, collections });
    head = await harness.parts.store.single.readHead();
    cookie = await settle(owner);
  });
  afterEach(() => harness.close());

  const cookieOf = (answer: Awaited<ReturnType<SyncHarness['ask']>>) =>
    must(answer.kind === 'delta' ? unpackCookie(answer.cookie) : undefined, 'a cookie');
  /** This instance has answered this person, and has cached their rights. */
  async function settle(person: User): Promise<Cookie> {
    const first = cookieOf(await harness.ask(person, {}, exchange));
    questions = 0;
    return first;
  }
  const ask = (person: User, changes: Partial<Cookie>, request: object = {}) =>
    harness.ask(person, { cookie: packCookie({ ...cookie, ...changes }), ...request }, exchange);

  it('is given for the current cookie, with the current collections', async () => {
    const collections = { directory: head, reference: head };
    const timelines = { directory: cookie.l, reference: cookie.l };
    expect(await ask(owner, {}, { shelves: collections, timelines })).toMatchObject({
      shelves: { directory: { puts: [], removes: [], version: head, timeline: cookie.l } },
    });
    expect(questions).toBe(0);
  });

  it('is not given to a cookie of another timeline, though all else is the same', async () => {
    expect(await ask(owner, { l: 'another' })).toEqual({ kind: 'reset', reason: 'lineage' });
  });

  it('is not given to a phone whose journal has met no timeline yet: it would not learn of a restore', async () => {
    expect(await ask(owner, {}, { journal: [] })).toMatchObject({ journal: { timeline: cookie.l, known: {} } });
    const met = await ask(owner, {}, { journal: [cookie.l] });
    expect([met.journal, questions]).toEqual([undefined, 1]);
  });

  it('is not given for a collection of another timeline, at whatever version: each collection gets a manifest', async () => {
    for (const collection of ['directory', 'reference'] as const) {
      const answer = await ask(owner, {}, { shelves: { [collection]: head }, timelines: { [collection]: 'another' } });
      expect(answer).toMatchObject({ shelves: { [collection]: { manifest: { timeline: cookie.l } } } });
    }
    expect(questions).toBe(2);
  });

  it('is not given for one collection because another is up to date', async () => {
    const timelines = { directory: cookie.l, reference: cookie.l };
    expect(await ask(owner, {}, { shelves: { directory: head, reference: '0' }, timelines })).toMatchObject({
      kind: 'delta',
    });
    expect(questions).toBe(1);
    expect(
      await ask(
        owner,
        {},
        { shelves: { directory: head, feed: head }, timelines: { directory: cookie.l, feed: cookie.l } },
      ),
    ).toMatchObject({ shelves: { feed: { denied: true } } });
    expect(questions).toBe(2);
  });

  it('is not given to another person’s cookie, also where both are cached here', async () => {
    const stranger = await harness.homeowner();
    head = await harness.parts.store.single.readHead();
    cookie = await settle(owner);
    const own = await settle(stranger);
    expect(own.w).not.toBe(cookie.w);
    expect(await ask(stranger, {})).toEqual({ kind: 'reset', reason: 'view' });
  });

  it('is not given in the middle of a first load, nor for rows of another shape', async () => {
    await ask(owner, { h: head });
    await ask(owner, { s: 'another' });
    expect(questions).toBe(2);
  });

  it('is not given from values cached at another head: a right that was cut short since ends in time', async () => {
    const { user } = await harness.tradie({ subscriptionValidUntil: null });
    head = await harness.parts.store.single.readHead();
    await settle(user);
    const until = new Date(harness.now().getTime() + 60_000);
    await sql`update users set subscription_valid_until = ${until} where id = ${user.id}`.execute(harness.db.sql);
    // The device learns of it from another instance, and this one only that something was committed.
    cookie = cookieOf(await harness.ask(user, {}, elsewhere));
    head = await harness.parts.store.single.readHead();
    expect(cookie.v).toBe(head);
    harness.pass(30_000);
    await ask(user, {});
    expect(questions).toBe(1);
    harness.pass(31_000);
    expect(await ask(user, {})).toEqual({ kind: 'reset', reason: 'view' });
  });

  it('is not given any more once the database was restored, however far the device had come', async () => {
    await harness.db.transaction(startNewTimeline);
    expect(await harness.parts.store.single.readHead()).not.toBe(head);
    head = await harness.parts.store.single.readHead();
    expect(await ask(owner, {})).toEqual({ kind: 'reset', reason: 'lineage' });
    expect(await ask(owner, { v: head })).toEqual({ kind: 'reset', reason: 'lineage' });
  });
});
