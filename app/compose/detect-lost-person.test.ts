import { expect, test, vi } from 'vitest';
import type { AuthState } from '../context/app-context.ts';
import { createCell } from '../lib/cell.ts';
import { detectLostPerson } from './detect-lost-person.ts';

const signedOut: AuthState = { kind: 'signed-out' };
const signedIn = { kind: 'signed-in' } as AuthState;

type Kept = { sentAt: string; isAllSent: boolean; count?: number };
const sentAt = '2026-05-01T09:00:00.000Z';

/** One start of the app; `memory` survives it. */
function open(memory: Map<string, string>, hasLeft = false, kept?: Kept, isCleared = true) {
  const authState = createCell<AuthState>({ kind: 'starting' });
  const forget = vi.fn();
  const { isLost, unsent } = detectLostPerson(
    authState,
    {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => void memory.set(key, value),
      removeItem: (key) => void memory.delete(key),
    },
    async () => hasLeft,
    { read: () => kept, isCleared: () => isCleared, forget },
  );
  return { isLost, unsent, forget, become: (next: AuthState) => authState.set({ ...next }) };
}

test('no person was signed in: none is lost', () => {
  const { isLost, become } = open(new Map());
  become(signedOut);
  expect(isLost.current()).toBe(false);
});

test('a person who logs out is not lost, now and at the next start', () => {
  const memory = new Map<string, string>();
  const before = open(memory);
  before.become(signedIn);
  expect([...memory.values()]).toHaveLength(1);
  before.become(signedOut);
  expect(before.isLost.current()).toBe(false);
  const after = open(memory);
  after.become(signedOut);
  expect(after.isLost.current()).toBe(false);
});

test('the mark of who comes after a log-out is another: a page that slept meanwhile sees it', () => {
  const memory = new Map<string, string>();
  const { become } = open(memory);
  const markNow = () => [...memory.values()];
  become(signedIn);
  const first = markNow();
  become({ ...signedIn });
  expect(open(memory).isLost.current()).toBe(false);
  expect(markNow()).toEqual(first);
  become(signedOut);
  become(signedIn);
  expect(markNow()).toHaveLength(1);
  expect(markNow()).not.toEqual(first);
});

test('a person signed in at the last start and not at this one is lost, until they sign in', () => {
  const memory = new Map<string, string>();
  open(memory).become(signedIn);
  const { isLost, become } = open(memory);
  become(signedOut);
  become(signedOut);
  expect(isLost.current()).toBe(true);
  become(signedIn);
  expect(isLost.current()).toBe(false);
});

test('a mark that was not written in time: an outbox backup shows that a person was signed in', async () => {
  const { isLost, become } = open(new Map(), true);
  become(signedOut);
  await expect.poll(() => isLost.current()).toBe(true);
});

test('a person who signs in before that is found out gets no notice', async () => {
  const { isLost, become } = open(new Map(), true);
  become(signedOut);
  become(signedIn);
  await Promise.resolve();
  await Promise.resolve();
  expect(isLost.current()).toBe(false);
});

test.each([
  ['all of it had been sent', { sentAt, isAllSent: true, count: 1 }, null],
  ['something waited', { sentAt, isAllSent: false }, { sentAt, isAllSent: false }],
  ['three things waited', { sentAt, isAllSent: false, count: 3 }, { sentAt, isAllSent: false, count: 3 }],
])(
  'a browser that has deleted all that scripts stored, but a server’s cookie: a person is lost, and %s',
  (_what, kept, told) => {
    const { isLost, unsent, forget, become } = open(new Map(), false, kept);
    become(signedOut);
    expect([isLost.current(), unsent.current()]).toEqual([true, told]);
    become(signedIn);
    // It is told until they have read it.
    expect([isLost.current(), unsent.current()]).toEqual([false, told]);
    expect(forget).not.toHaveBeenCalled();
  },
);

test('who reads that and does not sign in is not told again', () => {
  const { isLost, forget, become } = open(new Map(), false, { sentAt, isAllSent: true });
  become(signedOut);
  isLost.set(false);
  expect(forget).toHaveBeenCalledOnce();
});

test('a note beside what scripts have stored is of a browser that has cleared nothing: none is lost', () => {
  const { isLost, unsent, become } = open(new Map(), false, { sentAt, isAllSent: false }, false);
  become(signedOut);
  expect([isLost.current(), unsent.current()]).toEqual([false, null]);
});
