import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeJob, makeTestId, makeUser } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { must } from '../../shared/lib/must.ts';
import type { Clock } from '../db/clock.ts';
import { openPersonDb, type PersonDb, type PhotoEntry } from '../db/person-db.ts';
import { mutate } from '../sync/mutate.ts';
import { dropPhoto, keepPhotos, createPhotoEntries, retryPhoto } from './keep.ts';
import { createPhotoUploadQueue, type PhotoUploadQueue, type PhotoUploadQueuePorts } from './photo-upload-queue.ts';
import type { Upload, UploadResult } from './upload.ts';

const userId = '0195b000-0000-7000-8000-00000000000a';
const job = makeJob({ userId });

let db: PersonDb;
let timers: Set<() => void>;
let up: string[];
const queues: PhotoUploadQueue[] = [];
const random = { ...seededRandom(7), next: () => 0.5 };
const clock: Clock = {
  now: () => Date.UTC(2026, 10, 21),
  setTimer: (_ms, fire) => {
    timers.add(fire);
    return () => void timers.delete(fire);
  },
};

beforeEach(async () => {
  db = openPersonDb(userId);
  await db.open();
  await db.users.put(makeUser({ id: userId }));
  await db.jobs.put(job);
  timers = new Set();
  up = [];
});
afterEach(async () => {
  for (const photoUploads of queues.splice(0)) photoUploads.stop();
  await db.delete();
});

const toStorage: Upload = async ({ path }) => {
  up.push(path);
  return { kind: 'up' };
};

const real: PhotoUploadQueuePorts['mutate'] = (name, args, companions) =>
  mutate({ db, userId, clock, random, collections: { find: async () => undefined } }, name, args, companions);

function open(
  upload: Upload = toStorage,
  refresh: PhotoUploadQueuePorts['refresh'] = async () => 'network',
  given: Partial<PhotoUploadQueuePorts> = {},
): PhotoUploadQueue {
  const photoUploads = createPhotoUploadQueue({
    db,
    upload,
    refresh,
    mutate: real,
    clock,
    random,
    log: (event, detail) => {
      throw new Error(`${event}: ${detail}`);
    },
    ...given,
  });
  queues.push(photoUploads);
  return photoUploads;
}

async function keep(...sizes: number[]): Promise<PhotoEntry[]> {
  const shrunk = sizes.map((size) => ({
    bytes: new Uint8Array(size).buffer,
    type: 'image/jpeg',
    name: `roof ${size}.jpeg`,
    isOriginal: false,
  }));
  const photos = createPhotoEntries(shrunk, { jobId: job.id, newId: makeTestId, now: clock.now() });
  await keepPhotos(db, photos);
  return photos;
}

async function run(photoUploads: PhotoUploadQueue): Promise<void> {
  photoUploads.wake();
  await photoUploads.settled();
}

const attached = async () =>
  (await db.outbox.orderBy('seq').toArray()).map(({ name, args }) => [name, (args as { url: string }).url]);
const states = async () => (await db.photos.orderBy('id').toArray()).map(({ state, error }) => [state, error]);

/** What the engine does with an applied or rejected `photo.attach` when it applies an answer. */
async function decide(status: 'applied' | 'refused', message = '', code = 'too-many-photos'): Promise<void> {
  const entry = must(await db.outbox.toCollection().first(), 'outbox entry');
  await db.outbox.delete(entry.seq);
  const { uid, seq, name, args, at } = entry;
  if (status === 'applied') return;
  await db.jobs.update(job.id, { images: [] });
  await db.refused.put({ uid, seq, name, args, at, status: 'refused', code, message, fields: null, refusedAt: at });
}

test('the path is fixed when the photo is picked: job, time and an ASCII name, nothing of the person, and no two are the same', async () => {
  const [first, second] = await keep(3, 3);
  expect(must(first, 'photo').path).toMatch(new RegExp(`^${job.id}/${clock.now()}\\d{6}-roof-3\\.jpg$`));
  expect(must(second, 'photo').path).not.toBe(must(first, 'photo').path);
});

test('small ones go first, two at a time; each joins the outbox as photo.attach and shows on the job', async () => {
  const photos = await keep(500, 10, 300);
  let now = 0;
  let most = 0;
  let meet = () => undefined as void;
  const areTwo = new Promise<void>((resolve) => (meet = resolve));
  const photoUploads = open(async (request, signal) => {
    now += 1;
    most = Math.max(most, now);
    if (now === 2) meet();
    await areTwo;
    now -= 1;
    return toStorage(request, signal);
  });
  await run(photoUploads);
  expect(up).toEqual([photos[1]!.path, photos[2]!.path, photos[0]!.path]);
  expect(most).toBe(2);
  expect((await attached()).map(([name]) => name)).toEqual(['photo.attach', 'photo.attach', 'photo.attach']);
  expect((await db.jobs.get(job.id))?.images.toSorted()).toEqual(
    photos.map(({ path }) => `job-photos/${path}`).toSorted(),
  );
});

test('[I12] the bytes leave the device only when the server has applied the attach', async () => {
  await keep(10);
  const photoUploads = open();
  await run(photoUploads);
  expect(await states()).toEqual([['uploaded', null]]);
  await run(photoUploads);
  expect(await states()).toEqual([['uploaded', null]]);
  await decide('applied');
  photoUploads.onDecided();
  await photoUploads.settled();
  expect(await states()).toEqual([]);
  expect(up).toHaveLength(1);
});

describe('a failure', () => {
  test('of signal leaves the photo waiting, and the next exchange or the timer tries again', async () => {
    await keep(10, 20);
    const answers: UploadResult[] = [{ kind: 'unreachable' }, { kind: 'unreachable' }];
    const photoUploads = open(async (request, signal) => answers.shift() ?? toStorage(request, signal));
    await run(photoUploads);
    expect(await states()).toEqual([
      ['waiting', null],
      ['waiting', null],
    ]);
    expect(timers.size).toBe(1);
    for (const fire of Array.from(timers)) fire();
    await photoUploads.settled();
    expect(up).toHaveLength(2);
  });

  test('with a reason from storage is kept with it, holds up no other photo, and can be tried again', async () => {
    const [bad, good] = await keep(10, 20);
    let isBig = true;
    const photoUploads = open(async (request, signal) =>
      isBig && request.path === bad!.path
        ? { kind: 'refused', message: 'The object exceeded the maximum allowed size' }
        : toStorage(request, signal),
    );
    await run(photoUploads);
    expect(await db.photos.get(bad!.id)).toMatchObject({
      state: 'failed',
      error: 'The object exceeded the maximum allowed size',
    });
    expect(up).toEqual([good!.path]);
    await run(photoUploads);
    expect(up).toEqual([good!.path]);

    isBig = false;
    await retryPhoto(db, bad!.id);
    await run(photoUploads);
    expect(up).toEqual([good!.path, bad!.path]);
  });

  test('can be removed', async () => {
    const [photo] = await keep(10);
    const photoUploads = open(async () => ({ kind: 'refused', message: 'no' }));
    await run(photoUploads);
    await dropPhoto(db, photo!.id);
    await run(photoUploads);
    expect(await db.photos.count()).toBe(0);
    expect(await attached()).toEqual([]);
  });

  test('for an old token renews the session once', async () => {
    await keep(10);
    const answers: UploadResult[] = [{ kind: 'unauthorized' }];
    let renewed = 0;
    await run(
      open(
        async (request, signal) => answers.shift() ?? toStorage(request, signal),
        async () => {
          renewed += 1;
          return 'refreshed';
        },
      ),
    );
    expect([renewed, up.length]).toEqual([1, 1]);
  });
});

test('a photo removed while it was uploaded is not attached to the job', async () => {
  const [photo] = await keep(10);
  await run(
    open(async (request, signal) => {
      await dropPhoto(db, photo!.id);
      return toStorage(request, signal);
    }),
  );
  expect(await attached()).toEqual([]);
});

test('a queue killed half-way is continued by the next one: the same path again, one attach', async () => {
  const [photo] = await keep(10);
  let reached = () => undefined as void;
  const isUnderWay = new Promise<void>((resolve) => (reached = resolve));
  const killed = open(async ({ path }) => {
    up.push(path);
    reached();
    return new Promise<UploadResult>(() => undefined);
  });
  killed.wake();
  await isUnderWay;
  killed.stop();
  expect(await states()).toEqual([['uploading', null]]);
  await run(open());
  expect(up).toEqual([photo!.path, photo!.path]);
  expect(await attached()).toEqual([['photo.attach', `job-photos/${photo!.path}`]]);
});

test.each([
  ['before', 0, 'uploading'],
  ['after', 1, 'uploaded'],
] as const)(
  'killed the moment %s its attach is in the outbox, a photo is not lost: the two are one step',
  async (_when, inOutbox, state) => {
    const [photo] = await keep(10);
    const killed: PhotoUploadQueuePorts['mutate'] = async (...given) => {
      if (inOutbox === 1) await real(...given);
      throw new Error('killed');
    };
    const photoUploads = open(toStorage, undefined, { mutate: killed, log: () => undefined });
    await run(photoUploads);
    photoUploads.stop();
    expect(await states()).toEqual([[state, null]]);
    expect(await attached()).toHaveLength(inOutbox);
    const next = open();
    await run(next);
    expect(await attached()).toEqual([['photo.attach', `job-photos/${photo!.path}`]]);
    expect(await db.photos.count()).toBe(1);
    await decide('applied');
    next.onDecided();
    await next.settled();
    expect(await db.photos.count()).toBe(0);
  },
);

test('a photo that storage lost after it was sent (a backup was restored) goes up again by itself, and nothing is shown as rejected', async () => {
  const [photo] = await keep(10);
  const photoUploads = open();
  await run(photoUploads);
  await decide('refused', 'The server does not have this picture any more. It has to be sent again.', 'file-missing');
  photoUploads.onDecided();
  await photoUploads.settled();
  expect(up).toEqual([photo!.path, photo!.path]);
  expect(await attached()).toEqual([['photo.attach', `job-photos/${photo!.path}`]]);
  expect(await db.refused.count()).toBe(0);
  // A storage that loses everything does not get the bytes for ever.
  for (let again = 0; again < 5; again += 1) {
    await decide('refused', 'gone', 'file-missing').catch(() => undefined);
    photoUploads.onDecided();
    await photoUploads.settled();
  }
  expect(up).toHaveLength(5);
  expect(await states()).toEqual([['failed', 'gone']]);
});

test('an attach that the server rejects is shown at the photo; trying again takes it out of "Not accepted"', async () => {
  const [photo] = await keep(10);
  const photoUploads = open();
  await run(photoUploads);
  await decide('refused', 'A job can have 5 photos at most.');
  await run(photoUploads);
  expect(await states()).toEqual([['failed', 'A job can have 5 photos at most.']]);
  await retryPhoto(db, photo!.id);
  await run(photoUploads);
  expect(await db.refused.count()).toBe(0);
  expect(await attached()).toHaveLength(1);
});

test('photos of a rejected job wait with it', async () => {
  await keep(10);
  const photoUploads = open();
  await run(photoUploads);
  await decide('refused', 'not found');
  await db.jobs.delete(job.id);
  await run(photoUploads);
  expect(await states()).toEqual([['waiting', null]]);
  expect(up).toHaveLength(1);
  await db.jobs.put(job);
  await run(photoUploads);
  expect(up).toHaveLength(2);
});

test('a photo of a job that is itself still waiting is uploaded, and its attach queues behind the job', async () => {
  const ports = { db, userId, clock, random, collections: { find: async () => undefined } };
  const id = makeTestId();
  const photos = createPhotoEntries(
    [{ bytes: new ArrayBuffer(4), type: 'image/png', name: 'x.png', isOriginal: false }],
    { jobId: id, newId: makeTestId, now: 1 },
  );
  const post = {
    id,
    title: 'Deck',
    description: 'Kwila',
    locationId: 'southland/winton',
    urgency: 'soon',
    categoryId: 'builder',
  } as const;
  await mutate(ports, 'job.post', post, { photos });
  await run(open());
  expect((await db.outbox.orderBy('seq').toArray()).map(({ name }) => name)).toEqual(['job.post', 'photo.attach']);
});

describe('on a full phone', () => {
  /** Writing a photo's row again fails: the storage is full. */
  const fill = () => {
    const hook = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    db.photos.hook('updating', hook);
    return () => db.photos.hook('updating').unsubscribe(hook);
  };

  test('a photo is sent all the same: only its state `uploading` is not written', async () => {
    await keep(10);
    const makeRoom = fill();
    await run(open(async () => ({ kind: 'unreachable' })));
    expect(await states()).toEqual([['waiting', null]]);
    await run(
      open(async (request, signal) => {
        makeRoom();
        return toStorage(request, signal);
      }),
    );
    expect(up).toHaveLength(1);
    expect(await attached()).toHaveLength(1);
    expect(await states()).toEqual([['uploaded', null]]);
  });

  test('one that is uploaded, but cannot be marked so, is not sent again, and joins the outbox once there is space', async () => {
    await keep(10);
    const makeRoom = fill();
    const faults: string[] = [];
    const photoUploads = open(toStorage, undefined, { log: (event) => void faults.push(event) });
    await run(photoUploads);
    await run(photoUploads);
    expect([up.length, await db.outbox.count(), faults]).toEqual([1, 0, ['photo-lane', 'photo-lane']]);
    makeRoom();
    await run(photoUploads);
    expect([up.length, (await attached()).length]).toEqual([1, 1]);
    expect(await states()).toEqual([['uploaded', null]]);
  });
});
