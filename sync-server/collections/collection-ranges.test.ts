import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutHead, cutSizes, headLimits, joinRanges, rangeLimits, rangeOf, type Range } from './collection-ranges.ts';

const ranges = (...sizes: number[]): Range[] =>
  sizes.map((rows, at) => ({ start: at === 0 ? '' : `2026-0${at}`, rows }));

describe('the range of a key', () => {
  it('is the last range that begins at or before it', () => {
    const collection = ranges(5, 5, 5);
    expect(
      ['2025', '2026-0', '2026-01', '2026-01-05', '2026-02', '2027'].map((key) => rangeOf(collection, key)),
    ).toEqual([0, 0, 1, 1, 2, 2]);
    expect(rangeOf(ranges(5), 'anything')).toBe(0);
  });
});

describe('joining', () => {
  it('leaves ranges of a good size alone', () => {
    expect(joinRanges(ranges(250, 750, 500))).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });
  it('joins a shrunken one to its smaller neighbour', () => {
    expect(joinRanges(ranges(500, 100, 300, 500))).toEqual([
      [0, 0],
      [1, 2],
      [3, 3],
    ]);
    expect(joinRanges(ranges(300, 100, 500))).toEqual([
      [0, 1],
      [2, 2],
    ]);
  });
  it('merges an emptied one into its neighbour, also at the ends', () => {
    expect(joinRanges(ranges(0, 500, 0))).toEqual([[0, 2]]);
    expect(joinRanges(ranges(0))).toEqual([[0, 0]]);
  });
  it('leaves a short newest one by itself until it is long', () => {
    expect(joinRanges(ranges(500, 1))).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(joinRanges(ranges(300, 100, 50))).toEqual([
      [0, 1],
      [2, 2],
    ]);
    expect(joinRanges(ranges(200, 301))).toEqual([[0, 1]]);
  });
  it('leaves a small one where joining would only mean cutting again', () => {
    expect(joinRanges(ranges(600, 200, 700))).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });
});

describe('cutting', () => {
  const isOutOfBounds = (rows: number) => rows < rangeLimits.fewest || rows > rangeLimits.max;

  it('cuts only past the limit, into near equal parts', () => {
    expect(cutSizes(750)).toEqual([750]);
    expect(cutSizes(751)).toEqual([375, 376]);
    expect(cutSizes(20_000)).toEqual(Array.from({ length: 40 }, () => 500));
  });
  it('cuts a screenful off the newest range once it is long, but leaves a small collection whole', () => {
    expect([cutHead(300, false), cutHead(301, false), cutHead(750, true)]).toEqual([[300], [251, 50], [750]]);
    expect(cutHead(20_000, true)).toHaveLength(41);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), fc.boolean(), (rows, isOnly) => {
        const sizes = cutHead(rows, isOnly);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(rows);
        const older = sizes.slice(0, -1);
        expect(older.filter(isOutOfBounds)).toEqual([]);
        expect(older.length === 0 || sizes.at(-1) === headLimits.cut).toBe(true);
      }),
    );
  });
  it('loses no row and yields parts that need neither joining nor cutting', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (rows) => {
        const sizes = cutSizes(rows);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(rows);
        expect((sizes.length > 1 ? sizes : []).filter(isOutOfBounds)).toEqual([]);
      }),
    );
  });
  it('never joins what it has cut, nor cuts what it has joined', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 750 }), { minLength: 1, maxLength: 30 }), (sizes) => {
        const groups = joinRanges(ranges(...sizes));
        expect(groups.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at))).toEqual(
          sizes.map((_, at) => at),
        );
        const joined = groups.map(([from, to]) => sizes.slice(from, to + 1).reduce((sum, size) => sum + size, 0));
        expect(Math.max(...joined)).toBeLessThanOrEqual(rangeLimits.max);
        expect(joinRanges(ranges(...joined))).toHaveLength(joined.length);
      }),
    );
  });
});
