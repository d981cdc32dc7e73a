import { expect, test } from 'vitest';
import { change, createCell } from './cell.ts';

test('each subscriber is called once per change; not for an equal value, and not after it has unsubscribed', () => {
  const status = createCell({ phase: 'idle', reach: 'online' });
  const heard: string[] = [];
  const leave = status.subscribe(() => heard.push(`one ${status.current().phase}`));
  status.subscribe(() => heard.push(`two ${status.current().phase}`));
  change(status, { phase: 'waiting' });
  change(status, { phase: 'waiting' });
  status.set(status.current());
  // One of two values has changed.
  change(status, { phase: 'waiting', reach: 'offline' });
  leave();
  change(status, { phase: 'idle' });
  expect(heard).toEqual(['one waiting', 'two waiting', 'one waiting', 'two waiting', 'two idle']);
  expect(status.current()).toEqual({ phase: 'idle', reach: 'offline' });
});
