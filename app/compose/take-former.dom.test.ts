import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb, type PersonDb } from '../db/person-db.ts';
import { keepUploaded } from '../photos/kept-photos.ts';
import { takeFormer } from './take-former.ts';

const formerId = makeTestId();
let db: PersonDb;
let former: PersonDb;
beforeEach(async () => {
  db = openPersonDb(makeTestId());
  former = openPersonDb(formerId);
  await former.open();
});
afterEach(async () => {
  await db.delete();
  await former.delete();
});

const entry = (seq: number, name: 'job.post' | 'interest.see' | 'photo.attach', args: object) => ({
  uid: makeTestId(),
  seq,
  name,
  args,
  at: '2026-07-31T00:00:00.000Z',
  base: [],
});
const applied = { isDeadLetter: false, timeline: 'earlier', version: '9', keptAt: '2026-07-31T00:00:00.000Z', upTo: 1 };
const waiting = { state: 'sent' as const, attempts: 1, lastError: null };

test('what was posted with an account that a restore lost is listed once where its person signed up anew, with its text and its photo', async () => {
  const [id, photo] = [makeTestId(), makeTestId()];
  await former.journal.add({ ...entry(1, 'job.post', { id, title: 'Sent' }), ...applied });
  await former.journal.add({ ...entry(2, 'photo.attach', { id: photo, jobId: id, url: 'u' }), ...applied });
  await former.journal.add({ ...entry(3, 'interest.see', { id }), ...applied });
  await former.keptPhotos.add({ id: photo, path: 'p', bytes: new ArrayBuffer(3), type: 'image/webp', upTo: 3 });
  await former.outbox.add({ ...entry(4, 'job.post', { id: makeTestId(), title: 'Unsent' }), ...waiting });
  await takeFormer(db, [formerId], (id) => openPersonDb(id));
  const listed = await db.refused.orderBy('seq').toArray();
  expect(listed.map(({ name, args }) => [name, (args as { title?: string }).title])).toEqual([
    ['job.post', 'Sent'],
    ['photo.attach', undefined],
    ['job.post', 'Unsent'],
  ]);
  expect(listed[0]?.message).toMatch(/^Dwang was put back to an earlier copy, and the account .* is lost/);
  expect((await db.keptPhotos.get(photo))?.bytes.byteLength).toBe(3);
  // This happens once: what the person has discarded does not come back at the next start.
  await db.refused.clear();
  await takeFormer(db, [formerId], (id) => openPersonDb(id));
  expect(await db.refused.count()).toBe(0);
});

test('a photo of an account that a restore lost, which was not on its job yet, can be saved', async () => {
  const photo = { id: makeTestId(), jobId: makeTestId(), path: 'p', bytes: new ArrayBuffer(3), type: 'image/webp' };
  const more = { name: 'gate.webp', state: 'waiting' as const, attempts: 0, error: null, addedAt: '2026-07-31' };
  await former.photos.add({ ...photo, ...more });
  await takeFormer(db, [formerId], (id) => openPersonDb(id));
  expect(await db.refused.toArray()).toMatchObject([{ name: 'photo.attach', args: { id: photo.id } }]);
  expect(await db.keptPhotos.get(photo.id)).toMatchObject({ path: 'p' });
});

test('the next photo of the new account leaves the pictures of the one that a restore lost where they are', async () => {
  const [id, photo, next] = [makeTestId(), makeTestId(), makeTestId()];
  await former.journal.add({ ...entry(1, 'photo.attach', { id: photo, jobId: id, url: 'u' }), ...applied });
  const bytes = { path: 'p', bytes: new ArrayBuffer(3), type: 'image/webp' };
  // The former account had uploaded 60 MB before it.
  await former.keptPhotos.add({ id: photo, ...bytes, upTo: 60 * 1024 * 1024 });
  const unsent = { id: makeTestId(), jobId: id, ...bytes };
  const more = { name: 'gate.webp', state: 'waiting' as const, attempts: 0, error: null, addedAt: '2026-07-31' };
  await former.photos.add({ ...unsent, ...more });
  await takeFormer(db, [formerId], (userId) => openPersonDb(userId));
  await db.transaction('rw', db.keptPhotos, () => keepUploaded(db, [{ id: next, ...bytes }]));
  const kept = (await db.keptPhotos.toArray()).map((one) => one.id);
  expect(kept.toSorted()).toEqual([photo, unsent.id, next].toSorted());
});

test('where there is no room for its pictures, the texts of an account that a restore lost are listed', async () => {
  const [id, photo] = [makeTestId(), makeTestId()];
  await former.journal.add({ ...entry(1, 'job.post', { id, title: 'Sent' }), ...applied });
  await former.journal.add({ ...entry(2, 'photo.attach', { id: photo, jobId: id, url: 'u' }), ...applied });
  await former.keptPhotos.add({ id: photo, path: 'p', bytes: new ArrayBuffer(3), type: 'image/webp', upTo: 3 });
  db.keptPhotos.hook('creating', () => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await takeFormer(db, [formerId], (userId) => openPersonDb(userId));
  expect((await db.refused.orderBy('seq').toArray()).map(({ name }) => name)).toEqual(['job.post', 'photo.attach']);
  expect(await db.keptPhotos.count()).toBe(0);
});
