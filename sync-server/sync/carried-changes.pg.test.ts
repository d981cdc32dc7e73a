import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job, User } from '../../shared/tables/index.ts';
import { hour } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import { carriedChangeSchema, maxCarriedRows, type CarriedChange } from '../../shared/protocol/poke.ts';
import type { Delta, ExchangeRequest, SentMutation } from '../../shared/protocol/exchange.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { openCollections, type Collections } from '../collections/collections.ts';
import { insertRows } from '../db/write-rows.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { openSyncHarness, sent, type SyncHarness } from '../testing/sync-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { watchedStore } from '../testing/watched-store.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { openPoke, type Poke } from './poke.ts';

type Asked = Pick<ExchangeRequest, 'cookie' | 'shelves' | 'timelines' | 'regions'>;

/**
 * A device that listens, and stands where its last exchange has left it. It takes in nothing: what it is sent is
 * compared.
 */
interface Listener {
  device: string;
  changes: CarriedChange[];
  pokes: number;
  isSessionLive: boolean;
  canTake: boolean;
  asked: Asked;
  /** Exchanges until it has everything. */
  exchange(mutations?: SentMutation[]): Promise<Delta>;
  /** It takes the last change that it was sent. */
  follow(): void;
}

describe.each(usualDatabase)('changes that events carry on %s', (kind) => {
  let harness: SyncHarness;
  let collections: Collections;
  let poke: Poke;
  let exchange: Exchange;
  let reads = 0;
  let homeowner: User, tradie: User, job: Job;

  beforeEach(async () => {
    harness = await openSyncHarness(kind);
    const { parts, db } = harness;
    const store = createSqlStore(db);
    collections = openCollections({ ...parts, store });
    const counted = watchedStore(store, () => (reads += 1));
    poke = openPoke({ ...parts, store: counted, carrying: { store: counted, collections } });
    exchange = poke.watching(createExchange({ ...parts, collections }));
    homeowner = await harness.homeowner();
    tradie = (await harness.tradie()).user;
    job = await harness.job(homeowner);
    await poke.start();
    await collections.buildDueSnapshots();
  });
  afterEach(async () => {
    await poke.close();
    await collections.close();
    await harness.close();
  });

  async function caughtUp(): Promise<void> {
    const { rows } = await sql<{ head: string }>`select max(version) as head from sync_change`.execute(harness.db.sql);
    await vi.waitFor(() => expect(poke.headVersion()).toBe(rows[0]?.head), 20_000);
  }

  async function listen(user: User, regions?: string[]): Promise<Listener> {
    await caughtUp();
    const device = makeTestId();
    const listener: Listener = {
      device,
      changes: [],
      pokes: 0,
      isSessionLive: true,
      canTake: true,
      asked: {
        cookie: null,
        shelves: { feed: null, directory: null, reference: null },
        timelines: {},
        ...(regions && { regions }),
      },
      async exchange(mutations = []) {
        for (let round = 0; round < 6; round += 1) {
          const request = { ...listener.asked, mutations: round === 0 ? mutations : [] };
          const answer = await harness.ask(user, request, (person, asked) => exchange({ ...person, device }, asked));
          if (answer.kind !== 'delta') throw new Error(`reset: ${answer.reason}`);
          const isWhole = !answer.more && Object.values(answer.shelves).every((part) => !('manifest' in part));
          listener.asked = after(listener.asked, answer);
          if (isWhole) return answer;
        }
        throw new Error('never whole');
      },
      follow: () => void (listener.asked = after(listener.asked, must(listener.changes.at(-1), 'a change').answer)),
    };
    await poke.connect({
      userId: user.id,
      since: poke.headVersion(),
      onPoke: () => void (listener.pokes += 1),
      changes: {
        device,
        isSessionLive: () => Promise.resolve(listener.isSessionLive),
        onChange: (text) => {
          if (listener.canTake) listener.changes.push(carriedChangeSchema.parse(JSON.parse(text)));
          return listener.canTake;
        },
      },
    });
    await listener.exchange();
    return listener;
  }

  /** What an exchange answers from the same place, without its clock. */
  const answered = async (user: User, asked: Asked) => {
    const answer = await harness.ask(user, asked, createExchange({ ...harness.parts, collections }));
    return { ...answer, serverTime: '' };
  };
  const retitle = (title: string, id = job.id) =>
    sql`update jobs set title = ${title} where id = ${id}`.execute(harness.db.sql);
  const express = () => sent('interest.express', { id: makeTestId(), jobId: job.id });

  it('P10: a change comes as the answer that an exchange from the same place would have brought', async () => {
    const owner = await listen(homeowner);
    const reader = await listen(tradie);
    await retitle('A new title');
    for (const [user, listener] of [
      [homeowner, owner],
      [tradie, reader],
    ] as const) {
      await vi.waitFor(() => expect(listener.changes).toHaveLength(1), 20_000);
      const [change] = listener.changes;
      expect(change?.userId).toBe(user.id);
      expect(change?.asked).toEqual(listener.asked);
      expect({ ...change?.answer, serverTime: '' }).toEqual(await answered(user, listener.asked));
      expect(listener.pokes).toBe(0);
    }
    expect(owner.changes[0]?.answer.puts.jobs?.map(({ title }) => title)).toEqual(['A new title']);
    expect(reader.changes[0]?.answer.puts).toEqual({});
    expect(JSON.stringify(reader.changes[0]?.answer.shelves.feed)).toContain('A new title');
    expect(JSON.stringify(reader.changes)).not.toContain(homeowner.id);
  });

  it('P10: the next change starts where the last one led to', async () => {
    const reader = await listen(tradie);
    for (let at = 1; at <= 3; at += 1) {
      await retitle(`Title ${at}`);
      await vi.waitFor(() => expect(reader.changes).toHaveLength(at), 20_000);
      expect(reader.changes[at - 1]?.asked).toEqual(reader.asked);
      reader.follow();
    }
    expect(reader.pokes).toBe(0);
    expect(await answered(tradie, reader.asked)).toMatchObject({ puts: {}, cookie: reader.asked.cookie });
  });

  it('P10: a device that has not said where it stands is poked, and so is one that stopped taking', async () => {
    await caughtUp();
    let pokes = 0;
    const changes = { device: makeTestId(), isSessionLive: () => Promise.resolve(true), onChange: () => true };
    await poke.connect({ userId: tradie.id, since: poke.headVersion(), onPoke: () => (pokes += 1), changes });
    const slow = await listen(tradie);
    slow.canTake = false;
    await retitle('One');
    await vi.waitFor(() => expect([pokes, slow.pokes]).toEqual([1, 1]), 20_000);
    slow.canTake = true;
    await retitle('Two');
    await vi.waitFor(() => expect([pokes, slow.pokes]).toEqual([2, 2]), 20_000);
    await slow.exchange();
    await retitle('Three');
    await vi.waitFor(() => expect(slow.changes).toHaveLength(1), 20_000);
  });

  it('P10: what a device has just written itself, and been answered, is not sent to it again', async () => {
    const writer = await listen(tradie);
    const owner = await listen(homeowner);
    await writer.exchange([express()]);
    await vi.waitFor(() => expect(owner.changes).toHaveLength(1), 20_000);
    // The owner's change is read after the writer was told; a second one shows that nothing was on its way.
    await sql`update tradies set description = 'Other' where id = ${tradie.tradieId}`.execute(harness.db.sql);
    await vi.waitFor(() => expect(writer.changes).toHaveLength(1), 20_000);
    expect(writer.changes[0]?.answer.puts.interests).toBeUndefined();
    expect(writer.pokes).toBe(0);
  });

  it('P10: a commit during an exchange is sent after it, unless the answer has it', async () => {
    const owner = await listen(homeowner);
    let answer = () => {};
    let isAnswered = false;
    const slow = poke.watching(async (person, request) => {
      const read = await createExchange({ ...harness.parts, collections })(person, request);
      isAnswered = true;
      await new Promise<void>((resolve) => (answer = resolve));
      return read;
    });
    const held = await listen(homeowner);
    const asking = harness.ask(homeowner, held.asked, (person, asked) =>
      slow({ ...person, device: held.device }, asked),
    );
    await vi.waitFor(() => expect(isAnswered).toBe(true));
    await retitle('During');
    await vi.waitFor(() => expect(owner.changes).toHaveLength(1), 20_000);
    answer();
    await asking;
    await vi.waitFor(() => expect(held.changes).toHaveLength(1), 20_000);
    expect(held.pokes).toBe(0);
  });

  it('P10: nothing of it goes to a person whose subscription has ended, by an event or by time alone', async () => {
    const until = new Date(harness.now().getTime() + 60_000).toISOString();
    const timed = (await harness.tradie({ subscriptionValidUntil: until })).user;
    const active = (await harness.tradie()).user;
    const [canceled, expired, reader] = [await listen(tradie), await listen(timed), await listen(active)];
    await sql`update users set subscription_status = 'canceled' where id = ${tradie.id}`.execute(harness.db.sql);
    await vi.waitFor(() => expect(canceled.pokes).toBe(1), 20_000);
    harness.pass(120_000);
    await harness.db.transaction(async (tx) => {
      await sql`update jobs set title = 'Secret' where id = ${job.id}`.execute(tx);
      await sql`update reference set name = 'Renamed' where kind = 'location'`.execute(tx);
    });
    await vi.waitFor(() => expect([canceled.pokes, expired.pokes]).toEqual([2, 1]), 20_000);
    expect([canceled.changes, expired.changes]).toEqual([[], []]);
    await vi.waitFor(() => expect(JSON.stringify(reader.changes)).toContain('Secret'), 20_000);
  });

  it('P10: nothing of it goes to a session that has ended since the stream began', async () => {
    const [owner, reader] = [await listen(homeowner), await listen(tradie)];
    owner.isSessionLive = false;
    reader.isSessionLive = false;
    await retitle('Secret');
    await vi.waitFor(() => expect([owner.pokes, reader.pokes]).toEqual([1, 1]), 20_000);
    expect([owner.changes, reader.changes]).toEqual([[], []]);
  });

  it('P10: a change of more rows than an event may carry is only announced', async () => {
    const [owner, reader] = [await listen(homeowner), await listen(tradie)];
    const many = Array.from({ length: maxCarriedRows + 1 }, () => makeJob({ userId: homeowner.id }));
    await insertRows(harness.db.sql, 'jobs', many);
    await vi.waitFor(() => expect([owner.pokes, reader.pokes]).toEqual([1, 1]), 20_000);
    expect([owner.changes, reader.changes]).toEqual([[], []]);
  });

  it('P10: a new timeline is announced, and nothing of the old one is built on', async () => {
    const reader = await listen(tradie);
    await sql`update sync_meta set lineage = gen_random_uuid()`.execute(harness.db.sql);
    await retitle('After');
    await vi.waitFor(() => expect(reader.pokes).toBe(1), 20_000);
    expect(reader.changes).toEqual([]);
  });

  it('[P9] a device that holds regions is sent what changes in them, and not even told of the others', async () => {
    const { db, parts } = harness;
    await sql`insert into reference (id, kind, name, region, created_at) values
      ('southland/winton', 'location', 'Winton', 'Southland', now()), ('manawatu/feilding', 'location', 'Feilding', 'Manawatū', now())
      on conflict do nothing`.execute(db.sql);
    await sql`update tradies set location_id = null`.execute(db.sql);
    const [inWinton, inFeilding, moves] = [
      await harness.job(homeowner, { locationId: 'southland/winton' }),
      await harness.job(homeowner, { locationId: 'manawatu/feilding' }),
      await harness.job(homeowner, { locationId: 'southland/winton' }),
    ];
    await poke.close();
    await collections.close();
    collections = openCollections({ ...parts, store: createSqlStore(db), heldWholeUpTo: 0 });
    const counted = watchedStore(createSqlStore(db), () => (reads += 1));
    poke = openPoke({ ...parts, store: counted, carrying: { store: counted, collections } });
    exchange = poke.watching(createExchange({ ...parts, collections }));
    await poke.start();
    harness.pass(hour);
    await collections.buildDueSnapshots();
    const southland = await listen(tradie, ['Southland']);
    const manawatu = await listen(tradie, ['Manawatū']);
    expect([southland.asked.regions, manawatu.asked.regions]).toEqual([
      ['Southland', ''],
      ['Manawatū', ''],
    ]);
    await retitle('In Feilding', inFeilding.id);
    await vi.waitFor(() => expect(manawatu.changes).toHaveLength(1), 20_000);
    expect([southland.changes, southland.pokes]).toEqual([[], 0]);
    manawatu.follow();
    // It starts from where the device stands, though others' changes lie between.
    await retitle('In Winton', inWinton.id);
    await vi.waitFor(() => expect(southland.changes).toHaveLength(1), 20_000);
    expect(southland.changes[0]?.asked).toEqual(southland.asked);
    expect({ ...southland.changes[0]?.answer, serverTime: '' }).toEqual(await answered(tradie, southland.asked));
    southland.follow();
    await sql`update jobs set location_id = 'manawatu/feilding' where id = ${moves.id}`.execute(db.sql);
    await vi.waitFor(() => expect([southland.changes.length, manawatu.changes.length]).toEqual([2, 2]), 20_000);
    expect(southland.changes[1]?.answer.shelves.feed).toMatchObject({ puts: [], removes: [moves.id] });
    expect(manawatu.changes[1]?.answer.shelves.feed).toMatchObject({ puts: [{ id: moves.id }], removes: [] });
    for (const listener of [southland, manawatu]) expect(listener.pokes).toBe(0);
  });

  it('P10: readers of the feed share one reading of the database, however many they are', async () => {
    const readers = await Promise.all(Array.from({ length: 12 }, () => listen(tradie)));
    await caughtUp();
    reads = 0;
    await retitle('For everybody');
    await vi.waitFor(() => expect(readers.every(({ changes }) => changes.length === 1)).toBe(true), 20_000);
    // Two commits' notices may have come: PGlite and PostgreSQL differ.
    expect(reads).toBeLessThanOrEqual(4);
  });
});

/** Where a device stands after an answer: as `collections-on-device` in the app has it. */
function after({ shelves, timelines, regions }: Asked, answer: Delta): Asked {
  const next: Asked = { cookie: answer.cookie, shelves: { ...shelves }, timelines: { ...timelines }, regions };
  if (answer.shelves.feed !== undefined && 'manifest' in answer.shelves.feed)
    next.regions = regions && (answer.shelves.feed.manifest.regions ?? []);
  for (const [name, part] of Object.entries(answer.shelves)) {
    const known = 'manifest' in part ? part.manifest : 'version' in part ? part : undefined;
    Object.assign(next.shelves, { [name]: known?.version });
    Object.assign(next.timelines as object, { [name]: known?.timeline });
  }
  return JSON.parse(JSON.stringify(next)) as Asked;
}
