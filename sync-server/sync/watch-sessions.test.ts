import { expect, test, vi } from 'vitest';
import { watchSessions } from './watch-sessions.ts';

test('a failed check ends nothing, an ended session ends its stream once, and a closed stream is not checked', async () => {
  vi.useFakeTimers();
  const answers: (() => Promise<{ userId: string; email: string } | undefined>)[] = [
    () => Promise.reject(new Error('the database is away')),
    () => Promise.resolve({ userId: 'u', email: '' }),
    () => Promise.resolve(undefined),
  ];
  const asked: string[] = [];
  const ended: string[] = [];
  const watch = watchSessions({
    verifyToken: (token) => (asked.push(token), answers.shift()?.() ?? Promise.resolve(undefined)),
    closing: new AbortController().signal,
  });
  const stop = watch('one', () => (ended.push('one'), stop()));
  const stopOther = watch('two', () => void ended.push('two'));
  stopOther();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ended).toEqual(['one']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual(['one', 'one', 'one']);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
