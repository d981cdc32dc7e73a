import { beforeEach, expect, test } from 'vitest';
import { createCell } from '../lib/cell.ts';
import type { SessionState } from '../session/create-session.ts';
import { forgetTyped } from './forget-typed.ts';

/** As much of a tab's storage as is used. */
function createStore(names: readonly string[]) {
  const kept = new Map(names.map((name) => [name, 'x']));
  return {
    kept,
    storage: {
      get length() {
        return kept.size;
      },
      key: (at: number) => [...kept.keys()][at] ?? null,
      removeItem: (name: string) => void kept.delete(name),
    } as unknown as Storage,
  };
}

const state = createCell<SessionState>({ kind: 'starting' });
const signedIn = (userId: string) =>
  ({ kind: 'signed-in', person: { userId }, needsSignIn: false }) as unknown as SessionState;
beforeEach(() => state.set({ kind: 'starting' }));

test('what a person typed in one tab is gone from it when they log out in another', () => {
  const { kept, storage } = createStore(['dwang-typed:moana:slot/post-job', 'dwang-typed:moana:post-job', 'theme']);
  state.set(signedIn('moana'));
  forgetTyped(state, storage);
  expect(kept.size).toBe(3);
  state.set({ kind: 'signed-out' });
  expect([...kept.keys()]).toEqual(['theme']);
});

test('the next person on the device finds nothing that another typed', () => {
  const { kept, storage } = createStore(['dwang-typed:moana:post-job', 'dwang-typed:wiremu:post-job']);
  forgetTyped(state, storage);
  state.set(signedIn('wiremu'));
  expect([...kept.keys()]).toEqual(['dwang-typed:wiremu:post-job']);
});

test('a tab that was reloaded after the browser cleared the site keeps it for the same person', () => {
  const { kept, storage } = createStore(['dwang-typed:moana:post-job']);
  forgetTyped(state, storage);
  state.set({ kind: 'signed-out' });
  state.set(signedIn('moana'));
  expect(kept.size).toBe(1);
});
