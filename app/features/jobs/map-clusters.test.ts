import { expect, test } from 'vitest';
import { mapShape } from '../../../shared/lib/nz-map.ts';
import { referenceRows } from '../../../sync-server/db/seed/reference-rows.ts';
import { createReferenceLists } from '../../lib/reference-lists.ts';
import { clustersOf, clusterTowns, diameterOf, minTargetSize, type Cluster } from './map-clusters.ts';

const { places, place } = createReferenceLists(referenceRows());
const idOf = (name: string) => places.find(({ town }) => town === name)!.id;
const counts = (named: Record<string, number>) =>
  new Map(Object.entries(named).map(([name, jobs]) => [idOf(name), jobs]));
const phone = { width: 20 };

function touching(clusters: readonly Cluster[], width: number): string[] {
  const reach = ({ diameter }: Cluster) => Math.max(minTargetSize, diameter) / 2;
  return clusters.flatMap((one, at) =>
    clusters
      .slice(at + 1)
      .filter(
        (other) =>
          Math.hypot((one.x - other.x) * width, ((one.y - other.y) * width) / mapShape) < reach(one) + reach(other),
      )
      .map((other) => `${clusterTowns(one)} / ${clusterTowns(other)}`),
  );
}

test('all 400 towns are on the map, no two circles can be pressed for each other, and no job is lost, at any size', () => {
  expect(places).toHaveLength(400);
  const everywhere = new Map(places.map(({ id }, at) => [id, 1 + (at % 97)]));
  const jobs = [...everywhere.values()].reduce((sum, one) => sum + one, 0);
  for (const width of [9, 18, 24, 32]) {
    const { clusters, unplaced } = clustersOf(everywhere, place, { width });
    expect(unplaced).toBe(0);
    expect(clusters.reduce((sum, one) => sum + one.jobs, 0)).toBe(jobs);
    expect(new Set(clusters.flatMap(({ towns }) => towns.map(({ id }) => id))).size).toBe(400);
    expect(touching(clusters, width)).toEqual([]);
    for (const { x, y } of clusters) for (const at of [x, y]) expect(at > 0 && at < 1).toBe(true);
  }
});

test('a cluster stands at its busiest town and is named after it; a wider map shows more of them', () => {
  const busy = counts({ Hamilton: 12, Cambridge: 3, Dunedin: 2 });
  const { clusters } = clustersOf(busy, place, phone);
  expect(clusters.map((one) => [clusterTowns(one), one.jobs])).toEqual([
    ['Hamilton and 1 more town', 15],
    ['Dunedin', 2],
  ]);
  const [waikato] = clusters;
  const [alone] = clustersOf(counts({ Hamilton: 12 }), place, phone).clusters;
  expect([waikato?.x, waikato?.y]).toEqual([alone?.x, alone?.y]);
  expect(clustersOf(busy, place, { width: 400 }).clusters).toHaveLength(3);
});

test('north to south, as one reads the map; jobs of an unknown town are counted', () => {
  const { clusters, unplaced } = clustersOf(
    new Map([...counts({ Invercargill: 9, Auckland: 1, Wellington: 5 }), ['atlantis', 4]]),
    place,
    phone,
  );
  expect(clusters.map(({ towns: [first] }) => first?.town)).toEqual(['Auckland', 'Wellington', 'Invercargill']);
  expect(unplaced).toBe(4);
});

test('more jobs, a larger circle, never larger than a region', () => {
  const sizes = [1, 4, 16, 256, 20_000, 1_000_000].map(diameterOf);
  expect(sizes.toSorted((one, other) => one - other)).toEqual(sizes);
  expect(sizes[0]).toBe(1.75);
  expect(sizes.at(-1)).toBe(4);
});
