import { expect, test } from 'vitest';
import { shrinkPhoto } from './shrink.ts';

const picked = new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe1, 0, 4, 7, 7, 0xff, 0xd9])], 'IMG_1.jpg', { type: 'image/jpeg' });

test('asks for 1 MB, 1920 px, no EXIF, and no worker from a foreign host', async () => {
  const asked: unknown[] = [];
  const shrunk = await shrinkPhoto(picked, async () => async (file, options) => {
    asked.push(file, options);
    return new Blob(['small'], { type: 'image/jpeg' });
  });
  expect(asked).toEqual([picked, { maxSizeMB: 1, maxWidthOrHeight: 1920, useWebWorker: false, preserveExif: false }]);
  expect(shrunk).toMatchObject({ type: 'image/jpeg', name: 'IMG_1.jpg', isOriginal: false });
  expect(new TextDecoder().decode(shrunk.bytes)).toBe('small');
});

test.each([
  ['the photo cannot be drawn', async () => async () => Promise.reject(new Error('The file given is not an image'))],
  ['the compressor does not load', async () => Promise.reject(new Error('no signal'))],
])('takes the original, without its EXIF, when %s', async (_what, load) => {
  const kept = await shrinkPhoto(picked, load);
  expect(kept).toMatchObject({ type: 'image/jpeg', isOriginal: true });
  expect([...new Uint8Array(kept.bytes)]).toEqual([0xff, 0xd8, 0xff, 0xd9]);
});
