import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { must } from '../../shared/lib/must.ts';
import { mutate } from '../sync/mutate.ts';
import { dropPhoto, createPhotoEntries, retryPhoto } from './keep.ts';
import type { PhotoUploadQueuePorts } from './photo-upload-queue.ts';
import { openUploadHarness, type UploadHarness } from './testing/open-upload-harness.ts';

let harness: UploadHarness;
beforeEach(async () => {
  harness = await openUploadHarness();
});
afterEach(() => harness.close());

/** What the engine does with an applied or rejected `photo.attach` when it applies an answer. */
async function decide(status: 'applied' | 'refused', message = '', code = 'too-many-photos'): Promise<void> {
  const entry = must(await harness.db.outbox.toCollection().first(), 'outbox entry');
  await harness.db.outbox.delete(entry.seq);
  const { uid, seq, name, args, at } = entry;
  if (status === 'applied') return;
  await harness.db.jobs.update(harness.job.id, { images: [] });
  await harness.db.refused.put({
    uid,
    seq,
    name,
    args,
    at,
    status: 'refused',
    code,
    message,
    fields: null,
    refusedAt: at,
  });
}

test('[I12] the bytes leave the device only when the server has applied the attach', async () => {
  await harness.keep(10);
  const photoUploads = harness.open();
  await harness.run(photoUploads);
  expect(await harness.states()).toEqual([['uploaded', null]]);
  await harness.run(photoUploads);
  expect(await harness.states()).toEqual([['uploaded', null]]);
  await decide('applied');
  photoUploads.onDecided();
  await photoUploads.settled();
  expect(await harness.states()).toEqual([]);
  expect(harness.up).toHaveLength(1);
});

test('a photo removed while it was uploaded is not attached to the job', async () => {
  const [photo] = await harness.keep(10);
  await harness.run(
    harness.open(async (request, signal) => {
      await dropPhoto(harness.db, photo!.id);
      return harness.toStorage(request, signal);
    }),
  );
  expect(await harness.attached()).toEqual([]);
});

test.each([
  ['before', 0, 'uploading'],
  ['after', 1, 'uploaded'],
] as const)(
  'killed the moment %s its attach is in the outbox, a photo is not lost: the two are one step',
  async (_when, inOutbox, state) => {
    const [photo] = await harness.keep(10);
    const killed: PhotoUploadQueuePorts['mutate'] = async (...given) => {
      if (inOutbox === 1) await harness.mutate(...given);
      throw new Error('killed');
    };
    const photoUploads = harness.open(harness.toStorage, undefined, { mutate: killed, log: () => undefined });
    await harness.run(photoUploads);
    photoUploads.stop();
    expect(await harness.states()).toEqual([[state, null]]);
    expect(await harness.attached()).toHaveLength(inOutbox);
    const next = harness.open();
    await harness.run(next);
    expect(await harness.attached()).toEqual([['photo.attach', `job-photos/${photo!.path}`]]);
    expect(await harness.db.photos.count()).toBe(1);
    await decide('applied');
    next.onDecided();
    await next.settled();
    expect(await harness.db.photos.count()).toBe(0);
  },
);

test('a photo that storage lost after it was sent (a backup was restored) goes up again by itself, and nothing is shown as rejected', async () => {
  const [photo] = await harness.keep(10);
  const photoUploads = harness.open();
  await harness.run(photoUploads);
  await decide('refused', 'The server does not have this picture any more. It has to be sent again.', 'file-missing');
  photoUploads.onDecided();
  await photoUploads.settled();
  expect(harness.up).toEqual([photo!.path, photo!.path]);
  expect(await harness.attached()).toEqual([['photo.attach', `job-photos/${photo!.path}`]]);
  expect(await harness.db.refused.count()).toBe(0);
  // A storage that loses everything does not get the bytes for ever.
  for (let again = 0; again < 5; again += 1) {
    await decide('refused', 'gone', 'file-missing').catch(() => undefined);
    photoUploads.onDecided();
    await photoUploads.settled();
  }
  expect(harness.up).toHaveLength(5);
  expect(await harness.states()).toEqual([['failed', 'gone']]);
});

test('an attach that the server rejects is shown at the photo; trying again takes it out of "Not accepted"', async () => {
  const [photo] = await harness.keep(10);
  const photoUploads = harness.open();
  await harness.run(photoUploads);
  await decide('refused', 'A job can have 5 photos at most.');
  await harness.run(photoUploads);
  expect(await harness.states()).toEqual([['failed', 'A job can have 5 photos at most.']]);
  await retryPhoto(harness.db, photo!.id);
  await harness.run(photoUploads);
  expect(await harness.db.refused.count()).toBe(0);
  expect(await harness.attached()).toHaveLength(1);
});

test('photos of a rejected job wait with it', async () => {
  await harness.keep(10);
  const photoUploads = harness.open();
  await harness.run(photoUploads);
  await decide('refused', 'not found');
  await harness.db.jobs.delete(harness.job.id);
  await harness.run(photoUploads);
  expect(await harness.states()).toEqual([['waiting', null]]);
  expect(harness.up).toHaveLength(1);
  await harness.db.jobs.put(harness.job);
  await harness.run(photoUploads);
  expect(harness.up).toHaveLength(2);
});

test('a photo of a job that is itself still waiting is uploaded, and its attach queues behind the job [§offline]', async () => {
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
  await mutate(harness.ports, 'job.post', post, { photos });
  await harness.run(harness.open());
  expect((await harness.db.outbox.orderBy('seq').toArray()).map(({ name }) => name)).toEqual([
    'job.post',
    'photo.attach',
  ]);
});

describe('on a full phone', () => {
  /** Writing a photo's row again fails: the storage is full. */
  const fill = () => {
    const hook = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    harness.db.photos.hook('updating', hook);
    return () => harness.db.photos.hook('updating').unsubscribe(hook);
  };

  test('a photo is sent all the same: only its state `uploading` is not written', async () => {
    await harness.keep(10);
    const makeRoom = fill();
    await harness.run(harness.open(async () => ({ kind: 'unreachable' })));
    expect(await harness.states()).toEqual([['waiting', null]]);
    await harness.run(
      harness.open(async (request, signal) => {
        makeRoom();
        return harness.toStorage(request, signal);
      }),
    );
    expect(harness.up).toHaveLength(1);
    expect(await harness.attached()).toHaveLength(1);
    expect(await harness.states()).toEqual([['uploaded', null]]);
  });

  test('one that is uploaded, but cannot be marked so, is not sent again, and joins the outbox once there is space', async () => {
    await harness.keep(10);
    const makeRoom = fill();
    const errors: string[] = [];
    const photoUploads = harness.open(harness.toStorage, undefined, { log: (event) => void errors.push(event) });
    await harness.run(photoUploads);
    await harness.run(photoUploads);
    expect([harness.up.length, await harness.db.outbox.count(), errors]).toEqual([1, 0, ['photo-lane', 'photo-lane']]);
    makeRoom();
    await harness.run(photoUploads);
    expect([harness.up.length, (await harness.attached()).length]).toEqual([1, 1]);
    expect(await harness.states()).toEqual([['uploaded', null]]);
  });
});
