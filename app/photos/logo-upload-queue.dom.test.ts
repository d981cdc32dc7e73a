import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import type { CancelTimer } from '../db/clock.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { StorageFull } from '../db/storage-errors.ts';
import { fillStorage } from '../testing/fill-storage.ts';
import { dropLogo, findWaitingLogo, keepLogo, retryLogo, undoKeepLogo } from './keep-logo.ts';
import { createLogoUploadQueue, type LogoUploadQueuePorts } from './logo-upload-queue.ts';
import type { UploadQueue } from './upload-queue.ts';
import { createPutLogo, logoPath, type LogoResult, type PutLogo } from './put-logo.ts';
import type { UploadResult } from './upload.ts';

let harness: DeviceHarness;
let phone: Phone;
let tradieId: string;
let retries: (() => void)[];
const bytes = new Uint8Array([1, 2, 3]).buffer;

beforeEach(async () => {
  harness = await openDeviceHarness();
  const person = harness.addTradie({}, { logo: '' });
  tradieId = must(person.tradieId, 'a business');
  phone = await harness.as(person);
  retries = [];
});
afterEach(() => harness.close());

const folder = '0c7e5a52-6a37-4f0e-9d5e-5f6f0f7d7c11';
const ref = () => `tradie-logos/${folder}/1-logo.png`;
const onServer = () => must(harness.server.rows.tradies.get(tradieId), 'the business').logo;

function uploads(putLogo: PutLogo, mutate: LogoUploadQueuePorts['mutate'] = phone.sync.mutate): UploadQueue {
  const setTimer = (_ms: number, fire: () => void): CancelTimer => {
    retries.push(fire);
    return () => undefined;
  };
  return createLogoUploadQueue({
    wakeUp: () => undefined,
    userId: phone.userId,
    db: phone.db,
    putLogo,
    mutate,
    clock: { now: () => 0, setTimer },
    random: seededRandom(3),
    log: () => undefined,
  });
}

const keep = (path = `${folder}/1-logo.png`) =>
  keepLogo(phone.db, { tradieId, base: '', path, bytes, type: 'image/png' }, '2026-01-02T00:00:00.000Z');

test('a waiting logo is uploaded, then its address is sent to the server, and nothing waits any more', async () => {
  await keep();
  const sending = uploads(async () => ({ kind: 'up', ref: ref() }));
  sending.wake();
  await sending.settled();
  await harness.sync(phone);
  expect(onServer()).toBe(ref());
  expect(await findWaitingLogo(phone.db)).toBeUndefined();
});

test('without an answer it stays, and is retried by itself', async () => {
  await keep();
  let answer: LogoResult = { kind: 'unreachable' };
  const sending = uploads(async () => answer);
  sending.wake();
  await sending.settled();
  expect(await findWaitingLogo(phone.db)).toMatchObject({ state: 'waiting' });
  answer = { kind: 'up', ref: ref() };
  must(retries.at(-1), 'a retry')();
  await sending.settled();
  await harness.sync(phone);
  expect(onServer()).toBe(ref());
});

test('a rejection by storage is kept with its reason, and not retried', async () => {
  await keep();
  const putLogo = vi.fn(async (): Promise<LogoResult> => ({
    kind: 'refused',
    message: 'mime type image/gif is not supported',
  }));
  const sending = uploads(putLogo);
  sending.wake();
  await sending.settled();
  sending.afterExchange();
  await sending.settled();
  expect(putLogo).toHaveBeenCalledTimes(1);
  expect(await findWaitingLogo(phone.db)).toMatchObject({
    state: 'failed',
    error: 'mime type image/gif is not supported',
  });
  expect(onServer()).toBe('');
});

test('cancelled while it is uploaded, it does not become the logo', async () => {
  await keep();
  const sending = uploads(async () => {
    await dropLogo(phone.db);
    return { kind: 'up', ref: ref() };
  });
  sending.wake();
  await sending.settled();
  await harness.sync(phone);
  expect(onServer()).toBe('');
});

test('another one chosen meanwhile is the one that counts, and is uploaded by itself', async () => {
  const [first, second] = [`${folder}/1-logo.png`, `${folder}/2-logo.png`];
  await keep(first);
  const sending = uploads(async ({ path }) => {
    if (path === first) await keep(second);
    return { kind: 'up', ref: ref().replace(first, path) };
  });
  sending.wake();
  await sending.settled();
  await harness.sync(phone);
  expect(onServer()).toBe(ref().replace(first, second));
  expect(await findWaitingLogo(phone.db)).toBeUndefined();
});

test('another one chosen while the edit of the first is written is not lost after "saved"', async () => {
  const second = `${folder}/2-logo.png`;
  await keep();
  let isChosen = false;
  const sending = uploads(
    async ({ path }) => ({ kind: 'up', ref: `tradie-logos/${path}` }),
    async (...given) => {
      if (!isChosen) await keep(second);
      isChosen = true;
      return phone.sync.mutate(...given);
    },
  );
  sending.wake();
  await sending.settled();
  await harness.sync(phone);
  expect(onServer()).toBe(`tradie-logos/${second}`);
  expect(await findWaitingLogo(phone.db)).toBeUndefined();
  expect(await phone.db.refused.count()).toBe(0);
});

test('another one chosen before the first one’s edit was shown is the one that counts, in a later run too', async () => {
  const second = `${folder}/2-logo.png`;
  await keep();
  const sending = uploads(async ({ path }) => ({ kind: 'up', ref: `tradie-logos/${path}` }));
  sending.wake();
  await sending.settled();
  // Chosen on a screen that still showed no logo.
  await keep(second);
  sending.wake();
  await sending.settled();
  await harness.sync(phone);
  expect(onServer()).toBe(`tradie-logos/${second}`);
  expect([await findWaitingLogo(phone.db), await phone.db.refused.count()]).toEqual([undefined, 0]);
});

test('a logo that another device has changed meanwhile fails at once, with the reason, and is not sent to the server', async () => {
  await keep();
  harness.server.write((rows) =>
    rows.tradies.set(tradieId, {
      ...must(rows.tradies.get(tradieId), 'the business'),
      logo: 'tradie-logos/another.png',
    }),
  );
  await harness.sync(phone);
  const sending = uploads(async () => ({ kind: 'up', ref: ref() }));
  sending.wake();
  await sending.settled();
  expect(await findWaitingLogo(phone.db)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('changed on another device'),
  });
  expect(await phone.db.outbox.count()).toBe(0);
});

test('a tap on "try again" that comes when nothing waits any more changes nothing', async () => {
  await retryLogo(phone.db);
  expect(await phone.db.drafts.count()).toBe(0);
});

test('C4: a chosen logo that does not fit into storage is reported, and the one that waited before it still waits', async () => {
  await keep();
  const before = await phone.db.drafts.toArray();
  const makeRoom = fillStorage();
  await expect(keep(`${folder}/2-logo.png`)).rejects.toBeInstanceOf(StorageFull);
  makeRoom();
  expect(await phone.db.drafts.toArray()).toStrictEqual(before);
});

test('a logo’s path contains no user id, and is unique', () => {
  const [one, other] = [logoPath(7, 'Te Whare.PNG', 'image/webp'), logoPath(7, 'Te Whare.PNG', 'image/webp')];
  expect(one).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/7-Te-Whare\.webp$/);
  expect(other).not.toBe(one);
});

test('a rejection of one by storage does not mark the one chosen after it', async () => {
  const [first, second] = [`${folder}/1-logo.png`, `${folder}/2-logo.png`];
  await keep(first);
  const { update } = phone.db.drafts;
  vi.spyOn(phone.db.drafts, 'update').mockImplementationOnce((async (...given: Parameters<typeof update>) => {
    await keep(second);
    return update.apply(phone.db.drafts, given);
  }) as never);
  const sending = uploads(async ({ path }) =>
    path === first ? { kind: 'refused', message: 'too large' } : { kind: 'up', ref: `tradie-logos/${path}` },
  );
  sending.wake();
  await sending.settled();
  expect(await findWaitingLogo(phone.db)).toMatchObject({ path: second, state: 'waiting' });
});

test('a second logo that is rejected leaves the first waiting', async () => {
  const first = `${folder}/1-logo.png`;
  await keep(first);
  const before = await phone.db.drafts.toArray();
  await undoKeepLogo(phone.db, await keep(`${folder}/2-logo.png`));
  expect(await phone.db.drafts.toArray()).toStrictEqual(before);
  const sending = uploads(async ({ path }) => ({ kind: 'up', ref: `tradie-logos/${path}` }));
  sending.wake();
  await sending.settled();
  await harness.sync(phone);
  expect(onServer()).toBe(`tradie-logos/${first}`);
});

test('a logo that is rejected late restores none: the one chosen after it is the one that waits', async () => {
  await keep();
  const second = await keep(`${folder}/2-logo.png`);
  await keep(`${folder}/3-logo.png`);
  await undoKeepLogo(phone.db, second);
  expect(await findWaitingLogo(phone.db)).toMatchObject({ path: `${folder}/3-logo.png`, state: 'waiting' });
  await dropLogo(phone.db);
  await undoKeepLogo(phone.db, second);
  expect(await phone.db.drafts.count()).toBe(0);
});

test('one that an app of an earlier version kept is sent as well', async () => {
  await phone.db.drafts.put({
    key: 'logo-to-send',
    value: {
      tradieId,
      base: '',
      path: `${phone.userId}/1-logo.png`,
      bytes,
      type: 'image/png',
      state: 'waiting',
      error: null,
    },
    savedAt: '',
  });
  const sending = uploads(async ({ path }) => ({ kind: 'up', ref: `tradie-logos/${path}` }));
  sending.wake();
  await sending.settled();
  await harness.sync(phone);
  expect(onServer()).toBe(`tradie-logos/${phone.userId}/1-logo.png`);
  sending.afterExchange();
  await sending.settled();
  expect(await phone.db.drafts.count()).toBe(0);
});

test('stopped meanwhile, it begins no other upload', async () => {
  await keep();
  const sending = uploads(async () => {
    await keep(`${folder}/2-logo.png`);
    sending.stop();
    return { kind: 'up', ref: ref() };
  });
  sending.wake();
  await sending.settled();
  expect(await findWaitingLogo(phone.db)).toMatchObject({ path: `${folder}/2-logo.png`, state: 'waiting' });
});

test('killed between upload and edit, the next start does it again and changes nothing twice', async () => {
  await keep();
  const failing = createLogoUploadQueue({
    wakeUp: () => undefined,
    userId: phone.userId,
    db: phone.db,
    putLogo: async () => ({ kind: 'up', ref: ref() }),
    mutate: async () => {
      throw new Error('gone');
    },
    clock: { now: () => 0, setTimer: () => () => undefined },
    random: seededRandom(3),
    log: () => undefined,
  });
  failing.wake();
  await failing.settled();
  failing.stop();
  await phone.reopen();
  const sending = uploads(async () => ({ kind: 'up', ref: ref() }));
  sending.wake();
  await sending.settled();
  await harness.sync(phone);
  expect(onServer()).toBe(ref());
});

test.each([
  ['of its own', 'too large', 'too large'],
  ['of none', '', 'Failed to upload images'],
])('a rejection by storage with a message %s is shown as: %s', async (_whose, message, shown) => {
  const put = createPutLogo({ upload: async () => ({ kind: 'refused', message }), refresh: async () => 'refreshed' });
  expect(await put({ path: 'a/1.png', bytes, type: 'image/png' }, new AbortController().signal)).toEqual({
    kind: 'refused',
    message: shown,
  });
});

test.each<[string, UploadResult[], 'refreshed' | 'signed-out', LogoResult['kind']]>([
  ['an old token is renewed once', [{ kind: 'unauthorized' }, { kind: 'up' }], 'refreshed', 'up'],
  ['without a session it waits', [{ kind: 'unauthorized' }], 'signed-out', 'unreachable'],
  [
    'a token that is never right is refused',
    [{ kind: 'unauthorized' }, { kind: 'unauthorized' }],
    'refreshed',
    'refused',
  ],
])('%s [§8]', async (_what, answers, refreshed, kind) => {
  const put = createPutLogo({ upload: async () => must(answers.shift(), 'an answer'), refresh: async () => refreshed });
  expect((await put({ path: 'a/1.png', bytes, type: 'image/png' }, new AbortController().signal)).kind).toBe(kind);
});
