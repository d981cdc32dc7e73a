import { expect, test } from 'vitest';
import { createSegmentCache } from './segment-cache.ts';

test('a downloaded text is given once, and only the last few are held', () => {
  const segmentCache = createSegmentCache();
  for (let at = 0; at < 10; at += 1) segmentCache.put(`hash-${at}`, `text ${at}`);
  expect(segmentCache.take('hash-1')).toBeUndefined();
  expect(segmentCache.take('hash-2')).toBe('text 2');
  expect(segmentCache.take('hash-2')).toBeUndefined();
  expect(segmentCache.take('hash-9')).toBe('text 9');
});
