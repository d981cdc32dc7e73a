import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { User } from '../../shared/tables/index.ts';
import { beginNewLineage } from '../db/new-lineage.ts';
import { openSyncHouse, type SyncHouse } from '../testing/sync-house.ts';
import { packCookie, unpackCookie, type Cookie } from './cookie.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { readHeadVersion } from './head-version.ts';
import { createShelves } from './shelves.ts';

/* [S10, S11] What is answered from memory is about this timeline, this person's rights, these shelves, and the head of now. */
describe('an answer from memory', () => {
  let house: SyncHouse;
  let head: string;
  let questions: number;
  let exchange: Exchange;
  let owner: User;
  let cookie: Cookie;
  /** As another instance answers: with nothing remembered. */
  let elsewhere: Exchange;
  beforeEach(async () => {
    house = await openSyncHouse('postgres');
    owner = await house.homeowner();
    const shelves = createShelves({ database: house.db, clock: house.now, log: house.parts.log });
    const transaction: typeof house.db.transaction = (work, options) => {
      questions += 1;
      return house.db.transaction(work, options);
    };
    exchange = createExchange({ ...house.parts, database: { ...house.db, transaction }, shelves, headVersion: () => head });
    elsewhere = createExchange({ ...house.parts, shelves });
    head = await readHeadVersion(house.db.sql);
    cookie = await settle(owner);
  });
  afterEach(() => house.close());

  const cookieOf = (answer: Awaited<ReturnType<SyncHouse['ask']>>) => must(answer.kind === 'delta' ? unpackCookie(answer.cookie) : undefined, 'a cookie');
  /** This instance has answered this person, and knows them by now. */
  async function settle(person: User): Promise<Cookie> {
    const first = cookieOf(await house.ask(person, {}, exchange));
    questions = 0;
    return first;
  }
  const ask = (person: User, changes: Partial<Cookie>, request: object = {}) => house.ask(person, { cookie: packCookie({ ...cookie, ...changes }), ...request }, exchange);

  it('is given to the cookie of now, with the shelves of now', async () => {
    const shelves = { directory: head, reference: head };
    const timelines = { directory: cookie.l, reference: cookie.l };
    expect(await ask(owner, {}, { shelves, timelines })).toMatchObject({ shelves: { directory: { puts: [], removes: [], version: head, timeline: cookie.l } } });
    expect(questions).toBe(0);
  });

  it('is not given to a cookie of another timeline, though all else is the same', async () => {
    expect(await ask(owner, { l: 'another' })).toEqual({ kind: 'reset', reason: 'lineage' });
  });

  it('is not given for a shelf of another timeline, at whatever version: each shelf gets a manifest', async () => {
    for (const shelf of ['directory', 'reference'] as const) {
      const answer = await ask(owner, {}, { shelves: { [shelf]: head }, timelines: { [shelf]: 'another' } });
      expect(answer).toMatchObject({ shelves: { [shelf]: { manifest: { timeline: cookie.l } } } });
    }
    expect(questions).toBe(2);
  });

  it('is not given for one shelf because another is as it should be', async () => {
    const timelines = { directory: cookie.l, reference: cookie.l };
    expect(await ask(owner, {}, { shelves: { directory: head, reference: '0' }, timelines })).toMatchObject({ kind: 'delta' });
    expect(questions).toBe(1);
    expect(await ask(owner, {}, { shelves: { directory: head, feed: head }, timelines: { directory: cookie.l, feed: cookie.l } })).toMatchObject({ shelves: { feed: { denied: true } } });
    expect(questions).toBe(2);
  });

  it('is not given to another person’s cookie, also where both are known here', async () => {
    const stranger = await house.homeowner();
    head = await readHeadVersion(house.db.sql);
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

  it('is not given by what was remembered at another head: a right that was cut short since ends in time', async () => {
    const { user } = await house.tradie({ subscriptionValidUntil: null });
    head = await readHeadVersion(house.db.sql);
    await settle(user);
    const until = new Date(house.now().getTime() + 60_000);
    await sql`update users set subscription_valid_until = ${until} where id = ${user.id}`.execute(house.db.sql);
    // The device hears of it from another instance, and this one only that something was committed.
    cookie = cookieOf(await house.ask(user, {}, elsewhere));
    head = await readHeadVersion(house.db.sql);
    expect(cookie.v).toBe(head);
    house.pass(30_000);
    await ask(user, {});
    expect(questions).toBe(1);
    house.pass(31_000);
    expect(await ask(user, {})).toEqual({ kind: 'reset', reason: 'view' });
  });

  it('is not given any more once the database was restored, however far the device had come', async () => {
    await house.db.transaction(beginNewLineage);
    expect(await readHeadVersion(house.db.sql)).not.toBe(head);
    head = await readHeadVersion(house.db.sql);
    expect(await ask(owner, {})).toEqual({ kind: 'reset', reason: 'lineage' });
    expect(await ask(owner, { v: head })).toEqual({ kind: 'reset', reason: 'lineage' });
  });
});
