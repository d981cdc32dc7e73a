import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { dropPhoto, retryPhoto } from './keep.ts';
import { openUploadHarness, type UploadHarness } from './testing/open-upload-harness.ts';
import type { UploadResult } from './upload.ts';

let harness: UploadHarness;
beforeEach(async () => {
  harness = await openUploadHarness();
});
afterEach(() => harness.close());

test('the path is fixed when the photo is picked: job, time and an ASCII name, nothing of the person, and no two are the same [§3]', async () => {
  const [first, second] = await harness.keep(3, 3);
  expect(must(first, 'photo').path).toMatch(
    new RegExp(`^${harness.job.id}/${harness.ports.clock.now()}\\d{6}-roof-3\\.jpg$`),
  );
  expect(must(second, 'photo').path).not.toBe(must(first, 'photo').path);
});

test('small ones go first, two at a time; each joins the outbox as photo.attach and shows on the job [§7]', async () => {
  const photos = await harness.keep(500, 10, 300);
  let now = 0;
  let most = 0;
  let meet = () => undefined as void;
  const areTwo = new Promise<void>((resolve) => (meet = resolve));
  const photoUploads = harness.open(async (request, signal) => {
    now += 1;
    most = Math.max(most, now);
    if (now === 2) meet();
    await areTwo;
    now -= 1;
    return harness.toStorage(request, signal);
  });
  await harness.run(photoUploads);
  expect(harness.up).toEqual([photos[1]!.path, photos[2]!.path, photos[0]!.path]);
  expect(most).toBe(2);
  expect((await harness.attached()).map(([name]) => name)).toEqual(['photo.attach', 'photo.attach', 'photo.attach']);
  expect((await harness.db.jobs.get(harness.job.id))?.images.toSorted()).toEqual(
    photos.map(({ path }) => `job-photos/${path}`).toSorted(),
  );
});

describe('a failure', () => {
  test('of signal leaves the photo waiting, and the next exchange or the timer tries again', async () => {
    await harness.keep(10, 20);
    const answers: UploadResult[] = [{ kind: 'unreachable' }, { kind: 'unreachable' }];
    const photoUploads = harness.open(async (request, signal) => answers.shift() ?? harness.toStorage(request, signal));
    await harness.run(photoUploads);
    expect(await harness.states()).toEqual([
      ['waiting', null],
      ['waiting', null],
    ]);
    expect(harness.timers.size).toBe(1);
    for (const fire of Array.from(harness.timers)) fire();
    await photoUploads.settled();
    expect(harness.up).toHaveLength(2);
  });

  test('with a reason from storage is kept with it, holds up no other photo, and can be tried again [§8]', async () => {
    const [bad, good] = await harness.keep(10, 20);
    let isBig = true;
    const photoUploads = harness.open(async (request, signal) =>
      isBig && request.path === bad!.path
        ? { kind: 'refused', message: 'The object exceeded the maximum allowed size' }
        : harness.toStorage(request, signal),
    );
    await harness.run(photoUploads);
    expect(await harness.db.photos.get(bad!.id)).toMatchObject({
      state: 'failed',
      error: 'The object exceeded the maximum allowed size',
    });
    expect(harness.up).toEqual([good!.path]);
    await harness.run(photoUploads);
    expect(harness.up).toEqual([good!.path]);

    isBig = false;
    await retryPhoto(harness.db, bad!.id);
    await harness.run(photoUploads);
    expect(harness.up).toEqual([good!.path, bad!.path]);
  });

  test('can be removed', async () => {
    const [photo] = await harness.keep(10);
    const photoUploads = harness.open(async () => ({ kind: 'refused', message: 'no' }));
    await harness.run(photoUploads);
    await dropPhoto(harness.db, photo!.id);
    await harness.run(photoUploads);
    expect(await harness.db.photos.count()).toBe(0);
    expect(await harness.attached()).toEqual([]);
  });

  test('for an old token renews the session once', async () => {
    await harness.keep(10);
    const answers: UploadResult[] = [{ kind: 'unauthorized' }];
    let renewed = 0;
    await harness.run(
      harness.open(
        async (request, signal) => answers.shift() ?? harness.toStorage(request, signal),
        async () => {
          renewed += 1;
          return 'refreshed';
        },
      ),
    );
    expect([renewed, harness.up.length]).toEqual([1, 1]);
  });
});

test('a queue killed half-way is continued by the next one: the same path again, one attach', async () => {
  const [photo] = await harness.keep(10);
  let reached = () => undefined as void;
  const isUnderWay = new Promise<void>((resolve) => (reached = resolve));
  const killed = harness.open(async ({ path }) => {
    harness.up.push(path);
    reached();
    return new Promise<UploadResult>(() => undefined);
  });
  killed.wake();
  await isUnderWay;
  killed.stop();
  expect(await harness.states()).toEqual([['uploading', null]]);
  await harness.run(harness.open());
  expect(harness.up).toEqual([photo!.path, photo!.path]);
  expect(await harness.attached()).toEqual([['photo.attach', `job-photos/${photo!.path}`]]);
});
