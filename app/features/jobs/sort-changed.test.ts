import { expect, test } from 'vitest';
import { seededRandom } from '../../../shared/testing/random-source.ts';
import { changesBetween, createKeptOrder, createSortChanged } from './sort-changed.ts';

interface Row {
  readonly id: string;
  readonly at: number;
}

const random = seededRandom(7);
const draw = (below: number) => new DataView(Uint8Array.from(random.bytes(4)).buffer).getUint32(0) % below;
const row = (id: number): Row => ({ id: `${id}`, at: draw(1_000) });
const byAt = (one: Row, other: Row) => other.at - one.at || (one.id < other.id ? 1 : -1);
const byId = (one: Row, other: Row) => Number(one.id) - Number(other.id);

/** Some edited in place, some gone, some moved to the end, some new: as a collection's memory changes. */
function changed(rows: readonly Row[], next: () => number): Row[] {
  const kept: Row[] = [];
  const last: Row[] = [];
  for (const one of rows) {
    const fate = draw(30);
    if (fate === 0) continue;
    if (fate === 1) last.push(one);
    else kept.push(fate === 2 ? { ...one, at: draw(1_000) } : one);
  }
  return [...kept, ...last, ...Array.from({ length: draw(5) }, () => row(next()))];
}

test('however a list changes, and in whatever order it is sorted, it is sorted as if it were sorted anew', () => {
  let count = 0;
  const next = () => (count += 1);
  for (let run = 0; run < 40; run += 1) {
    const sort = createSortChanged<Row>();
    let rows = Array.from({ length: draw(200) }, () => row(next()));
    for (let step = 0; step < 20; step += 1) {
      const compare = draw(6) === 0 ? byId : byAt;
      expect(sort(rows, compare)).toEqual(rows.toSorted(compare));
      if (draw(12) === 0) rows = rows.toSorted(() => draw(3) - 1);
      rows = draw(15) === 0 ? [] : changed(rows, next);
    }
  }
});

test('what has changed is what leaves and what comes, and nothing else is compared again', () => {
  const rows = Array.from({ length: 1_000 }, (_none, at) => row(at));
  const edited = { ...rows[500]!, at: 1 };
  const after = [...rows.slice(0, 10), ...rows.slice(12, 500), edited, ...rows.slice(501), row(1_000)];
  const { gone, come } = changesBetween(rows, after);
  expect([...gone]).toEqual([rows[10], rows[11], rows[500]]);
  expect(come).toEqual([edited, after.at(-1)]);

  const sort = createSortChanged<Row>();
  let compared = 0;
  const counting = (one: Row, other: Row) => {
    compared += 1;
    return byAt(one, other);
  };
  sort(rows, counting);
  compared = 0;
  expect(sort(after, counting)).toEqual(after.toSorted(byAt));
  expect(compared).toBeLessThan(100);
});

test('with an order that two rows share, or that contradicts itself, no row is lost or doubled', () => {
  let count = 0;
  const next = () => (count += 1);
  for (const compare of [() => 0, () => -1, () => 1, () => draw(3) - 1]) {
    const sort = createSortChanged<Row>();
    let rows = Array.from({ length: 60 }, () => row(next()));
    for (let step = 0; step < 30; step += 1) {
      expect(sort(rows, compare).toSorted(byId)).toEqual(rows.toSorted(byId));
      rows = changed(rows, next);
    }
  }
});

test('a list of the same rows is given as it was', () => {
  const rows = Array.from({ length: 10 }, (_none, at) => row(at));
  const sort = createSortChanged<Row>();
  const sorted = sort(rows, byAt);
  expect(sort([...rows], byAt)).toBe(sorted);
  const keep = createKeptOrder<Row>();
  expect(keep(rows)).toBe(rows);
  expect(keep(rows.map((one) => ({ ...one, at: 0 })))).toBe(rows);
  const turned = rows.toReversed();
  expect(keep(turned)).toBe(turned);
  expect(keep(rows.slice(1))).toEqual(rows.slice(1));
});
