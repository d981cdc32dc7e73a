import { expect, test } from 'vitest';
import { createUnderWay } from './under-way.ts';

/** Answers nothing until it is aborted. */
const silence: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    const { signal } = init ?? {};
    if (signal?.aborted === true) reject(signal.reason as Error);
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });

test('what is under way ends, and what is begun afterwards goes its way', async () => {
  const underWay = createUnderWay(silence);
  const before = underWay.fetch('/a.webp');
  const first = underWay.signal();
  underWay.end();
  await expect(before).rejects.toThrow('aborted');
  expect(first.aborted).toBe(true);
  expect(underWay.signal().aborted).toBe(false);
  const after = underWay.fetch('/b.webp');
  underWay.end();
  await expect(after).rejects.toThrow('aborted');
});

test('its caller ends it too, before and after it was begun', async () => {
  const underWay = createUnderWay(silence);
  const own = new AbortController();
  const asked = underWay.fetch('/a.webp', { signal: own.signal });
  own.abort(new Error('twenty seconds'));
  await expect(asked).rejects.toThrow('twenty seconds');
  await expect(underWay.fetch('/a.webp', { signal: own.signal })).rejects.toThrow('twenty seconds');
});
