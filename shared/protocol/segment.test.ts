import { describe, expect, test } from 'vitest';
import { makeJob } from '../testing/make.ts';
import { collections, type CollectionRow } from '../tables/collections.ts';
import { packSegment, unpackSegment } from './segment.ts';

function onFeed(job: ReturnType<typeof makeJob>): CollectionRow<'feed'> {
  return Object.fromEntries(collections.feed.columns.map((column) => [column, job[column]])) as CollectionRow<'feed'>;
}

describe('a segment', () => {
  const rows = [
    onFeed(makeJob({ title: 'Fix the spouting' })),
    onFeed(makeJob({ title: 'Whangārei deck', budgetMax: 19.5 })),
  ];

  test('comes back as the rows that went in', () => {
    expect(unpackSegment('feed', packSegment('feed', rows))).toEqual(rows);
  });

  test('is ASCII, and its letters come back all the same', () => {
    const text = packSegment('feed', [onFeed(makeJob({ title: 'Rātā 🏠 “deck”\u2028' }))]);
    expect(text).not.toMatch(/[\u0080-\uffff]/);
    expect(unpackSegment('feed', text)[0]?.title).toBe('Rātā 🏠 “deck”\u2028');
  });

  test('holds no column that the collection does not name', () => {
    const text = packSegment('feed', [{ ...rows[0]!, userId: 'secret' } as unknown as CollectionRow<'feed'>]);
    expect(text).not.toContain('secret');
  });

  test('reads a column that an older segment lacks as null', () => {
    const { suburb: _, ...older } = JSON.parse(packSegment('feed', rows)) as Record<string, unknown[]>;
    expect(unpackSegment('feed', JSON.stringify(older)).map((row) => row.suburb)).toEqual([null, null]);
  });

  test.each(['{}', '[]', '{"id":["1","2"],"title":["a"]}', '<html>'])('rejects %s', (text) => {
    expect(() => unpackSegment('feed', text)).toThrow();
  });
});
