import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob, makeTestId, makeUser } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { openPersonDb, type PersonDb, type PhotoEntry } from '../db/person-db.ts';
import { StorageFull } from '../db/storage-errors.ts';
import { mutate } from '../sync/mutate.ts';
import { fillStorage } from '../testing/fill-storage.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { dropPhoto, keepPhotos, createPhotoEntries, retryPhoto } from './keep.ts';
import { createPhotoUploadQueue, type PhotoUploadQueuePorts } from './photo-upload-queue.ts';
import type { UploadQueue } from './upload-queue.ts';
import type { Upload, UploadResult } from './upload.ts';

/* What becomes of a photo that is rejected, dropped or on its job already, and of the others in the queue. */

const userId = '0195b000-0000-7000-8000-00000000000a';
const job = makeJob({ userId });
const refOf = ({ path }: PhotoEntry) => `job-photos/${path}`;

let db: PersonDb;
let clock: ManualClock;
let up: string[];
let said: string[];
const queues: UploadQueue[] = [];
const random = seededRandom(7);

beforeEach(async () => {
  db = openPersonDb(userId);
  await db.open();
  await db.users.put(makeUser({ id: userId }));
  await db.jobs.put(job);
  clock = manualClock();
  [up, said] = [[], []];
});
afterEach(async () => {
  for (const photoUploads of queues.splice(0)) photoUploads.stop();
  await db.delete();
});

const toStorage: Upload = async ({ path }) => {
  up.push(path);
  return { kind: 'up' };
};

function open(
  upload: Upload = toStorage,
  refresh: PhotoUploadQueuePorts['refresh'] = async () => 'network',
): UploadQueue {
  const write: PhotoUploadQueuePorts['mutate'] = (name, args, companions) =>
    mutate({ db, userId, clock, random, collections: { find: async () => undefined } }, name, args, companions);
  const log = (event: string, detail: string) => void said.push(`${event} ${detail}`);
  const photoUploads = createPhotoUploadQueue({
    db,
    upload,
    refresh,
    mutate: write,
    clock,
    random: { next: () => 0.5 },
    log,
  });
  queues.push(photoUploads);
  return photoUploads;
}

const pick = (...sizes: number[]) =>
  createPhotoEntries(
    sizes.map((size) => ({ bytes: new ArrayBuffer(size), type: 'image/jpeg', name: 'roof.jpg', isOriginal: false })),
    {
      jobId: job.id,
      newId: makeTestId,
      now: clock.now(),
    },
  );
async function keep(...sizes: number[]): Promise<PhotoEntry[]> {
  const photos = pick(...sizes);
  await keepPhotos(db, photos);
  return photos;
}

async function run(photoUploads: UploadQueue): Promise<void> {
  photoUploads.wake();
  await photoUploads.settled();
}

/** The server's outcome of the only pending `photo.attach`. */
async function decide(status: 'applied' | 'refused'): Promise<void> {
  const { uid, seq, name, args, at } = must(await db.outbox.toCollection().first(), 'outbox entry');
  await db.outbox.delete(seq);
  if (status === 'applied') return;
  await db.jobs.update(job.id, { images: [] });
  await db.refused.put({
    uid,
    seq,
    name,
    args,
    at,
    status,
    code: 'too-many-photos',
    message: 'A job can have 5 photos at most.',
    fields: null,
    refusedAt: at,
  });
}

const stateOf = async ({ id }: PhotoEntry) => {
  const photo = await db.photos.get(id);
  return photo && [photo.state, photo.error];
};

test('a photo dropped while it waits in the queue holds up none behind it', async () => {
  const [first, second, third, fourth] = (await keep(1, 2, 3, 4)) as [PhotoEntry, PhotoEntry, PhotoEntry, PhotoEntry];
  await run(
    open(async (request, signal) => {
      await dropPhoto(db, third.id);
      return toStorage(request, signal);
    }),
  );
  expect(up).toEqual([first.path, second.path, fourth.path]);
  expect([clock.next(), said]).toEqual([undefined, []]);
});

describe('an old token', () => {
  const sendsWith = async (answers: UploadResult[], refresh: Awaited<ReturnType<PhotoUploadQueuePorts['refresh']>>) => {
    const [photo] = (await keep(1)) as [PhotoEntry];
    let renewed = 0;
    await run(
      open(
        async (request, signal) => answers.shift() ?? toStorage(request, signal),
        async () => {
          renewed += 1;
          return refresh;
        },
      ),
    );
    return { photo, renewed, left: answers.length };
  };

  test('that is rejected again after its renewal fails the photo, and is not renewed repeatedly', async () => {
    const { photo, renewed, left } = await sendsWith(
      [{ kind: 'unauthorized' }, { kind: 'unauthorized' }, { kind: 'unauthorized' }],
      'refreshed',
    );
    expect([await stateOf(photo), renewed, left, clock.next()]).toEqual([
      ['failed', 'Failed to upload images'],
      1,
      1,
      undefined,
    ]);
  });

  test('that was renewed leaves the next answer of storage as it is', async () => {
    const { photo } = await sendsWith(
      [{ kind: 'unauthorized' }, { kind: 'refused', message: 'mime type text/html is not supported' }],
      'refreshed',
    );
    expect(await stateOf(photo)).toEqual(['failed', 'mime type text/html is not supported']);
    const after = await sendsWith([{ kind: 'unauthorized' }, { kind: 'unreachable' }], 'refreshed');
    expect([await stateOf(after.photo), clock.next()]).toEqual([['waiting', null], 500]);
  });

  test('that cannot be renewed leaves the photo waiting', async () => {
    const { photo, left } = await sendsWith([{ kind: 'unauthorized' }, { kind: 'unauthorized' }], 'signed-out');
    expect([await stateOf(photo), left, clock.next()]).toEqual([['waiting', null], 1, 500]);
  });
});

test('the device itself rejects one photo too many, and sends nothing to the server', async () => {
  await db.jobs.update(job.id, { images: ['a', 'b', 'c', 'd', 'e'].map((name) => `job-photos/${job.id}/${name}.jpg`) });
  const [photo] = (await keep(1)) as [PhotoEntry];
  await run(open());
  expect(await stateOf(photo)).toEqual(['failed', 'A job can have 5 photos at most.']);
  expect([await db.outbox.count(), clock.next(), said]).toEqual([0, undefined, []]);
});

test('uploading one photo leaves the rejected entry of another to the person', async () => {
  const photoUploads = open();
  const [first] = (await keep(1)) as [PhotoEntry];
  await run(photoUploads);
  await decide('refused');
  const [second] = (await keep(2)) as [PhotoEntry];
  await run(photoUploads);
  expect([await stateOf(first), await stateOf(second)]).toEqual([
    ['failed', 'A job can have 5 photos at most.'],
    ['uploaded', null],
  ]);
  expect((await db.refused.toArray()).map(({ args }) => (args as { id: string }).id)).toEqual([first.id]);
});

test('a tap on "try again" that comes too late sends nothing again', async () => {
  const photoUploads = open();
  const [photo] = (await keep(1)) as [PhotoEntry];
  await run(photoUploads);
  await retryPhoto(db, photo.id);
  await run(photoUploads);
  expect([await stateOf(photo), up.length]).toEqual([['uploaded', null], 1]);
});

test('a photo that failed here and is on its job nevertheless is no longer shown as failed', async () => {
  const photoUploads = open(async () => ({ kind: 'refused', message: 'no' }));
  const [photo] = (await keep(1)) as [PhotoEntry];
  await run(photoUploads);
  expect(await stateOf(photo)).toEqual(['failed', 'no']);
  await db.jobs.update(job.id, { images: [refOf(photo)] });
  await run(photoUploads);
  expect(await stateOf(photo)).toBeUndefined();
});

test('a photo that was applied, and removed from its job on another device since, is deleted here', async () => {
  const photoUploads = open();
  const [photo] = (await keep(1)) as [PhotoEntry];
  await run(photoUploads);
  await decide('applied');
  await db.jobs.update(job.id, { images: [] });
  await run(photoUploads);
  expect([await stateOf(photo), said]).toEqual([undefined, []]);
});

test('C4: a picked photo that does not fit into storage is reported, and nothing of it is kept', async () => {
  const makeRoom = fillStorage();
  await expect(keepPhotos(db, pick(1))).rejects.toBeInstanceOf(StorageFull);
  makeRoom();
  expect(await db.photos.count()).toBe(0);
});

test('C4: a storage error other than a full disk ends the attempt before anything is sent', async () => {
  const [photo] = (await keep(1)) as [PhotoEntry];
  const error = () => {
    throw new TypeError('disk');
  };
  db.photos.hook('updating', error);
  await run(open());
  expect([up, said, clock.next()]).toEqual([[], ['photo-lane TypeError'], 500]);
  db.photos.hook('updating').unsubscribe(error);
  expect(await stateOf(photo)).toEqual(['waiting', null]);
});
