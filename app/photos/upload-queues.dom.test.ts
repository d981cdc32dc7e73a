import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeJob, makeTestId, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { openPersonDb, type PersonDb } from '../db/person-db.ts';
import { mutate } from '../sync/mutate.ts';
import { createDeferred } from '../testing/deferred.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { dropLogo, keepLogo } from './keep-logo.ts';
import { dropPhoto, keepPhotos, createPhotoEntries } from './keep.ts';
import { createLogoUploadQueue } from './logo-upload-queue.ts';
import { createPhotoUploadQueue } from './photo-upload-queue.ts';
import type { UploadQueue } from './upload-queue.ts';
import { createPutLogo } from './put-logo.ts';
import type { Upload, UploadResult } from './upload.ts';

/*
 * What photos and logos have in common: when an upload is retried, when it is not, and that one run is under way at
 * most.
 */

const userId = '0195b000-0000-7000-8000-00000000000a';
const job = makeJob({ userId });
const business = makeTradie({ userId, logo: '' });

const random = seededRandom(7);

let db: PersonDb;
let clock: ManualClock;
let answers: UploadResult['kind'][];
let sent: string[];
let signals: AbortSignal[];
let said: string[];
let opened: UploadQueue[];
/** Replaces `mutate` where a test sets it. */
let write: (() => Promise<never>) | undefined;

beforeEach(async () => {
  db = openPersonDb(userId);
  await db.open();
  await db.users.put(makeUser({ id: userId, tradieId: business.id }));
  await db.jobs.put(job);
  await db.tradies.put(business);
  clock = manualClock();
  [answers, sent, signals, said, opened] = [[], [], [], [], []];
  write = undefined;
});
afterEach(async () => {
  for (const uploads of opened) uploads.stop();
  await db.delete();
});

/** Storage: gives `answers` in order, then `up`. */
const toStorage: Upload = async ({ path }, signal) => {
  sent.push(path);
  signals.push(signal);
  const kind = answers.shift() ?? 'up';
  return kind === 'refused' ? { kind, message: 'too large' } : { kind };
};

/** Waits until everything left needs a timer. */
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
};

/** Waits until a request has begun, which sets the timer of its limit. */
const underWay = () => vi.waitUntil(() => clock.next() === 120_000, { timeout: 30_000, interval: 5 });

const mutatePorts = () => ({ db, userId, clock, random, collections: { find: async () => undefined } });

const ports = () => ({
  db,
  clock,
  random: { next: () => 0.5 },
  refresh: async () => 'network' as const,
  wakeUp: () => undefined,
  userId,
  mutate: async (...[name, args, companions]: Parameters<Parameters<typeof createLogoUploadQueue>[0]['mutate']>) =>
    write === undefined ? mutate(mutatePorts(), name, args, companions) : write(),
  log: (event: string, detail: string) => void said.push(`${event} ${detail}`),
});

function opening(uploads: UploadQueue): UploadQueue {
  opened.push(uploads);
  return uploads;
}

let chosen = 0;
const kinds = {
  photo: {
    choose: async () => {
      const picked = { bytes: new ArrayBuffer(8), type: 'image/jpeg', name: 'roof.jpg', isOriginal: false };
      const photos = createPhotoEntries([picked], { jobId: job.id, newId: makeTestId, now: clock.now() });
      await keepPhotos(db, photos);
      return { path: photos[0]!.path, drop: () => dropPhoto(db, photos[0]!.id) };
    },
    open: (upload: Upload = toStorage) =>
      opening(createPhotoUploadQueue({ ...ports(), mutate: ports().mutate as never, upload })),
  },
  logo: {
    choose: async () => {
      const path = `folder/${(chosen += 1)}-logo.png`;
      await keepLogo(db, { tradieId: business.id, base: '', path, bytes: new ArrayBuffer(8), type: 'image/png' }, '');
      return { path, drop: () => dropLogo(db) };
    },
    open: (upload: Upload = toStorage) =>
      opening(createLogoUploadQueue({ ...ports(), putLogo: createPutLogo({ upload, refresh: ports().refresh }) })),
  },
};

async function run(uploads: UploadQueue): Promise<void> {
  uploads.wake();
  await uploads.settled();
}

describe.each(['photo', 'logo'] as const)('a %s', (kind) => {
  const { choose, open } = kinds[kind];

  test('without an answer is retried after a wait that doubles; a success resets the wait', async () => {
    await choose();
    answers = ['unreachable', 'unreachable', 'unreachable'];
    const uploads = open();
    await run(uploads);
    // Full jitter with a random number of 0.5: half of 1 s, 2 s, 4 s.
    for (const wait of [500, 1_000, 2_000]) {
      expect(clock.next()).toBe(wait);
      clock.advance(wait);
      await uploads.settled();
    }
    expect([sent.length, await db.outbox.count(), clock.next()]).toEqual([4, 1, undefined]);
    await db.outbox.clear();
    await choose();
    answers = ['unreachable'];
    await run(uploads);
    expect(clock.next()).toBe(500);
    expect(said).toEqual([]);
  });

  test('that waits nowhere: a round after an answer reads nothing of a long queue', async () => {
    const edit = (from: string, to: string) =>
      mutate(mutatePorts(), 'job.edit', { id: job.id, set: { title: to }, base: { title: from } }, {});
    for (let count = 0; count < 30; count += 1)
      await edit(count === 0 ? job.title : `Gate ${count - 1}`, `Gate ${count}`);
    const uploads = open();
    const steps = vi.spyOn(IDBCursor.prototype, 'continue');
    const lists = vi.spyOn(IDBObjectStore.prototype, 'getAll');
    await run(uploads);
    expect([steps.mock.calls.length, lists.mock.calls.filter(([query]) => query == null).length]).toEqual([0, 0]);
  });

  test('that is retried before its wait is over is not retried again when that ends', async () => {
    await choose();
    answers = ['unreachable', 'unreachable'];
    const uploads = open();
    await run(uploads);
    await run(uploads);
    expect(sent).toHaveLength(2);
    clock.advance(999);
    await uploads.settled();
    expect(sent).toHaveLength(2);
    clock.advance(1);
    await uploads.settled();
    expect(sent).toHaveLength(3);
  });

  test.each(['refused', 'up'] as const)(
    'that storage answered (%s) schedules no retry; nor does an empty queue',
    async (answer) => {
      const uploads = open();
      await run(uploads);
      expect(clock.next()).toBeUndefined();
      await choose();
      answers = [answer];
      await run(uploads);
      expect([sent.length, clock.next(), said]).toEqual([1, undefined, []]);
    },
  );

  test('that is dropped during its upload leaves nothing to be written or retried', async () => {
    const { drop } = await choose();
    const uploads = open(async (request, signal) => {
      await drop();
      return toStorage(request, signal);
    });
    await run(uploads);
    expect([sent.length, await db.outbox.count(), clock.next(), said]).toEqual([1, 0, undefined, []]);
  });

  test('is uploaded once, however often the queue is woken meanwhile', async () => {
    await choose();
    const answer = createDeferred<UploadResult>();
    const uploads = open(async (request, signal) => {
      await toStorage(request, signal);
      return answer.promise;
    });
    uploads.wake();
    await underWay();
    uploads.wake();
    uploads.afterExchange();
    await turns();
    expect(sent).toHaveLength(1);
    answer.resolve({ kind: 'up' });
    await uploads.settled();
    expect([sent.length, await db.outbox.count()]).toEqual([1, 1]);
  });

  test('without an answer is retried at once where an exchange succeeded meanwhile', async () => {
    await choose();
    const first = createDeferred<UploadResult>();
    const uploads = open((request, signal) =>
      sent.length === 0 ? (sent.push(request.path), first.promise) : toStorage(request, signal),
    );
    uploads.wake();
    await underWay();
    uploads.afterExchange();
    first.resolve({ kind: 'unreachable' });
    await uploads.settled();
    expect([sent.length, await db.outbox.count(), clock.next()]).toEqual([2, 1, undefined]);
  });

  test('whose upload hangs is aborted after two minutes, and retried', async () => {
    await choose();
    let isHung = true;
    const uploads = open(async (request, signal) => {
      if (!isHung) return toStorage(request, signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { kind: 'unreachable' };
    });
    uploads.wake();
    await underWay();
    clock.advance(119_999);
    await turns();
    expect(clock.next()).toBe(1);
    isHung = false;
    clock.advance(1);
    await uploads.settled();
    expect(clock.next()).toBe(500);
    clock.advance(500);
    await uploads.settled();
    expect([sent.length, clock.next()]).toEqual([1, undefined]);
  });

  test('whose queue is stopped during the upload is aborted, and nothing is retried after that', async () => {
    await choose();
    const uploads = open(async (request, signal) => {
      await toStorage(request, signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { kind: 'unreachable' };
    });
    uploads.wake();
    await underWay();
    uploads.stop();
    await uploads.settled();
    uploads.wake();
    uploads.afterExchange();
    await uploads.settled();
    expect([sent.length, clock.next()]).toEqual([1, undefined]);
  });

  test('that waits for a retry is not retried by a stopped queue; an upload that has ended is not aborted', async () => {
    await choose();
    answers = ['unreachable'];
    const uploads = open();
    await run(uploads);
    uploads.stop();
    expect([clock.next(), signals.map(({ aborted }) => aborted)]).toEqual([undefined, [false]]);
  });

  test('that is in storage while its mutation cannot be written is logged, and retried after a wait that doubles', async () => {
    await choose();
    const error = vi.fn(() => Promise.reject(new TypeError('disk')));
    write = error;
    const uploads = open();
    await run(uploads);
    expect(clock.next()).toBe(500);
    clock.advance(500);
    await uploads.settled();
    expect(clock.next()).toBe(1_000);
    // Each attempt fails once: the bytes stay here until the mutation is in the outbox.
    expect(error).toHaveBeenCalledTimes(2);
    expect(said).toEqual([`${kind}-lane TypeError`, `${kind}-lane TypeError`]);
    write = undefined;
    clock.advance(1_000);
    await uploads.settled();
    expect([await db.outbox.count(), clock.next()]).toEqual([1, undefined]);
  });
});
