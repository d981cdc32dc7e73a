import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { ArgsOf } from '../../shared/mutations/index.ts';
import { hour } from '../../shared/lib/durations.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { systemClock } from '../db/clock.ts';
import { findWaitingLogo, keepLogo } from './keep-logo.ts';
import { keepUploaded } from './kept-photos.ts';
import { createLogoUploadQueue } from './logo-upload-queue.ts';
import type { PutLogo } from './put-logo.ts';
import type { UploadQueue } from './upload-queue.ts';

/* Logos that a restore has lost, from the phone that had chosen them (C16). */

const chooseAgain = 'Dwang was put back to an earlier copy, and this picture was lost. Choose it again.';
const pathOf = (name: string) => `0c7e5a52-6a37-4f0e-9d5e-5f6f0f7d7c11/1-${name}.png`;
const refOf = (name: string) => `tradie-logos/${pathOf(name)}`;

let harness: DeviceHarness;
let phone: Phone;
let id: string;
let sending: UploadQueue;
let restore: () => void;
let passed: number;
const putLogo = vi.fn<PutLogo>();
/** What storage has. */
let stored: Set<string>;

beforeEach(async () => {
  passed = 0;
  harness = await openDeviceHarness({ clock: { ...systemClock, now: () => systemClock.now() + passed } });
  const person = harness.addTradie({}, { logo: '', businessName: 'Kererū', description: 'Decks.' });
  id = must(person.tradieId, 'a business');
  phone = await harness.as(person);
  stored = new Set();
  putLogo.mockReset().mockImplementation(async ({ path }) => {
    stored.add(`tradie-logos/${path}`);
    return { kind: 'up', ref: `tradie-logos/${path}` };
  });
  sending = createLogoUploadQueue({
    db: phone.db,
    putLogo,
    mutate: phone.sync.mutate,
    userId: phone.userId,
    wakeUp: () => phone.sync.wakeUp('enqueue'),
    clock: { now: () => 0, setTimer: () => () => undefined },
    random: { next: () => 0.5 },
    log: (event, detail) => {
      throw new Error(`${event}: ${detail}`);
    },
  });
  restore = harness.server.backUp();
});
afterEach(() => harness.close());

const onServer = () => must(harness.server.rows.tradies.get(id), 'the business');
const shown = async () => must(await phone.db.tradies.get(id), 'the business on the phone');
const rejected = () => phone.db.refused.toArray();

async function exchange(): Promise<void> {
  const refs = [refOf('red'), refOf('blue')];
  harness.server.setFiles(
    new Map(refs.map((ref) => [ref, stored.has(ref) ? { ownerId: phone.userId, ref } : null] as const)),
  );
  await harness.sync(phone);
}

async function rounds(count = 3): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    sending.afterExchange();
    await sending.settled();
    await exchange();
  }
  sending.afterExchange();
  await sending.settled();
}

/** Saves it, and has the server take it. */
async function save(
  logo: string,
  set: ArgsOf<'profile.edit'>['set'] = {},
  base: Record<string, unknown> = {},
): Promise<void> {
  stored.add(refOf(logo));
  const args = { id, set: { ...set, logo: refOf(logo) }, base: { ...base, logo: (await shown()).logo } };
  await phone.sync.mutate('profile.edit', args, {});
  await exchange();
  expect(onServer().logo).toBe(refOf(logo));
  passed += 1_000;
}

const keepBytes = (name: string) =>
  phone.db.transaction('rw', phone.db.keptPhotos, () =>
    keepUploaded(phone.db, [{ id: refOf(name), path: pathOf(name), bytes: new ArrayBuffer(3), type: 'image/png' }]),
  );

async function loseAll(): Promise<void> {
  stored.clear();
  restore();
  await exchange();
}

describe('[C16] whose bytes have left the phone', () => {
  test('is not waited for: it says to choose it again, and what was saved with it is there', async () => {
    await save('red', { description: 'Decks and pergolas.' }, { description: 'Decks.' });
    await loseAll();
    await rounds();
    expect([onServer().description, onServer().logo, (await shown()).logo]).toEqual(['Decks and pergolas.', '', '']);
    expect(await phone.db.outbox.count()).toBe(0);
    expect(await rejected()).toMatchObject([{ message: chooseAgain, args: { set: { logo: refOf('red') } } }]);
    expect((await rejected())[0]?.args).not.toHaveProperty('set.description');
  });

  test('gives way to one that is chosen after the restore, which is there at once and not “changed on another device”', async () => {
    await save('red');
    await loseAll();
    expect((await shown()).logo).toBe(refOf('red'));
    const logo = {
      tradieId: id,
      base: refOf('red'),
      path: pathOf('blue'),
      bytes: new ArrayBuffer(3),
      type: 'image/png',
    };
    await keepLogo(phone.db, logo, harness.server.now());
    await rounds();
    expect([onServer().logo, await phone.db.outbox.count(), await rejected()]).toEqual([refOf('blue'), 0, []]);
  });

  test('gives way to the next one, sent while the first still waited', async () => {
    await save('red');
    await loseAll();
    stored.add(refOf('blue'));
    const args = { id, set: { logo: refOf('blue') }, base: { logo: refOf('red') } };
    await phone.sync.mutate('profile.edit', args, {});
    await exchange();
    await rounds();
    expect([onServer().logo, await phone.db.outbox.count(), await rejected()]).toEqual([refOf('blue'), 0, []]);
  });

  test('nor the next one is said to “carry the mark of another”, where both were taken and the answer was lost', async () => {
    await save('red', { description: 'Decks and pergolas.' }, { description: 'Decks.' });
    await loseAll();
    stored.add(refOf('blue'));
    const next = { id, set: { logo: refOf('blue') }, base: { logo: refOf('red') } };
    await phone.sync.mutate('profile.edit', next, {});
    await exchange();
    // Another phone of theirs has brought the first one's file.
    stored.add(refOf('red'));
    harness.goOffline(phone);
    await exchange();
    const waiting = await phone.db.outbox.toArray();
    await harness.server.exchange(phone.userId, {
      protocol: protocolVersion,
      schema: schemaVersion,
      userId: phone.userId,
      cookie: null,
      shelves: {},
      mutations: waiting.map(({ uid, name, args, at, from }) => ({ uid, name, args, at, ...(from && { from }) })),
      awaiting: [],
    });
    expect(onServer().logo).toBe(refOf('blue'));
    sending.afterExchange();
    await sending.settled();
    harness.goOnline(phone);
    await rounds();
    expect([onServer().logo, await phone.db.outbox.count(), await rejected()]).toEqual([refOf('blue'), 0, []]);
  });

  test.each([
    ['within 72 hours', 0],
    ['later than that', 80 * hour],
  ])('does not take the next one and its words with it (%s)', async (_when, ms) => {
    await save('red', { description: 'Decks and pergolas.' }, { description: 'Decks.' });
    await save(
      'blue',
      { businessName: 'Tūī', description: 'Pergolas.' },
      { businessName: 'Kererū', description: 'Decks and pergolas.' },
    );
    await keepBytes('blue');
    harness.goOffline(phone);
    stored.clear();
    restore();
    passed += ms;
    harness.goOnline(phone);
    await exchange();
    await rounds(5);
    expect(onServer()).toMatchObject({ logo: refOf('blue'), businessName: 'Tūī', description: 'Pergolas.' });
    expect([await phone.db.outbox.count(), await rejected()]).toEqual([0, []]);
  });
});

test('[C16] a logo whose phone comes back more than 72 hours after the restore is uploaded again, and its words are there', async () => {
  await save('red', { description: 'Decks and pergolas.' }, { description: 'Decks.' });
  await keepBytes('red');
  harness.goOffline(phone);
  stored.clear();
  restore();
  passed += 80 * hour;
  harness.goOnline(phone);
  await exchange();
  await rounds();
  expect(putLogo.mock.calls.map(([{ path }]) => path)).toEqual([pathOf('red')]);
  expect(onServer()).toMatchObject({ logo: refOf('red'), description: 'Decks and pergolas.' });
  expect([await rejected(), await findWaitingLogo(phone.db)]).toEqual([[], undefined]);
});
