import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../shared/tables/index.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { openStoreHarness, stores, type StoreHarness } from '../testing/store-harness.ts';

/** Opened by the test. */
function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/* Which transaction waits for which. PGlite has one connection: there a transaction waits until the other has ended. */
describe.each(stores)('two transactions in %s', (kind) => {
  let harness: StoreHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openStoreHarness(kind);
    owner = await harness.homeowner();
  });
  afterEach(() => harness.close());

  it('[S1][S2] of one person are decided one after the other, and the second finds what the first wrote', async () => {
    const [locked, uid] = [createGate(), randomUUID()];
    const line = { uid, name: 'job.post', argsHash: 'h', verdict: { status: 'applied' as const } };
    const order: string[] = [];
    const first = harness.store.write(async (tx) => {
      await tx.lockPerson(owner.id);
      locked.open();
      await tx.writeOutcomes(owner.id, new Date(), [line]);
      await tx.updateRows('users', ['firstName'], [{ ...owner, firstName: 'Second' }]);
      order.push('first');
    });
    await locked.opened;
    const second = harness.store.write(async (tx) => {
      const locked = await tx.lockPerson(owner.id);
      order.push('second');
      return [locked?.person.firstName, (await tx.findUids(owner.id, [uid])).length];
    });
    await first;
    expect(await second).toEqual(['Second', 1]);
    expect(order).toEqual(['first', 'second']);
  });

  it('[S1] cannot both decide one uid', async () => {
    const [written, uid] = [createGate(), randomUUID()];
    const line = { uid, name: 'job.post', argsHash: 'h', verdict: { status: 'applied' as const } };
    const first = harness.store.write(async (tx) => {
      const lines = await tx.writeOutcomes(owner.id, new Date(), [line]);
      written.open();
      return lines;
    });
    await written.opened;
    const second = harness.store.write((tx) => tx.writeOutcomes(owner.id, new Date(), [line]));
    expect(await Promise.all([first, second])).toEqual([1, 0]);
  });

  it('cannot both hold a collection’s lease, and only its holder switches the manifest', async () => {
    const now = new Date();
    const lease = (ms: number) => ({
      id: randomUUID(),
      now: new Date(now.getTime() + ms),
      until: new Date(now.getTime() + ms + 1_000),
    });
    const [mine, theirs, afterIt] = [lease(0), lease(1), lease(5_000)];
    const { single, write } = harness.store;
    expect(await single.acquireLease('feed', mine)).toBe(true);
    expect(await single.acquireLease('feed', theirs)).toBe(false);
    await single.releaseLease('feed', theirs);
    expect(await single.acquireLease('feed', afterIt)).toBe(true);
    const manifest = { version: '7', shape: 's', entries: [] };
    expect(await write((tx) => tx.switchManifest('feed', mine, manifest))).toBe(false);
    expect(await write((tx) => tx.switchManifest('feed', afterIt, manifest))).toBe(true);
    expect(await single.readManifest('feed')).toMatchObject({ version: '7', builtAt: afterIt.now });
  });
});

describe.each(stores.filter((kind) => kind !== 'pglite'))('two connections in %s', (kind) => {
  let harness: StoreHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openStoreHarness(kind);
    owner = await harness.homeowner();
  });
  afterEach(() => harness.close());

  it('[S3] what commits while a snapshot is read is not in it, and is in the next call of a transaction that writes', async () => {
    const read = (mode: 'snapshot' | 'write') =>
      harness.store[mode](async (tx) => {
        const before = await tx.readHead();
        const job = makeJob({ userId: owner.id });
        await harness.store.write((other) => other.insertRows('jobs', [job]));
        return [(await tx.readHead()) === before, (await tx.visibleRows('jobs', [job.id], owner.id)).length];
      });
    expect([await read('snapshot'), await read('write')]).toEqual([
      [true, 0],
      [false, 1],
    ]);
  });

  it('[S3][I4] what began first and commits last is above what a device has read meanwhile', async () => {
    const [written, mayCommit] = [createGate(), createGate()];
    const [slow, quick] = [makeJob({ userId: owner.id }), makeJob({ userId: owner.id })];
    const first = harness.store.write(async (tx) => {
      await tx.insertRows('jobs', [slow]);
      written.open();
      await mayCommit.opened;
    });
    await written.opened;
    await harness.store.write((tx) => tx.insertRows('jobs', [quick]));
    const read = await harness.store.single.readHead();
    mayCommit.open();
    await first;
    expect(await harness.store.single.changesAfter(owner.id, read, 10)).toMatchObject([{ id: slow.id }]);
  });

  it('that wait for each other: one fails as a deadlock, and the other goes on', async () => {
    const other = await harness.homeowner();
    const gates = [createGate(), createGate()];
    const both = [owner.id, other.id].map((id, at, ids) =>
      harness.store
        .write(async (tx) => {
          await tx.lockRows('users', { id: [id] });
          gates[at]!.open();
          await gates[1 - at]!.opened;
          await tx.lockRows('users', { id: [ids[1 - at]!] });
          return 'done';
        })
        .catch((error: { code?: string }) => error.code),
    );
    expect(new Set(await Promise.all(both))).toEqual(new Set(['40P01', 'done']));
  });

  it('a row that was changed meanwhile is read anew once its lock is had', async () => {
    const job = makeJob({ userId: owner.id });
    await harness.store.write((tx) => tx.insertRows('jobs', [job]));
    const held = createGate();
    const first = harness.store.write(async (tx) => {
      await tx.lockRows('jobs', { id: [job.id] });
      held.open();
      await tx.updateRows('jobs', ['title'], [{ ...job, title: 'Changed' }]);
    });
    await held.opened;
    const second = harness.store.write(async (tx) => (await tx.lockRows('jobs', { id: [job.id] }))[0]?.title);
    await first;
    expect(await second).toBe('Changed');
  });
});
