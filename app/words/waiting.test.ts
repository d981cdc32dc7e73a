import { expect, test } from 'vitest';
import type { OutboxEntry, PhotoEntry } from '../db/person-db.ts';
import type { WaitingLogo } from '../photos/keep-logo.ts';
import { shortWaitingWords, waitingOf, waitingWords } from './waiting.ts';

test('changes and photos are counted as people count them', () => {
  expect(waitingWords({ changes: 1, photos: 2, needPerson: 0 })).toBe('1 change and 2 photos');
  expect(waitingWords({ changes: 0, photos: 1, needPerson: 0 })).toBe('1 photo');
  expect(waitingWords({ changes: 0, photos: 0, needPerson: 3 })).toBeUndefined();
});

test('the bar says the number that stands in the navigation, and of what where it is all of one kind [§offline]', () => {
  expect(shortWaitingWords({ changes: 2, photos: 3, needPerson: 0 })).toBe('5');
  expect(shortWaitingWords({ changes: 2, photos: 0, needPerson: 0 })).toBe('2 changes');
  expect(shortWaitingWords({ changes: 0, photos: 3, needPerson: 0 })).toBe('3 photos');
});

test('a photo is one from its bytes on this phone until it is on its job', () => {
  const attach = { name: 'photo.attach', args: { id: 'p', jobId: 'job' } } as OutboxEntry;
  const of = (...photos: string[]) =>
    waitingOf({
      outbox: [attach],
      saving: [],
      rejected: [],
      photos: photos.map((id) => ({ id, state: 'waiting' }) as PhotoEntry),
      attempt: 'none',
    });
  expect(of()).toEqual({ changes: 0, photos: 1, needPerson: 0 });
  expect(of('p')).toEqual({ changes: 0, photos: 1, needPerson: 0 });
  expect(of('other')).toEqual({ changes: 0, photos: 2, needPerson: 0 });
});

test('a photo or logo that was rejected needs its person, and is not said to go out by itself', () => {
  const photo = (id: string, state: PhotoEntry['state']) => ({ id, state }) as PhotoEntry;
  const of = (logo: 'waiting' | 'failed') =>
    waitingOf({
      outbox: [],
      saving: [],
      rejected: [],
      photos: [photo('one', 'failed'), photo('other', 'uploading')],
      logo: { state: logo } as WaitingLogo,
      attempt: 'none',
    });
  expect(of('failed')).toEqual({ changes: 0, photos: 1, needPerson: 2 });
  expect(of('waiting')).toEqual({ changes: 1, photos: 1, needPerson: 1 });
});
