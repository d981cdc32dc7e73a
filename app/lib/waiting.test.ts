import { expect, test } from 'vitest';
import { shortWaitingWords, waitingWords } from './waiting.ts';

test('changes and photos are counted as people count them', () => {
  expect(waitingWords({ changes: 1, photos: 2, needPerson: 0 })).toBe('1 change and 2 photos');
  expect(waitingWords({ changes: 0, photos: 1, needPerson: 0 })).toBe('1 photo');
  expect(waitingWords({ changes: 0, photos: 0, needPerson: 3 })).toBeUndefined();
});

test('the bar names photos only when nothing else waits', () => {
  expect(shortWaitingWords({ changes: 2, photos: 3, needPerson: 0 })).toBe('2 changes');
  expect(shortWaitingWords({ changes: 0, photos: 3, needPerson: 0 })).toBe('3 photos');
});
