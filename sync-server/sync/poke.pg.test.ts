import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { manyRows } from '../db/seed/many-rows.ts';
import { insertMany, insertPeople } from '../db/seed/insert-rows.ts';
import { createCollectionHarness } from '../testing/collection-harness.ts';
import { openSyncApp, type SyncApp } from '../testing/sync-app.ts';
import { databases, openTestDb, type TestDatabase } from '../testing/test-db.ts';

interface Stream {
  response: Response;
  /** Events so far. */
  pokes(): number;
  text(): string;
  /** Settles when the server has ended the stream or the connection is gone. */
  over: Promise<void>;
  stop(): void;
}

describe.each(databases)('pokes on %s', (kind) => {
  let db: TestDatabase;
  let app: SyncApp;
  const open = new Set<Stream>();
  const disconnects: (() => void)[] = [];
  const rows = manyRows({ jobs: 40, tradies: 3 });
  const [owner, stranger] = [...new Set(rows.jobs.map(({ userId }) => userId))].map((id) => must(id, 'an owner')) as [
    string,
    string,
  ];
  const [tradie, secondTradie, lapsed] = rows.tradies.map(({ userId }) => userId) as [string, string, string];
  const ownJob = must(
    rows.jobs.find(({ userId }) => userId === owner),
    'a job',
  );

  beforeAll(async () => {
    db = await openTestDb(kind);
    await db.transaction(async (tx) => {
      await insertPeople(tx, rows);
      await insertMany(tx, 'jobs', rows.jobs);
      await sql`update users set subscription_status = 'canceled' where id = ${lapsed}`.execute(tx);
    });
    const harness = createCollectionHarness(db);
    app = await openSyncApp({ database: db, collections: harness.collections, clock: harness.now });
  });
  afterEach(() => {
    for (const stream of open) stream.stop();
    open.clear();
    for (const disconnect of disconnects.splice(0)) disconnect();
  });
  afterAll(async () => {
    await app.close();
    await db.close();
  });

  /** A device that has seen everything so far, unless said otherwise. */
  async function listen(userId: string, since: string | null = null): Promise<Stream> {
    await caughtUp();
    const abort = new AbortController();
    const query = since === '' ? '' : `?since=${since ?? app.poke.headVersion()}`;
    const response = await app.callAs(userId, `/api/sync/poke${query}`, { signal: abort.signal });
    let text = '';
    const reader = must(response.body, 'a body').pipeThrough(new TextDecoderStream()).getReader();
    const read = async (): Promise<void> => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += value;
      }
    };
    const over = read().catch(() => undefined);
    const stream: Stream = {
      response,
      pokes: () => text.split('event: poke\ndata:\n\n').length - 1,
      text: () => text,
      over,
      stop: () => abort.abort(),
    };
    open.add(stream);
    const isListening = () => response.status !== 200 || stream.text().includes(': listening\n\n');
    await vi.waitUntil(isListening, { timeout: 20_000 });
    return stream;
  }
  /** The server was notified of every commit so far. */
  async function caughtUp(): Promise<void> {
    const head = async () =>
      (await sql<{ head: string }>`select max(version) as head from sync_change`.execute(db.sql)).rows[0]?.head;
    await vi.waitFor(async () => expect(app.poke.headVersion()).toBe(await head()), 20_000);
  }
  interface Device {
    pokes: number;
  }
  /** A device without the network in between: once the server has caught up, all its pokes are counted. */
  async function attend(userId: string): Promise<Device> {
    await caughtUp();
    const device = { pokes: 0 };
    disconnects.push(
      await app.poke.connect({ userId, since: app.poke.headVersion(), onPoke: () => void (device.pokes += 1) }),
    );
    return device;
  }
  async function pokedBy(change: () => Promise<unknown>, devices: readonly Device[]): Promise<boolean[]> {
    await caughtUp();
    const before = devices.map(({ pokes }) => pokes);
    await change();
    await caughtUp();
    return devices.map(({ pokes }, at) => pokes > must(before[at], 'a count'));
  }

  it('P8: wants a session, and answers as an event stream that no cache stores and no proxy buffers', async () => {
    expect((await app.call('/api/sync/poke')).status).toBe(401);
    expect((await app.callAs('forged', '/api/sync/poke')).status).toBe(401);
    const { response } = await listen(owner);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('content-encoding')).toBeNull();
  });

  it('P8: carries no data', async () => {
    const stream = await listen(owner);
    await sql`update jobs set title = 'Secret title' where id = ${ownJob.id}`.execute(db.sql);
    await vi.waitFor(() => expect(stream.pokes()).toBe(1), 20_000);
    expect(stream.text()).toBe(': listening\n\nevent: poke\ndata:\n\n');
  });

  it('pokes the owner and the readers of the feed when a job changed, and no other', async () => {
    const streams = [
      await attend(owner),
      await attend(tradie),
      await attend(lapsed),
      await attend(stranger),
      await attend(makeTestId()),
    ];
    const poked = await pokedBy(
      () => sql`update jobs set title = 'Changed' where id = ${ownJob.id}`.execute(db.sql),
      streams,
    );
    expect(poked).toEqual([true, true, false, false, false]);
  });

  it('pokes only the two people of an interest, and for a person’s own row only that person', async () => {
    const streams = [await attend(owner), await attend(tradie), await attend(secondTradie), await attend(stranger)];
    const mine = must(rows.tradies[0], 'a tradie');
    const interest = {
      id: makeTestId(),
      jobId: ownJob.id,
      tradieId: mine.id,
      userId: tradie,
      ownerId: owner,
      note: '',
      contactedAt: null,
      ownerNote: null,
      seenAt: null,
      isSeen: false,
      createdAt: ownJob.createdAt,
    };
    const express = () => db.transaction((tx) => insertMany(tx, 'interests', [interest]));
    // It changes who gets the job and the profile; the collections of both look as before.
    expect(await pokedBy(express, streams)).toEqual([true, true, false, false]);
    expect(
      await pokedBy(() => sql`update users set first_name = 'New' where id = ${stranger}`.execute(db.sql), streams),
    ).toEqual([false, false, false, true]);
  });

  it('pokes every device for the directory and the lists', async () => {
    const streams = [await attend(owner), await attend(lapsed), await attend(makeTestId())];
    expect(
      await pokedBy(
        () => sql`update tradies set description = 'New words' where user_id = ${secondTradie}`.execute(db.sql),
        streams,
      ),
    ).toEqual([true, true, true]);
  });

  it('goes by the current rights, also when they change while the stream is open', async () => {
    const stream = await attend(lapsed);
    const touch = (title: string) => () =>
      sql`update jobs set title = ${title} where id = ${ownJob.id}`.execute(db.sql);
    expect(await pokedBy(touch('One'), [stream])).toEqual([false]);
    await sql`update users set subscription_status = 'active' where id = ${lapsed}`.execute(db.sql);
    await caughtUp();
    expect(await pokedBy(touch('Two'), [stream])).toEqual([true]);
    await sql`update users set subscription_status = 'canceled' where id = ${lapsed}`.execute(db.sql);
    await caughtUp();
    expect(await pokedBy(touch('Three'), [stream])).toEqual([false]);
  });

  it('pokes a device at once that has not seen the head, or does not say what it has seen', async () => {
    const late = await listen(owner, '1');
    await vi.waitFor(() => expect(late.pokes()).toBe(1), 20_000);
    const silent = await listen(owner, '');
    await vi.waitFor(() => expect(silent.pokes()).toBe(1), 20_000);
    expect((await listen(owner)).pokes()).toBe(0);
  });

  it('sums many commits up in few pokes, and misses none of them', async () => {
    const stream = await listen(owner);
    for (let at = 0; at < 50; at += 1)
      await sql`update jobs set interest_count = ${at} where id = ${ownJob.id}`.execute(db.sql);
    await caughtUp();
    await vi.waitFor(() => expect(stream.pokes()).toBeGreaterThan(0), 20_000);
    expect(stream.pokes()).toBeLessThanOrEqual(50);
  });

  it('forgets a device that left, however it left, and takes a dozen streams of its person again', async () => {
    for (let round = 0; round < 2; round += 1) {
      const streams: Stream[] = [];
      for (let at = 0; at < 12; at += 1) streams.push(await listen(tradie));
      await vi.waitFor(() => expect(app.poke.listeners()).toBeGreaterThanOrEqual(12), 20_000);
      for (const stream of streams) stream.stop();
      await vi.waitFor(() => expect(app.poke.listeners()).toBe(0), 20_000);
    }
    const abort = new AbortController();
    const broken = app.callAs(tradie, '/api/sync/poke', { signal: abort.signal }).catch(() => undefined);
    abort.abort();
    await broken;
    const last = await listen(tradie);
    await vi.waitFor(() => expect(app.poke.listeners()).toBe(1), 20_000);
    await sql`update jobs set title = 'Still poked' where id = ${ownJob.id}`.execute(db.sql);
    await vi.waitFor(() => expect(last.pokes()).toBe(1), 20_000);
  });

  it('holds a dozen streams a person and ends the oldest', async () => {
    const streams: Stream[] = [];
    for (let at = 0; at < 13; at += 1) streams.push(await listen(stranger));
    await must(streams[0], 'the oldest').over;
    const youngest = must(streams[12], 'the youngest');
    await sql`update users set last_name = 'Poked' where id = ${stranger}`.execute(db.sql);
    await vi.waitFor(() => expect(youngest.pokes()).toBe(1), 20_000);
    await vi.waitFor(() => expect(streams[1]?.pokes()).toBe(1), 20_000);
  });

  it('reaches the right people only, over the network, and ends its streams when the server is about to stop', async () => {
    const harness = createCollectionHarness(db);
    const stopping = await openSyncApp({ database: db, collections: harness.collections, clock: harness.now });
    await caughtUp();
    const listening = [owner, tradie, lapsed, stranger].map(async (userId) =>
      (await stopping.callAs(userId, `/api/sync/poke?since=${stopping.poke.headVersion()}`)).text(),
    );
    const [canary] = await Promise.all(
      [owner, tradie, lapsed, stranger].map(async (userId) => {
        const device = { pokes: 0 };
        await stopping.poke.connect({
          userId,
          since: stopping.poke.headVersion(),
          onPoke: () => void (device.pokes += 1),
        });
        return device;
      }),
    );
    await vi.waitFor(() => expect(stopping.poke.listeners()).toBe(8), 20_000);
    await sql`update jobs set title = 'Over the network' where id = ${ownJob.id}`.execute(db.sql);
    await vi.waitFor(() => expect(canary?.pokes).toBe(1), 20_000);
    await stopping.close();
    const texts = await Promise.all(listening);
    expect(texts.map((text) => text.includes('event: poke'))).toEqual([true, true, false, false]);
    for (const text of texts) expect(text).toContain(': listening');
  });
});
