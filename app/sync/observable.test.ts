import { expect, test } from 'vitest';
import { createObservable } from './observable.ts';

test('each subscriber is called once per change; not for an equal value, and not after it has unsubscribed', () => {
  const status = createObservable({ phase: 'idle', reach: 'online' });
  const heard: string[] = [];
  const leave = status.subscribe(() => heard.push(`one ${status.get().phase}`));
  status.subscribe(() => heard.push(`two ${status.get().phase}`));
  status.set({ phase: 'waiting' });
  status.set({ phase: 'waiting' });
  // One of two values has changed.
  status.set({ phase: 'waiting', reach: 'offline' });
  leave();
  status.set({ phase: 'idle' });
  expect(heard).toEqual(['one waiting', 'two waiting', 'one waiting', 'two waiting', 'two idle']);
  expect(status.get()).toEqual({ phase: 'idle', reach: 'offline' });
});
