import { afterEach, expect, it, vi } from 'vitest';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { User } from '../../shared/tables/index.ts';
import type { Commits, SyncStore } from '../store/sync-store.ts';
import { openPoke, freshness, type Poke } from './poke.ts';

/*
 * When one instance reads what was committed and whom it pokes. The store and the clock are doubles, so notices come
 * when a test says so; what a database does is in poke.pg.test.ts.
 */

const opened: Poke[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const poke of opened.splice(0)) await poke.close();
});

const nothing: Commits = { head: '5', timeline: 'one', isMoved: false, people: [], accounts: [], collections: [] };

async function open(people: readonly User[] = []) {
  vi.useFakeTimers();
  let now = Date.parse('2026-11-21T00:00:00.000Z');
  const state = {
    commits: nothing,
    hearing: { connection: 1, ageMs: 0 } as { connection: number; ageMs: number } | undefined,
    failure: undefined as Error | undefined,
    peopleFailure: undefined as Error | undefined,
    hold: undefined as Promise<void> | undefined,
    isListening: true,
  };
  const reads: string[] = [];
  const restores: unknown[] = [];
  const warned: unknown[][] = [];
  let onCommit = () => {};
  const store = {
    listen: (hear: () => void) => {
      onCommit = hear;
      return Promise.resolve(() => {
        state.isListening = false;
        return Promise.resolve();
      });
    },
    hearing: () => state.hearing,
    noticeRestore: (_log: unknown, seen: unknown) => {
      restores.push(seen);
      state.commits = { ...state.commits, isMoved: false, timeline: 'two' };
      return Promise.resolve(true);
    },
    single: {
      readHead: () => Promise.resolve('5'),
      commitsAfter: async (version: string) => {
        reads.push(version);
        await state.hold;
        if (state.failure !== undefined) throw state.failure;
        return state.commits;
      },
      findPeople: (ids: readonly string[]) =>
        state.peopleFailure === undefined
          ? Promise.resolve(people.filter(({ id }) => ids.includes(id)))
          : Promise.reject(state.peopleFailure),
    },
  } as unknown as SyncStore;
  const log = { info: () => {}, error: () => {}, warn: (...line: unknown[]) => void warned.push(line) } as never;
  const poke = openPoke({ store, clock: () => new Date(now), log });
  opened.push(poke);
  await poke.start();
  await vi.advanceTimersByTimeAsync(100);
  reads.length = 0;
  const connect = async (userId: string, onPoke = vi.fn()) => {
    const stop = await poke.connect({ userId, since: poke.headVersion(), onPoke });
    return { stop, onPoke };
  };
  return {
    poke,
    state,
    reads,
    restores,
    warned,
    connect,
    notice: () => onCommit(),
    pass: (ms: number) => {
      now += ms;
    },
    /** A commit, its notice, and everything that follows at once. */
    commit: async (changes: Partial<Commits>) => {
      state.commits = { ...state.commits, ...changes };
      onCommit();
      await vi.advanceTimersByTimeAsync(20);
    },
  };
}

const aroha = makeUser();
const wiremu = makeUser();

it('reads once for many notices, and once more for those that came meanwhile', async () => {
  const { notice, reads, state } = await open();
  let isRead = () => {};
  state.hold = new Promise((resolve) => (isRead = resolve));
  for (let at = 0; at < 10; at += 1) notice();
  expect(reads).toEqual(['5']);
  state.commits = { ...nothing, head: '6' };
  isRead();
  state.hold = undefined;
  await vi.advanceTimersByTimeAsync(10);
  // Commits close together cause one poke.
  expect(reads).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(20);
  expect(reads).toEqual(['5', '6']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads).toHaveLength(2);
});

it('reads what its own instance has committed without waiting for the notice, which costs no more than one more read', async () => {
  const { poke, notice, reads, state } = await open();
  state.commits = { ...nothing, head: '6' };
  poke.look();
  expect(reads).toEqual(['5']);
  notice();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([reads, poke.headVersion()]).toEqual([['5', '6'], '6']);
  await poke.close();
  poke.look();
  expect(reads).toHaveLength(2);
});

it('says how long the oldest unread notice waits, through failed reads, and 0 where none does', async () => {
  const { poke, notice, state, reads, warned } = await open();
  expect(poke.oldestUnsentMs()).toBe(0);
  state.failure = new Error('the database is away');
  notice();
  await vi.advanceTimersByTimeAsync(600);
  expect([reads.length, poke.oldestUnsentMs()]).toEqual([1, 600]);
  expect(warned).toEqual([[{ err: state.failure }, 'could not read what changed; trying again']]);
  await vi.advanceTimersByTimeAsync(500);
  expect([reads.length, poke.oldestUnsentMs()]).toEqual([2, 1_100]);
  state.failure = undefined;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([reads.length, poke.oldestUnsentMs()]).toEqual([3, 0]);
});

it('pokes whom a commit concerns and no other, and not after they left', async () => {
  const { commit, connect } = await open([aroha, wiremu]);
  const [one, other] = [await connect(aroha.id), await connect(wiremu.id)];
  await commit({ head: '6', people: [aroha.id] });
  expect([one.onPoke, other.onPoke].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  one.stop();
  await commit({ head: '7', people: [aroha.id] });
  expect(one.onPoke).toHaveBeenCalledTimes(1);
});

it('a device whose stream throws keeps no other from its poke', async () => {
  const { commit, connect, warned } = await open([aroha, wiremu]);
  const failure = new Error('gone');
  await connect(
    aroha.id,
    vi.fn(() => {
      throw failure;
    }),
  );
  const other = await connect(wiremu.id);
  await commit({ head: '6', people: [aroha.id, wiremu.id] });
  expect(other.onPoke).toHaveBeenCalledTimes(1);
  expect(warned).toEqual([[{ err: failure }, 'could not poke a device']]);
});

it('the feed’s change goes to those who may read it, and rights that a commit ended or began count at once', async () => {
  const tradie = makeTradie();
  const member = makeUser({ tradieId: tradie.id, subscriptionStatus: 'active' });
  const people = [member, aroha];
  const { commit, connect } = await open(people);
  const [reader, stranger] = [await connect(member.id), await connect(aroha.id)];
  const pokes = () => [reader.onPoke, stranger.onPoke].map(({ mock }) => mock.calls.length);
  await commit({ head: '6', collections: ['feed', 'a collection of a later release'] });
  expect(pokes()).toEqual([1, 0]);
  people[0] = { ...member, subscriptionStatus: 'canceled', trialEndsAt: null, currentPeriodEnd: null } as User;
  await commit({ head: '7', collections: ['feed'] });
  // No message said that the account had changed, so the rights of before still count here.
  expect(pokes()).toEqual([2, 0]);
  await commit({ head: '8', accounts: [member.id], people: [member.id], collections: [] });
  await commit({ head: '9', accounts: [], people: [], collections: ['feed'] });
  expect(pokes()).toEqual([3, 0]);
  await commit({ head: '10', collections: ['directory'] });
  expect(pokes()).toEqual([4, 1]);
});

it('tells which accounts changed, and all after a restore', async () => {
  const { poke, commit, connect, restores } = await open([aroha]);
  const { onPoke } = await connect(aroha.id);
  const heard: unknown[] = [];
  poke.onAccounts((userIds) => void heard.push(userIds === 'all' ? userIds : [...userIds]));
  await commit({ head: '6', accounts: [wiremu.id] });
  expect(heard).toEqual([[wiremu.id]]);
  await commit({ head: '6', isMoved: true, accounts: [] });
  expect(restores).toEqual([{ timeline: 'one', head: '6' }]);
  expect([heard.at(-1), poke.seen(), onPoke.mock.calls.length]).toEqual(['all', { timeline: 'two', head: '6' }, 1]);
});

it('a head that went back on the same timeline is a restore; the same head again is none', async () => {
  const { commit, restores } = await open();
  await commit({ head: '5' });
  expect(restores).toEqual([]);
  await commit({ head: '4' });
  expect(restores).toEqual([{ timeline: 'one', head: '5' }]);
});

it('[S10] answers from memory while notices are proved and the head was read lately, by the connection that listens now', async () => {
  const { poke, state, pass, notice } = await open();
  expect([poke.freshHead(), poke.memory()]).toEqual(['5', { isFresh: true, headAgeMs: 0, proofAgeMs: 0 }]);
  pass(freshness.head);
  expect(poke.memory()).toEqual({ isFresh: true, headAgeMs: freshness.head, proofAgeMs: 0 });
  pass(1);
  expect(poke.freshHead()).toBeUndefined();
  notice();
  await vi.advanceTimersByTimeAsync(20);
  expect(poke.freshHead()).toBe('5');
  pass(-1);
  expect(poke.freshHead()).toBeUndefined();
  pass(1);
  state.hearing = { connection: 1, ageMs: freshness.proof + 1 };
  expect(poke.freshHead()).toBeUndefined();
  state.hearing = { connection: 2, ageMs: 7.4 };
  expect([poke.freshHead(), poke.memory().proofAgeMs]).toEqual([undefined, 7]);
  state.hearing = undefined;
  expect([poke.freshHead(), poke.memory().proofAgeMs]).toEqual([undefined, null]);
});

it('reads the head again without a notice', async () => {
  const { reads } = await open();
  await vi.advanceTimersByTimeAsync(freshness.look);
  expect(reads).toEqual(['5']);
});

it('counts a device once its rights are known, and none whose rights could not be read', async () => {
  const { poke, state, connect, commit } = await open([aroha]);
  state.peopleFailure = new Error('the database is away');
  const onPoke = vi.fn();
  await expect(connect(aroha.id, onPoke)).rejects.toThrow('the database is away');
  expect(poke.listeners()).toBe(0);
  state.peopleFailure = undefined;
  await commit({ head: '6', people: [aroha.id] });
  expect(onPoke).not.toHaveBeenCalled();
  const coming = connect(aroha.id);
  expect(poke.listeners()).toBe(0);
  const { stop } = await coming;
  expect(poke.listeners()).toBe(1);
  stop();
  expect(poke.listeners()).toBe(0);
});

it('a device that has not seen the head is poked at once, also where it does not say', async () => {
  const { poke } = await open([aroha]);
  for (const since of ['4', undefined]) {
    const onPoke = vi.fn();
    await poke.connect({ userId: aroha.id, since, onPoke });
    expect(onPoke).toHaveBeenCalledTimes(1);
  }
});

it('a closed one reads and pokes no more, also when a read was under way', async () => {
  const { poke, notice, state, reads, connect } = await open([aroha]);
  const { onPoke } = await connect(aroha.id);
  let isRead = () => {};
  state.hold = new Promise((resolve) => (isRead = resolve));
  state.commits = { ...nothing, head: '6', people: [aroha.id] };
  notice();
  notice();
  const closing = poke.close();
  isRead();
  await closing;
  notice();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([reads.length, onPoke.mock.calls.length, state.isListening]).toEqual([1, 0, false]);
});

it('before the first read it knows no timeline, and nothing of its age', () => {
  const store = { hearing: () => undefined } as unknown as SyncStore;
  const poke = openPoke({ store, clock: () => new Date(), log: {} as never });
  expect([poke.seen(), poke.freshHead(), poke.memory()]).toEqual([
    undefined,
    undefined,
    { isFresh: false, headAgeMs: null, proofAgeMs: null },
  ]);
});
