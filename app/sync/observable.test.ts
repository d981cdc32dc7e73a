import { expect, test } from 'vitest';
import { createObservable } from './observable.ts';

test('a change is told to all who watch, once; what is as it was is not told, and who has left hears nothing', () => {
  const status = createObservable({ phase: 'idle', reach: 'online' });
  const heard: string[] = [];
  const leave = status.subscribe(() => heard.push(`one ${status.get().phase}`));
  status.subscribe(() => heard.push(`two ${status.get().phase}`));
  status.set({ phase: 'waiting' });
  status.set({ phase: 'waiting' });
  // One of two is new.
  status.set({ phase: 'waiting', reach: 'offline' });
  leave();
  status.set({ phase: 'idle' });
  expect(heard).toEqual(['one waiting', 'two waiting', 'one waiting', 'two waiting', 'two idle']);
  expect(status.get()).toEqual({ phase: 'idle', reach: 'offline' });
});
