import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import type { JournalEntry } from '../db/person-db.ts';
import { applyStores } from '../sync/apply-answer.ts';
import { meetTimeline } from '../sync/journal.ts';
import { findWaitingLogo, keepLogo, retryLogo } from './keep-logo.ts';
import { createLogoUploadQueue } from './logo-upload-queue.ts';
import type { UploadQueue } from './upload-queue.ts';
import type { PutLogo } from './put-logo.ts';

const path = '0c7e5a52-6a37-4f0e-9d5e-5f6f0f7d7c11/1-logo.png';
const ref = `tradie-logos/${path}`;
const up: PutLogo = async () => ({ kind: 'up', ref });

let harness: DeviceHarness;
let phone: Phone;
let tradieId: string;

beforeEach(async () => {
  harness = await openDeviceHarness();
  const person = harness.addTradie({}, { logo: '', businessName: 'Kererū' });
  tradieId = must(person.tradieId, 'a business');
  phone = await harness.as(person);
});
afterEach(() => harness.close());

const onServer = () => must(harness.server.rows.tradies.get(tradieId), 'the business');
const keep = () =>
  keepLogo(
    phone.db,
    { tradieId, base: '', path, bytes: new ArrayBuffer(3), type: 'image/png' },
    '2026-01-02T00:00:00.000Z',
  );

/** Fails the test: nothing should be logged. */
const log = (event: string, detail: string) => {
  throw new Error(`${event}: ${detail}`);
};

function open(putLogo: PutLogo = up): UploadQueue {
  const clock = { now: () => 0, setTimer: () => () => undefined };
  return createLogoUploadQueue({
    db: phone.db,
    putLogo,
    mutate: phone.sync.mutate,
    userId: phone.userId,
    wakeUp: () => phone.sync.wakeUp('enqueue'),
    clock,
    random: seededRandom(3),
    log,
  });
}

async function run(logoUploads: UploadQueue): Promise<void> {
  logoUploads.afterExchange();
  await logoUploads.settled();
}

test('[I12] the bytes stay until the server has applied the edit, and are not counted beside it', async () => {
  await keep();
  harness.goOffline(phone);
  const sending = open();
  await run(sending);
  expect(await findWaitingLogo(phone.db)).toBeUndefined();
  expect(await phone.db.drafts.count()).toBe(1);
  await run(sending);
  expect(await phone.db.drafts.count()).toBe(1);
  harness.goOnline(phone);
  await harness.sync(phone);
  await run(sending);
  expect([onServer().logo, await phone.db.drafts.count()]).toEqual([ref, 0]);
});

test('other pending or rejected edits of the profile do not concern the logo', async () => {
  const rename = (businessName: string) =>
    phone.sync.mutate('profile.edit', { id: tradieId, set: { businessName }, base: { businessName: 'Kererū' } });
  harness.goOffline(phone);
  await rename('Kererū Building');
  harness.server.write((rows) => rows.tradies.set(tradieId, { ...onServer(), businessName: 'Tūī' }));
  harness.goOnline(phone);
  await harness.sync(phone);
  expect(await phone.db.refused.count()).toBe(1);
  const sending = open();
  await keep();
  await run(sending);
  await harness.sync(phone);
  expect([onServer().logo, await phone.db.drafts.count()]).toEqual([ref, 1]);
  harness.goOffline(phone);
  await phone.sync.mutate('profile.edit', {
    id: tradieId,
    set: { description: 'Decks' },
    base: { description: onServer().description },
  });
  expect(await phone.db.outbox.count()).toBe(1);
  await run(sending);
  expect([await phone.db.drafts.count(), await phone.db.refused.count()]).toEqual([0, 1]);
});

describe('a logo that storage lost after it was sent (a backup was restored)', () => {
  const words = { businessName: 'Kererū Building' };
  const lost = new Map([[ref, null]]);
  const has = () => new Map([[ref, { ownerId: phone.userId, ref: ref }]]);

  test('is uploaded again by itself, and nothing is shown as rejected', async () => {
    await keep();
    const putLogo = vi.fn(up);
    const sending = open(putLogo);
    harness.server.setFiles(lost);
    await run(sending);
    await harness.sync(phone);
    expect(await phone.db.refused.count()).toBe(1);
    harness.server.setFiles(has());
    await run(sending);
    expect(await phone.db.refused.count()).toBe(0);
    await harness.sync(phone);
    expect(putLogo.mock.calls.map(([{ path, bytes: sent }]) => [path, sent.byteLength])).toEqual([
      [path, 3],
      [path, 3],
    ]);
    expect(onServer().logo).toBe(ref);
    // Nothing else was sent to the server, no empty edit either.
    expect(harness.server.decisions.map(({ name, status }) => [name, status])).toEqual([
      ['profile.edit', 'refused'],
      ['profile.edit', 'applied'],
    ]);
    await run(sending);
    expect(await phone.db.drafts.count()).toBe(0);
  });

  test('does not hold up the texts that were saved with it', async () => {
    const kept = await keep();
    const uploaded = { key: kept.key, value: { ...kept.logo, state: 'uploaded' } };
    harness.server.setFiles(lost);
    const args = { id: tradieId, set: { ...words, logo: ref }, base: { businessName: 'Kererū', logo: '' } };
    await phone.sync.mutate('profile.edit', args, { changeDraft: uploaded });
    await harness.sync(phone);
    const sending = open(async () => ({ kind: 'unreachable' }));
    await run(sending);
    await harness.sync(phone);
    expect(onServer()).toMatchObject({ ...words, logo: '' });
    expect(await phone.db.refused.count()).toBe(0);
    expect(await findWaitingLogo(phone.db)).toMatchObject({ state: 'waiting' });
  });

  test('is not uploaded for ever to a storage that loses everything: it fails, and the person may try again', async () => {
    await keep();
    const putLogo = vi.fn(up);
    const sending = open(putLogo);
    harness.server.setFiles(lost);
    for (let round = 0; round < 8; round += 1) {
      await run(sending);
      await harness.sync(phone);
    }
    expect(putLogo).toHaveBeenCalledTimes(5);
    expect(await findWaitingLogo(phone.db)).toMatchObject({
      state: 'failed',
      error: 'The server does not have this picture any more. It has to be sent again.',
    });
    harness.server.setFiles(has());
    await retryLogo(phone.db);
    await run(sending);
    await harness.sync(phone);
    expect(onServer().logo).toBe(ref);
  });
});

describe('[C16] a logo that was saved, whose profile and file a restore has both lost', () => {
  const has = () => new Map([[ref, { ownerId: phone.userId, ref }]]);

  test('comes back: its bytes are uploaded again from the phone', async () => {
    const restore = harness.server.backUp();
    await keep();
    const putLogo = vi.fn(up);
    const sending = open(putLogo);
    harness.server.setFiles(has());
    await run(sending);
    await harness.sync(phone);
    await run(sending);
    expect([onServer().logo, await phone.db.drafts.count()]).toEqual([ref, 0]);

    restore();
    harness.server.setFiles(new Map([[ref, null]]));
    await harness.sync(phone);
    expect([onServer().logo, await phone.db.refused.count()]).toEqual(['', 0]);
    await run(sending);
    await run(sending);
    expect(putLogo.mock.calls.map(([{ path: to, bytes }]) => [to, bytes.byteLength])).toEqual([
      [path, 3],
      [path, 3],
    ]);
    harness.server.setFiles(has());
    await harness.sync(phone);
    expect([onServer().logo, await phone.db.outbox.count(), await phone.db.refused.count()]).toEqual([ref, 0, 0]);
  });

  test('comes back too where the phone had not put its bytes away yet, or had no signal', async () => {
    const restore = harness.server.backUp();
    await keep();
    const putLogo = vi.fn(up);
    const sending = open(putLogo);
    harness.server.setFiles(has());
    await run(sending);
    await harness.sync(phone);
    restore();
    harness.server.setFiles(new Map([[ref, null]]));
    await harness.sync(phone);
    putLogo.mockResolvedValueOnce({ kind: 'unreachable' });
    for (let round = 0; round < 3; round += 1) await run(sending);
    expect(putLogo).toHaveBeenCalledTimes(3);
    harness.server.setFiles(has());
    await harness.sync(phone);
    await run(sending);
    expect([onServer().logo, await phone.db.drafts.count()]).toEqual([ref, 0]);
  });

  test('does not hold up the texts that were saved with it where its bytes have left the phone, and they are sent once', async () => {
    const restore = harness.server.backUp();
    const kept = await keep();
    harness.server.setFiles(has());
    const uploaded = { key: kept.key, value: { ...kept.logo, state: 'uploaded' } };
    const words = { description: 'Decks and pergolas.' };
    const args = {
      id: tradieId,
      set: { ...words, logo: ref },
      base: { description: onServer().description, logo: '' },
    };
    await phone.sync.mutate('profile.edit', args, { changeDraft: uploaded });
    await harness.sync(phone);
    const sending = open();
    await run(sending);
    await phone.db.keptPhotos.clear();

    restore();
    harness.server.setFiles(new Map([[ref, null]]));
    await harness.sync(phone);
    expect(onServer()).not.toMatchObject(words);
    for (let round = 0; round < 3; round += 1) {
      await run(sending);
      await harness.sync(phone);
    }
    expect(onServer()).toMatchObject({ ...words, logo: '' });
    // The edit itself says that its logo has to be chosen again, and of the words, which came back, it says nothing.
    expect(await phone.db.outbox.count()).toBe(0);
    expect(await phone.db.refused.toArray()).toMatchObject([
      {
        code: 'file-missing',
        message: 'Dwang was put back to an earlier copy, and this picture was lost. Choose it again.',
        args: { set: { logo: ref } },
      },
    ]);
    expect(harness.server.decisions.filter(({ name }) => name === 'profile.edit')).toHaveLength(3);
  });

  test('is kept as long as the journal has its edit, and only where there is space', async () => {
    await keep();
    const sending = open();
    await run(sending);
    await harness.sync(phone);
    await run(sending);
    expect(await phone.db.keptPhotos.toCollection().primaryKeys()).toEqual([ref]);
    const [{ timeline, version }] = (await phone.db.journal.toArray()) as [JournalEntry];
    await phone.db.transaction('rw', applyStores, () =>
      meetTimeline(phone.db, { timeline, version, known: {}, safe: String(BigInt(version) + 1n) }),
    );
    expect([await phone.db.journal.count(), await phone.db.keptPhotos.count()]).toEqual([0, 0]);
  });

  test('is not kept on a full phone', async () => {
    await keep();
    const sending = open();
    await run(sending);
    await harness.sync(phone);
    phone.db.keptPhotos.hook('creating', () => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await run(sending);
    expect([await phone.db.drafts.count(), await phone.db.keptPhotos.count()]).toEqual([0, 0]);
  });
});

test('an edit that was rejected for another reason keeps the bytes for as long as the person has not dealt with it', async () => {
  await keep();
  const sending = open();
  harness.goOffline(phone);
  await run(sending);
  harness.server.write((rows) => rows.tradies.set(tradieId, { ...onServer(), logo: 'tradie-logos/another.png' }));
  harness.goOnline(phone);
  await harness.sync(phone);
  await run(sending);
  const rejected = must(await phone.db.refused.toCollection().first(), 'the refusal');
  expect([rejected.code, await phone.db.drafts.count()]).toEqual(['stale', 1]);
  await phone.sync.discard(rejected.uid);
  await run(sending);
  expect(await phone.db.drafts.count()).toBe(0);
});

test('on a full device, where its row cannot be rewritten, the edit is sent nevertheless', async () => {
  await keep();
  const hook = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  phone.db.drafts.hook('updating', hook);
  const sending = open();
  await run(sending);
  await harness.sync(phone);
  expect([onServer().logo, await phone.db.drafts.count()]).toEqual([ref, 0]);
});
