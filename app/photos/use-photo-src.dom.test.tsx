import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { usePhotoSrc } from './use-photo-src.ts';

afterEach(() => vi.restoreAllMocks());

test('an object URL is revoked when its photo changes or leaves the screen', () => {
  const made: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${made.push(blob as Blob)}`);
  const revoked: string[] = [];
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void revoked.push(url));
  const [one, two] = [new ArrayBuffer(1), new ArrayBuffer(2)];
  const { result, rerender, unmount } = renderHook(({ bytes }) => usePhotoSrc(bytes, 'image/jpeg'), {
    initialProps: { bytes: one },
  });
  expect(result.current).toBe('blob:1');
  rerender({ bytes: one });
  expect(revoked).toEqual([]);
  rerender({ bytes: two });
  expect([result.current, revoked]).toEqual(['blob:2', ['blob:1']]);
  expect(made.map(({ size, type }) => [size, type])).toEqual([
    [1, 'image/jpeg'],
    [2, 'image/jpeg'],
  ]);
  unmount();
  expect(revoked).toEqual(['blob:1', 'blob:2']);
});
