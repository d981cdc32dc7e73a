import { expect, test } from 'vitest';
import type { AuthState } from '../context/app-context.ts';
import { createCell } from '../lib/cell.ts';
import { detectLostPerson } from './detect-lost-person.ts';

const signedOut: AuthState = { kind: 'signed-out' };
const signedIn = { kind: 'signed-in' } as AuthState;

/** One start of the app; `memory` survives it. */
function open(memory: Map<string, string>, hasLeft = false) {
  const authState = createCell<AuthState>({ kind: 'starting' });
  const isLost = detectLostPerson(
    authState,
    {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => void memory.set(key, value),
      removeItem: (key) => void memory.delete(key),
    },
    async () => hasLeft,
  );
  return { isLost, become: (next: AuthState) => authState.set({ ...next }) };
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
  expect([...memory.values()]).toEqual(['yes']);
  before.become(signedOut);
  expect(before.isLost.current()).toBe(false);
  const after = open(memory);
  after.become(signedOut);
  expect(after.isLost.current()).toBe(false);
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
