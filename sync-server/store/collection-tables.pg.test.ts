import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { minute } from '../../shared/lib/durations.ts';
import type { Job, User } from '../../shared/tables/index.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { openStoreHarness, stores, type StoreHarness } from '../testing/store-harness.ts';

const at = new Date('2026-11-21T00:00:00.000Z');
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted();

const town = (id: string, region: string) => ({
  id,
  kind: 'location' as const,
  name: id,
  region,
  latitude: null,
  longitude: null,
  isApproximate: false,
  createdAt: at.toISOString(),
});

describe.each(stores)('the collections of a store in %s', (kind) => {
  let harness: StoreHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openStoreHarness(kind);
    owner = await harness.homeowner();
  });
  afterEach(() => harness.close());

  const lease = { id: makeTestId(), now: at, until: new Date(at.getTime() + minute) };

  it('hold the rows that stand in them, without what is not theirs, by the instants they were made at', async () => {
    const jobs = [0, 1, 2].map((day) => makeJob({ userId: owner.id, createdAt: `2026-11-1${day}T00:00:00.000Z` }));
    const closed = makeJob({ userId: owner.id, status: 'closed' });
    await harness.store.write((tx) => tx.insertRows('jobs', [...jobs, closed]));
    const { single } = harness.store;
    const between = (from?: string, to?: string) => single.readCollectionRows('feed', { from, to });
    expect(ids(await between())).toEqual(ids(jobs));
    expect(ids(await between(jobs[1]!.createdAt, jobs[1]!.createdAt))).toEqual([jobs[1]!.id]);
    expect(ids(await between(undefined, jobs[1]!.createdAt))).toEqual(ids(jobs.slice(0, 2)));
    expect(await single.countByRegion('feed')).toEqual(new Map([['', 3]]));
    const [row] = await between();
    expect(Object.keys(row!)).not.toContain('userId');
  });

  it('count and give their rows by the region of the town, and by edges', async () => {
    const { single, write } = harness.store;
    await write((tx) =>
      tx.insertRows('reference', [town('winton', 'Southland'), town('feilding', 'Manawatū-Whanganui')]),
    );
    const job = (day: number, locationId: string | null) =>
      makeJob({ userId: owner.id, createdAt: `2026-11-1${day}T00:00:00.000Z`, locationId });
    const jobs = [job(0, 'winton'), job(1, 'feilding'), job(2, 'winton'), job(3, null)];
    await write((tx) => tx.insertRows('jobs', jobs));
    expect(await single.countByRegion('feed')).toEqual(
      new Map([
        ['', 1],
        ['Manawatū-Whanganui', 1],
        ['Southland', 2],
      ]),
    );
    const all = { from: undefined, to: undefined };
    expect(ids(await single.readCollectionRows('feed', { ...all, region: 'Southland' }))).toEqual(
      ids([jobs[0]!, jobs[2]!]),
    );
    expect(ids(await single.readCollectionRows('feed', { ...all, region: '' }))).toEqual([jobs[3]!.id]);
    const third = `Southland/${jobs[2]!.createdAt}|${jobs[2]!.id}`;
    expect(await single.countByRange('feed', ['/', 'Manawatū-Whanganui/', 'Southland/', third], true)).toEqual([
      1, 1, 1, 1,
    ]);
    expect(await single.countByRange('feed', ['', `${jobs[1]!.createdAt}|${jobs[1]!.id}`], false)).toEqual([1, 3]);
    expect(await single.countByRange('directory', [''], false)).toEqual([0]);
    expect(await single.readOwnRegions(owner.id)).toEqual([]);
  });

  it('say where a changed row is and which regions it has left, also with its town and for good', async () => {
    const { single, write } = harness.store;
    const winton = town('winton', 'Southland');
    await write((tx) => tx.insertRows('reference', [winton, town('feilding', 'Manawatū'), town('bluff', 'Southland')]));
    const [moves, stays, ages, gone, closed] = [0, 1, 2, 3, 4].map((day) =>
      makeJob({ userId: owner.id, locationId: 'winton', createdAt: `2026-11-1${day}T00:00:00.000Z` }),
    ) as [Job, Job, Job, Job, Job];
    await write((tx) => tx.insertRows('jobs', [moves, stays, ages, gone, closed]));
    const version = await single.readHead();
    await write((tx) => tx.updateRows('jobs', ['locationId'], [{ ...moves, locationId: 'feilding' }]));
    await write((tx) => tx.updateRows('jobs', ['locationId'], [{ ...stays, locationId: 'bluff' }]));
    await write((tx) => tx.updateRows('jobs', ['createdAt'], [{ ...ages, createdAt: '2026-11-19T00:00:00.000Z' }]));
    await harness.remove('jobs', gone.id);
    await write((tx) => tx.updateRows('jobs', ['status'], [{ ...closed, status: 'closed' }]));
    const places = async (regions?: string[]) => (await single.readCollectionDelta('feed', version, regions)).places;
    const [southland, manawatu] = [
      { region: 'Southland', left: [] },
      { region: 'Manawatū', left: ['Southland'] },
    ];
    const aged = { region: 'Southland', left: ['Southland'] };
    const expected = new Map<string, object>([
      [moves.id, manawatu],
      [stays.id, southland],
      [ages.id, aged],
      [gone.id, southland],
      [closed.id, southland],
    ]);
    expect(await places()).toEqual(expected);
    expect(await places(['Southland'])).toEqual(expected);
    expect(await places(['Manawatū'])).toEqual(new Map([[moves.id, manawatu]]));
    expect(await places(['Otago', ''])).toEqual(new Map());
    expect([
      await single.countChanges('feed', version, 10, ['Southland']),
      await single.countChanges('feed', version, 10, ['Manawatū']),
    ]).toEqual([5, 1]);
    const before = await single.readHead();
    await write((tx) => tx.updateRows('reference', ['region'], [{ ...winton, region: 'Otago' }]));
    expect((await single.readCollectionDelta('feed', before)).places).toEqual(
      new Map([[ages.id, { region: 'Otago', left: ['Southland'] }]]),
    );
    expect((await single.readCollectionDelta('feed', before, ['Southland'])).places.size).toBe(1);
  });

  it('say what came, what left and what is gone since a version, and how much of it', async () => {
    const [leaves, gone, stays] = [0, 1, 2].map(() => makeJob({ userId: owner.id })) as [
      ReturnType<typeof makeJob>,
      ReturnType<typeof makeJob>,
      ReturnType<typeof makeJob>,
    ];
    await harness.store.write((tx) => tx.insertRows('jobs', [leaves, gone, stays]));
    const { single, write } = harness.store;
    const version = await single.readHead();
    expect(await single.readCollectionDelta('feed', version)).toEqual({ puts: [], removes: [], places: new Map() });
    await write((tx) => tx.updateRows('jobs', ['status'], [{ ...leaves, status: 'closed' }]));
    await harness.remove('jobs', gone.id);
    const added = makeJob({ userId: owner.id });
    await write((tx) => tx.insertRows('jobs', [added]));
    // Its owner alone sees this column: not a change of the feed.
    await write((tx) => tx.updateRows('jobs', ['closedAt'], [{ ...stays, closedAt: at.toISOString() }]));
    const delta = await single.readCollectionDelta('feed', version);
    expect([ids(delta.puts), delta.removes]).toEqual([[added.id], [leaves.id, gone.id]]);
    expect([await single.countChanges('feed', version, 10), await single.countChanges('feed', version, 2)]).toEqual([
      3, 2,
    ]);
    expect(await single.readChangedRows('feed', version)).toEqual(
      expect.arrayContaining([
        { id: leaves.id, createdAt: leaves.createdAt, region: '', left: [] },
        { id: gone.id, createdAt: undefined, region: '', left: [] },
        { id: added.id, createdAt: added.createdAt, region: '', left: [] },
      ]),
    );
  });

  it('have a manifest, a head and segments once a snapshot was built', async () => {
    const { single, write } = harness.store;
    const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
    expect(await single.readManifest('feed')).toMatchObject({ version: '0', builtAt: undefined, timeline: undefined });
    expect(await single.readCollectionHeads()).toEqual(new Map());
    await write((tx) => tx.insertRows('jobs', [makeJob({ userId: owner.id })]));
    const changed = await single.readHead();
    await single.acquireLease('feed', lease);
    const segment = (hash: string) => ({ hash, rows: 1, bytes: 2, br: Uint8Array.of(1), gzip: Uint8Array.of(2, 3) });
    const entry = { hash: a, rows: 1, bytes: 2, from: 'f', to: 't', start: '' };
    await write(async (tx) => {
      expect(await tx.switchManifest('feed', lease, { version: '1', shape: 's', entries: [entry] })).toBe(true);
      for (const hash of [a, b, a]) await tx.writeSegment('feed', at, segment(hash));
    });
    expect(await single.readManifest('feed')).toEqual({
      version: '1',
      shape: 's',
      entries: [entry],
      builtAt: at,
      timeline: (await single.commitsAfter('0')).timeline,
    });
    expect((await single.readCollectionHeads()).get('feed')).toEqual({ built: '1', changed });
    expect(await single.findSegments([a, b, c])).toEqual(new Set([a, b]));
    const read = await single.readSegment('feed', a);
    expect([read?.hash, read?.rows, [...(read?.gzip ?? [])]]).toEqual([a, 1, [2, 3]]);
    expect(await single.readSegment('directory', a)).toBeUndefined();

    const retire = (hashes: string[], ms: number) =>
      write((tx) => {
        const now = new Date(at.getTime() + ms);
        return tx.retireSegments('feed', hashes, { now, unreferencedBefore: new Date(now.getTime() - 10) });
      });
    await retire([a], 0);
    await retire([a, b], 5);
    await retire([a], 20);
    expect(await single.findSegments([a, b])).toEqual(new Set([a, b]));
    await retire([a], 31);
    expect(await single.findSegments([a, b])).toEqual(new Set([a]));
  });
});
