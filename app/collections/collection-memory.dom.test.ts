import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import { must } from '../../shared/lib/must.ts';
import { createCell, type Watched } from '../lib/cell.ts';
import { openCollectionMemory, type CollectionMemory } from './collection-memory.ts';
import type { CollectionContents } from './collection-rows.ts';
import { openSubscriptionGate } from './collection-gate.ts';
import { positionKeyOf, stateOf } from './collection-dbs.ts';
import { applyCollectionAnswer } from './apply-collection-answer.ts';
import { openCollections, userId } from './testing/open-collections.ts';
import { makeFeedJob, buildSnapshot, type BuiltSnapshot } from './testing/build-snapshot.ts';

let device: Awaited<ReturnType<typeof openCollections>>;
const closing: { close(): void }[] = [];
beforeEach(async () => {
  device = await openCollections();
});
afterEach(async () => {
  for (const one of closing.splice(0)) one.close();
  await device.close();
});

const at = '2026-11-21T00:00:00.000Z';
type Memory = CollectionMemory<'feed'>;

function openMemory(changes: Partial<Parameters<typeof openCollectionMemory<'feed'>>[0]> = {}): Memory {
  const memory = openCollectionMemory({ db: device.personDb, collection: 'feed', ...changes });
  closing.push(memory);
  return memory;
}

/**
 * Resolves once the value is as wanted; a test that waits for ever fails by its time-out, with the last value named.
 */
function until<T>(watched: Watched<T>, isWanted: (value: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isWanted(watched.current())) return;
      unsubscribe();
      resolve(watched.current());
    };
    const unsubscribe = watched.subscribe(look);
    look();
  });
}

const ids = (snapshot: CollectionContents<'feed'>) => snapshot.rows.map(({ id }) => id).toSorted();
const take = async (answer: Parameters<typeof applyCollectionAnswer>[2], version: string | null) => {
  const mark = positionKeyOf(await stateOf(device.personDb, 'feed'));
  return applyCollectionAnswer(device.personDb, 'feed', answer, {
    asked: { version, timeline: version && 'first', mark },
    at,
  });
};
const store = (snapshot: BuiltSnapshot, hashes = [...snapshot.texts.keys()]) =>
  device.personDb.segments.bulkPut(
    hashes.map((hash) => ({ hash, shelf: 'feed' as const, text: must(snapshot.texts.get(hash), hash) })),
  );

test('says that nothing is here yet, not that there is nothing', async () => {
  expect(openMemory().current().status).toBe('starting');
  expect((await until(openMemory(), ({ status }) => status !== 'starting')).status).toBe('absent');
});

test('a first download is on the screen from the first segment on, the newest first', async () => {
  const jobs = Array.from({ length: 30 }, () => makeFeedJob());
  const snapshot = await buildSnapshot('feed', '40', jobs, 10);
  const memory = openMemory();
  await take({ manifest: snapshot.manifest }, null);
  const [newest, ...older] = snapshot.manifest.segments.map(({ hash }) => hash);
  await store(snapshot, [newest!]);
  const filling = await until(memory, ({ rows }) => rows.length > 0);
  expect(filling).toMatchObject({ status: 'filling', progress: { here: 1, of: 3 } });
  expect(ids(filling)).toEqual(
    jobs
      .slice(20)
      .map(({ id }) => id)
      .toSorted(),
  );
  await store(snapshot, older);
  expect(ids(await until(memory, ({ status }) => status === 'ready'))).toEqual(jobs.map(({ id }) => id).toSorted());
});

test('what came just before a download broke off is shown as well', async () => {
  const jobs = Array.from({ length: 30 }, () => makeFeedJob());
  const snapshot = await buildSnapshot('feed', '40', jobs, 10);
  const memory = openMemory();
  await take({ manifest: snapshot.manifest }, null);
  const [newest, next] = snapshot.manifest.segments.map(({ hash }) => hash);
  await store(snapshot, [newest!]);
  await until(memory, ({ rows }) => rows.length > 0);
  await store(snapshot, [next!]);
  expect(await until(memory, ({ rows }) => rows.length > 10)).toMatchObject({
    status: 'filling',
    progress: { here: 2, of: 3 },
  });
});

test('changes in `fresh` override the segments, also over those that come later', async () => {
  const jobs = Array.from({ length: 20 }, () => makeFeedJob());
  const snapshot = await buildSnapshot('feed', '40', jobs, 10);
  const memory = openMemory();
  await take({ manifest: snapshot.manifest }, null);
  const changed = { ...jobs[0]!, title: 'Changed' };
  const added = makeFeedJob();
  await take({ puts: [changed, added], removes: [jobs[1]!.id], version: '41' }, '40');
  await store(snapshot);
  await until(memory, ({ status }) => status === 'ready');
  expect(memory.find(changed.id)?.title).toBe('Changed');
  expect(memory.find(added.id)).toEqual(added);
  expect(memory.find(jobs[1]!.id)).toBeUndefined();
  expect(memory.current().rows).toHaveLength(20);
});

test('`onWatched` is called for a new subscriber, also where the rows are read anyway', async () => {
  let looked = 0;
  const memory = openMemory({ onWatched: () => (looked += 1) });
  memory.find('nobody');
  expect(looked).toBe(0);
  memory.subscribe(() => undefined);
  expect(looked).toBe(1);
});

test('200 changes among 20,000 rows are applied without reading a segment again', async () => {
  const jobs = Array.from({ length: 20_000 }, () => makeFeedJob());
  const snapshot = await buildSnapshot('feed', '40', jobs);
  await take({ manifest: snapshot.manifest }, null);
  await store(snapshot);
  const memory = openMemory();
  const before = await until(memory, ({ status }) => status === 'ready');
  expect(before.rows).toHaveLength(20_000);

  const read: string[] = [];
  device.personDb.segments.hook('reading', (segment) => {
    read.push(segment.hash);
    return segment;
  });
  const puts = jobs.slice(500, 650).map((job) => ({ ...job, interestCount: 7 }));
  const removes = jobs.slice(700, 750).map(({ id }) => id);
  await take({ puts, removes, version: '41' }, '40');
  const after = await until(memory, ({ rows }) => rows !== before.rows && rows.length === 19_950);
  expect(read).toEqual([]);
  expect(after.rows.filter(({ interestCount }) => interestCount === 7)).toHaveLength(150);
  expect(memory.find(removes[0]!)).toBeUndefined();

  await take({ puts: [jobs[700]!], removes: [], version: '42' }, '41');
  await until(memory, ({ rows }) => rows.length === 19_951);
  expect(memory.find(jobs[700]!.id)).toEqual(jobs[700]);
});

test('another manifest replaces the first in one step, from the whole old list to the whole new one', async () => {
  const jobs = Array.from({ length: 40 }, () => makeFeedJob());
  const [old, next] = [
    await buildSnapshot('feed', '40', jobs.slice(0, 30), 5),
    await buildSnapshot('feed', '90', jobs.slice(10), 5),
  ];
  await take({ manifest: old.manifest }, null);
  await store(old);
  const memory = openMemory();
  await until(memory, ({ status }) => status === 'ready');
  const seen = new Set<string>();
  memory.subscribe(() => seen.add(`${memory.current().status} ${ids(memory.current()).join()}`));
  await store(next);
  await take({ manifest: next.manifest }, '40');
  await until(memory, ({ rows }) => rows.some(({ id }) => id === jobs[39]!.id));
  const whole = (from: number, to: number) =>
    `ready ${jobs
      .slice(from, to)
      .map(({ id }) => id)
      .toSorted()
      .join()}`;
  expect([...seen].filter((one) => one !== whole(0, 30))).toEqual([whole(10, 40)]);
});

test('[I8] a denial empties the memory of every tab', async () => {
  const snapshot = await buildSnapshot('feed', '40', [makeFeedJob()]);
  await take({ manifest: snapshot.manifest }, null);
  await store(snapshot);
  const tabs = [openMemory(), openMemory()];
  for (const tab of tabs) await until(tab, ({ status }) => status === 'ready');
  await take({ denied: true }, '40');
  for (const tab of tabs) expect((await until(tab, ({ status }) => status === 'hidden')).rows).toEqual([]);
});

test('a closed gate hides the rows at once and an open one brings them back', async () => {
  const job = makeFeedJob();
  const snapshot = await buildSnapshot('feed', '40', [job]);
  await take({ manifest: snapshot.manifest }, null);
  await store(snapshot);
  const gate = createCell<'unknown' | 'open' | 'closed'>('open');
  const memory = openMemory({ gate });
  await until(memory, ({ status }) => status === 'ready');
  gate.set('closed');
  expect(memory.current()).toMatchObject({ status: 'hidden', rows: [] });
  expect(memory.find(job.id)).toBeUndefined();
  gate.set('open');
  expect(memory.find(job.id)).toEqual(job);
});

test('a storage that cannot be read is a failure, never an empty list', async () => {
  await device.personDb.segments.put({ hash: 'a'.repeat(64), shelf: 'feed', text: 'not a segment' });
  const segment = { hash: 'a'.repeat(64), rows: 1, bytes: 1, from: 'a', to: 'b' };
  await take({ manifest: { version: '40', segments: [segment] } }, null);
  const errors: unknown[] = [];
  const memory = openMemory({ onError: (error) => errors.push(error) });
  expect((await until(memory, ({ status }) => status !== 'starting')).status).toBe('failed');
  expect(errors).toHaveLength(1);
});

test('the subscription gate closes when the valid-until passes, with no signal and no reload', async () => {
  let now = Date.UTC(2026, 10, 21);
  const timers: { at: number; fire: () => void }[] = [];
  const clock = {
    now: () => now,
    setTimer: (ms: number, fire: () => void) => {
      timers.push({ at: now + ms, fire });
      return () => undefined;
    },
  };
  const gate = openSubscriptionGate({ db: device.personDb, userId, clock });
  closing.push(gate);
  expect(gate.current()).toBe('unknown');
  const validUntil = new Date(now + 3_600_000).toISOString();
  await device.personDb.users.put(
    makeUser({
      id: userId,
      tradieId: makeTradie().id,
      subscriptionStatus: 'trialing',
      subscriptionValidUntil: validUntil,
    }),
  );
  await until(gate, (state) => state === 'open');
  const last = must(timers.at(-1), 'timer');
  expect(new Date(last.at).toISOString()).toBe(validUntil);
  now = last.at;
  last.fire();
  await until(gate, (state) => state === 'closed');
});

test.each([
  ['a correction that has gone stale', 0, 365],
  ['a clock that is 40 days ahead, and known to be', 40, -40],
])('C12: %s does not close the feed of a running subscription', async (_what, aheadDays, correctionDays) => {
  const day = 86_400_000;
  const truly = Date.UTC(2026, 10, 21);
  const clock = { now: () => truly + aheadDays * day, setTimer: () => () => undefined };
  await device.personDb.meta.put({ key: 'serverTimeOffset', value: correctionDays * day });
  const running = { tradieId: makeTradie().id, subscriptionStatus: 'active' as const };
  const validUntil = new Date(truly + 10 * day).toISOString();
  await device.personDb.users.put(makeUser({ id: userId, ...running, subscriptionValidUntil: validUntil }));
  const gate = openSubscriptionGate({ db: device.personDb, userId, clock });
  closing.push(gate);
  expect(await until(gate, (state) => state !== 'unknown')).toBe('open');
});

test('own regions alone are a part, while the rest is held back; without that, a download that goes on', async () => {
  const snapshot = await buildSnapshot(
    'feed',
    '40',
    Array.from({ length: 4 }, () => makeFeedJob()),
    1,
  );
  snapshot.manifest.near = 2;
  const [near, alsoNear, far, farther] = snapshot.manifest.segments.map(({ hash }) => hash) as [
    string,
    string,
    string,
    string,
  ];
  const isHeldBack = createCell(true);
  await take({ manifest: snapshot.manifest }, null);
  // What is here of other regions does not count as the person's own.
  await store(snapshot, [far, farther]);
  const memory = openMemory({ isHeldBack });
  memory.subscribe(() => undefined);
  expect(await until(memory, ({ rows }) => rows.length === 2)).toMatchObject({ status: 'filling' });
  await store(snapshot, [near, alsoNear]);
  await device.personDb.segments.bulkDelete([farther]);
  await until(memory, ({ status }) => status === 'ready');
  const again = openMemory({ isHeldBack });
  again.subscribe(() => undefined);
  expect(await until(again, ({ rows }) => rows.length === 3)).toMatchObject({
    status: 'part',
    progress: { here: 3, of: 4, isNearHere: true },
  });
  isHeldBack.set(false);
  expect(again.current()).toMatchObject({ status: 'filling' });
});
