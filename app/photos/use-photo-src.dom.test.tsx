import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { usePhotoSrc } from './use-photo-src.ts';

afterEach(() => vi.restoreAllMocks());

test('an object URL is revoked when its photo changes or leaves the screen', () => {
  let made = 0;
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => `blob:${(made += 1)}`);
  const revoked: string[] = [];
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void revoked.push(url));
  const [one, two] = [new ArrayBuffer(1), new ArrayBuffer(2)];
  const { result, rerender, unmount } = renderHook(({ bytes }) => usePhotoSrc(bytes, 'image/jpeg'), { initialProps: { bytes: one } });
  expect(result.current).toBe('blob:1');
  rerender({ bytes: one });
  expect(revoked).toEqual([]);
  rerender({ bytes: two });
  expect([result.current, revoked]).toEqual(['blob:2', ['blob:1']]);
  unmount();
  expect(revoked).toEqual(['blob:1', 'blob:2']);
});
