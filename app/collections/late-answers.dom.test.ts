import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { CollectionState } from '../db/person-db.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { createHttpCollections } from './http-collections.ts';
import { openCollections, questionOf, userId } from './testing/open-collections.ts';
import { makeFeedJob, buildSnapshot, type BuiltSnapshot, makeTown } from './testing/build-snapshot.ts';
import { silenceMs } from './idle-timeout.ts';

/*
 * Answers that come late, out of order or not at all: nothing older is written over what is here, and no request waits
 * for ever.
 */

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
  await device.personDb.users.put(makeUser({ id: userId, tradieId: makeTradie().id, subscriptionStatus: 'active' }));
});
afterEach(() => device.close());

const jobs = Array.from({ length: 30 }, () => makeFeedJob());
const feedState = async (): Promise<CollectionState> =>
  must(await device.personDb.shelfStates.get('feed'), 'feed state');
const serve = (...snapshot: BuiltSnapshot[]) => snapshot.forEach(device.serve);
/** Until all that is left waits for a timer. */
const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
};

describe('[C3] an answer that comes late', () => {
  test('with an older snapshot than the one here is discarded, and leaves no gap', async () => {
    const [old, newer] = [
      await buildSnapshot('feed', '40', jobs.slice(0, 20), 10),
      await buildSnapshot('feed', '90', jobs, 10),
    ];
    serve(old, newer);
    const collections = device.open();
    const first = await collections.asked();
    // Another tab made a request as well, got its answer first, and continued.
    await collections.apply({ feed: { manifest: newer.manifest } }, await collections.asked(), device.fence);
    await collections.settled();
    await device.apply(collections, { feed: { puts: [makeFeedJob()], removes: [], version: '95' } }, { feed: '90' });
    const before = await feedState();
    await collections.apply({ feed: { manifest: old.manifest } }, first, device.fence);
    await collections.settled();
    expect(await feedState()).toEqual(before);
    expect(await device.personDb.fresh.count()).toBe(1);
    expect(device.events).toEqual(['shelf-foreign']);
  });

  test('is requested again at once', async () => {
    const [old, newer] = [await buildSnapshot('feed', '40', jobs, 10), await buildSnapshot('feed', '90', jobs, 10)];
    serve(old, newer);
    const collections = device.open();
    const first = await collections.asked();
    await device.apply(collections, { feed: { manifest: newer.manifest } }, { feed: null });
    await collections.settled();
    const second = await collections.asked();
    expect(await collections.hasMoreToAsk(second)).toBe(false);
    await collections.apply({ feed: { manifest: old.manifest } }, first, device.fence);
    expect(await collections.hasMoreToAsk(second)).toBe(true);
    await collections.apply({ feed: { puts: [], removes: [], version: '91' } }, second, device.fence);
    expect(await collections.hasMoreToAsk(second)).toBe(false);
  });

  test('and older, requested because the changed rows had become too many, is discarded too', async () => {
    const [now, late] = [
      await buildSnapshot('feed', '90', jobs, 10),
      await buildSnapshot('feed', '50', jobs.slice(0, 10), 10),
    ];
    serve(now, late);
    const collections = device.open();
    await device.apply(collections, { feed: { manifest: now.manifest } }, { feed: null });
    await collections.settled();
    await device.apply(collections, { feed: { manifest: late.manifest } }, { feed: null });
    await collections.settled();
    expect(await feedState()).toMatchObject({ version: '90', manifest: { version: '90' }, coming: null });
  });

  test('of another timeline than the one that is here since is discarded', async () => {
    const [dead, restored] = [
      await buildSnapshot('feed', '40', jobs, 10),
      await buildSnapshot('feed', '20', jobs, 10, 'restored'),
    ];
    serve(dead, restored);
    const collections = device.open();
    const first = await collections.asked();
    await device.apply(collections, { feed: { manifest: restored.manifest } }, { feed: null });
    await collections.settled();
    await collections.apply({ feed: { manifest: dead.manifest } }, first, device.fence);
    expect(await feedState()).toMatchObject({ version: '20', timeline: 'restored', coming: null });
  });

  test('[S11] to a request from another timeline is discarded, though the version says the same', async () => {
    const [dead, restored] = [
      await buildSnapshot('feed', '50', jobs, 10),
      await buildSnapshot('feed', '40', jobs, 10, 'restored'),
    ];
    serve(dead, restored);
    const collections = device.open();
    await device.apply(collections, { feed: { manifest: restored.manifest } }, { feed: null });
    await collections.settled();
    const { marks } = await collections.asked();
    await collections.apply(
      { feed: { manifest: dead.manifest } },
      questionOf({ feed: '40' }, 'first', marks),
      device.fence,
    );
    expect(await feedState()).toMatchObject({ version: '40', timeline: 'restored', coming: null });
  });

  test('to a tab that no longer leads, or over another cookie, writes nothing: no snapshot, no change, no denial', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 10);
    serve(snapshot);
    const collections = device.open();
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await collections.settled();
    const before = await feedState();
    const asked = await collections.asked();
    for (const fence of [
      { ...device.fence, epoch: 0 },
      { ...device.fence, cookie: 'an older one' },
    ]) {
      await collections.apply({ feed: { puts: [makeFeedJob()], removes: [], version: '41' } }, asked, fence);
      await collections.apply({ feed: { manifest: snapshot.manifest } }, { ...asked, versions: { feed: null } }, fence);
      await collections.apply({ feed: { denied: true } }, asked, fence);
    }
    expect(await feedState()).toEqual(before);
    expect(device.denied).toEqual([]);
    expect(device.events).toEqual(Array.from({ length: 6 }, () => 'shelf-fenced'));
  });

  test('of a reset forgets only what it was about', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 10);
    serve(snapshot);
    const collections = device.open();
    const first = await collections.asked();
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await collections.settled();
    await collections.forgetVersions(first);
    expect((await feedState()).version).toBe('40');
    await collections.forgetVersions(await collections.asked());
    expect((await feedState()).version).toBeNull();
  });

  test('for a visitor, while another tab applied a newer one, is discarded', async () => {
    const rows = [{ ...makeTown('c1'), kind: 'category' as const }];
    const [dead, restored] = [
      await buildSnapshot('reference', '50', rows),
      await buildSnapshot('reference', '7', rows, 500, 'restored'),
    ];
    serve(dead, restored);
    const dbs = { publicDb: device.publicDb };
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const slow = device.open({ dbs, fetchManifest: () => held.then(() => dead.manifest) });
    const quick = device.open({ dbs, fetchManifest: async () => restored.manifest });
    const waiting = slow.refreshPublic('reference');
    await turns();
    await quick.refreshPublic('reference');
    answer();
    await waiting;
    await Promise.all([slow.settled(), quick.settled()]);
    expect(await device.publicDb.shelfStates.get('reference')).toMatchObject({ version: '7', timeline: 'restored' });
    expect(device.events).toEqual(['shelf-foreign']);
  });
});

describe('[C13] a request that is never answered', () => {
  const nothing = new Promise<Response>(() => undefined);

  /** A device whose requests are answered by `fetch`, with a manual clock. */
  function openOver(fetch: (path: string, signal: AbortSignal) => Promise<Response>) {
    const clock = manualClock();
    const ports = createHttpCollections({
      clock,
      accessToken: async () => null,
      fetch: (input, init) => fetch(String(input), must(init?.signal ?? undefined, 'a signal')),
    });
    return { clock, ports, collections: device.open({ clock, ...ports }) };
  }

  test('is aborted, and the download goes on to its end', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 5);
    const [hung] = snapshot.manifest.segments;
    let hangs = 1;
    const { clock, collections } = openOver(async (path) => {
      const hash = path.slice(path.lastIndexOf('/') + 1);
      if (hash === hung?.hash && (hangs -= 1) >= 0) return nothing;
      return new Response(snapshot.texts.get(hash));
    });
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await turns(60);
    expect(await device.personDb.segments.count()).toBe(snapshot.manifest.segments.length - 1);
    clock.advance(silenceMs);
    await turns();
    // The next try, which the back-off sets.
    clock.advance(60_000);
    await collections.settled();
    expect(await device.personDb.segments.count()).toBe(snapshot.manifest.segments.length);
    expect(device.events).toEqual(['shelf-download']);
  });

  test('holds up neither a newer snapshot nor a wake for longer than that', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 5);
    let isHung = true;
    const { clock, collections } = openOver(async (path) =>
      isHung ? nothing : new Response(snapshot.texts.get(path.slice(path.lastIndexOf('/') + 1))),
    );
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await turns();
    isHung = false;
    collections.resume();
    clock.advance(silenceMs);
    await collections.settled();
    expect(await device.personDb.segments.count()).toBe(snapshot.manifest.segments.length);
  });

  test('is not a slow one: a segment that takes minutes on 50 kbit/s is downloaded', async () => {
    const text = 'x'.repeat(50_000);
    let send: (bytes: number) => void = () => undefined;
    let sent = 0;
    const { clock, ports } = openOver(
      async () =>
        new Response(
          new ReadableStream<Uint8Array>({
            start: (stream) => {
              send = (bytes) => {
                stream.enqueue(new TextEncoder().encode(text.slice(sent, sent + bytes)));
                sent += bytes;
                if (sent >= text.length) stream.close();
              };
            },
          }),
        ),
    );
    const downloading = ports.fetchSegment('feed', '0'.repeat(64), new AbortController().signal);
    await turns();
    while (sent < text.length) {
      clock.advance(silenceMs - 1_000);
      send(10_000);
      await turns();
    }
    const downloaded = await downloading;
    expect(downloaded.kind === 'bytes' && new TextDecoder().decode(downloaded.bytes)).toBe(text);
  });

  test('that stops in the middle is given up on as well; so is a manifest, and each aborts its connection', async () => {
    const signals: AbortSignal[] = [];
    const { clock, ports } = openOver(async (path, signal) => {
      signals.push(signal);
      return path.endsWith('/reference')
        ? nothing
        : new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(10)) }));
    });
    const outcomes = Promise.allSettled([
      ports.fetchSegment('feed', '0'.repeat(64), new AbortController().signal),
      ports.fetchManifest('reference', new AbortController().signal),
    ]);
    await turns();
    clock.advance(silenceMs);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test('does not wait for a session that is never renewed', async () => {
    const clock = manualClock();
    const ports = createHttpCollections({
      clock,
      accessToken: () => new Promise(() => undefined),
      fetch: () => nothing,
    });
    const asked = ports.fetchManifest('reference', new AbortController().signal);
    const outcome = asked.then(() => 'answered', String);
    clock.advance(silenceMs);
    expect(await outcome).toContain('nothing came');
  });
});

test('[S11] a manifest is never taken out of a cache unasked', async () => {
  const modes: (RequestCache | undefined)[] = [];
  const ports = createHttpCollections({
    clock: manualClock(),
    accessToken: async () => null,
    fetch: async (_input, init) => {
      modes.push(init?.cache);
      return Response.json({ version: '1', timeline: 'first', segments: [] });
    },
  });
  expect(await ports.fetchManifest('reference', new AbortController().signal)).toEqual({
    version: '1',
    timeline: 'first',
    segments: [],
  });
  expect(modes).toEqual(['no-cache']);
});

test('a request names its position: two requests from one position are equal, from two positions not', async () => {
  const collections = device.open();
  const [one, other] = [await collections.asked(), await collections.asked()];
  expect(one).toEqual(other);
  const snapshot = await buildSnapshot('feed', '40', jobs);
  await collections.apply(
    { feed: { manifest: snapshot.manifest } },
    questionOf({ feed: null }, 'first', one.marks),
    device.fence,
  );
  const { marks } = await collections.asked();
  expect(marks.feed).toBeDefined();
  expect(marks.feed).not.toBe(one.marks.feed);
});
