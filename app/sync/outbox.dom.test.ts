import { expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb, type PhotoEntry, type RejectedEntry } from '../db/person-db.ts';
import { discard, unsentOf } from './outbox.ts';

const photo = (jobId: string, state: PhotoEntry['state']): PhotoEntry => ({
  id: makeTestId(), jobId, path: 'p', bytes: new ArrayBuffer(1), type: 'image/jpeg', name: 'n', state, attempts: 0, error: null, addedAt: '',
});
const refused = (name: RejectedEntry['name'], args: unknown): RejectedEntry => ({
  uid: makeTestId(), seq: 1, name, args, at: '', status: 'refused', code: 'invalid', message: 'No.', fields: null, refusedAt: '',
});

test('discarding a job that the server never applied deletes its photos; discarding anything else touches no photo', async () => {
  const db = openPersonDb(makeTestId());
  const [job, url] = [makeTestId(), 'https://photos.example.nz/a/b/c.jpg'];
  const [posted, attached] = [refused('job.post', { id: job }), refused('photo.attach', { id: makeTestId(), jobId: job, url })];
  await db.photos.bulkAdd([photo(job, 'waiting'), photo(makeTestId(), 'waiting')]);
  await db.refused.bulkAdd([posted, attached]);
  await discard(db, attached.uid);
  expect([await db.refused.count(), await db.photos.count()]).toEqual([1, 2]);
  await discard(db, posted.uid);
  expect([await db.refused.count(), await db.photos.count()]).toEqual([0, 1]);
});

test('C10: what is not sent counts photos whose bytes are only here', async () => {
  const db = openPersonDb(makeTestId());
  await db.photos.bulkAdd((['waiting', 'failed', 'uploaded'] as const).map((state) => photo('j', state)));
  expect(await unsentOf(db)).toEqual({ mutations: [], photos: 2 });
});
