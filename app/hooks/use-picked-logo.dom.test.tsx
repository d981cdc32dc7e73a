import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { jpegOf } from '../../shared/testing/tiny-pictures.ts';
import { usePickedLogo } from './use-picked-logo.ts';

test.each([
  [
    'an iPhone’s HEIC, which this browser cannot read',
    new File([new Uint8Array([0, 0, 0, 24]), 'ftypheic', new Uint8Array(64)], 'IMG_2041.HEIC', { type: 'image/heic' }),
    'This browser can’t read this photo. Choose a JPEG or PNG, or take it again.',
  ],
  [
    'one that unpacks to gigabytes',
    new File([jpegOf(999, { width: 65_500, height: 65_500 })], 'poster.jpg', { type: 'image/jpeg' }),
    'This photo has too many pixels. Choose a smaller one.',
  ],
])('a logo that is %s is refused with what to choose instead, and the one before stays', async (_what, file, words) => {
  const { result } = renderHook(() => usePickedLogo());
  const before = { bytes: jpegOf(80).buffer, type: 'image/jpeg', name: 'logo.jpg' };
  act(() => result.current.put(before));
  await act(async () => void (await result.current.pick(file)));
  expect(result.current.error).toBe(words);
  expect(result.current.logo).toBe(before);
});
