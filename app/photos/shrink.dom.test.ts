import { expect, test } from 'vitest';
import { jpegOf } from '../../shared/testing/tiny-pictures.ts';
import { shrinkPhoto } from './shrink.ts';

const plain = jpegOf(80);
const picked = new File([plain.slice(0, 2), new Uint8Array([0xff, 0xe1, 0, 4, 7, 7]), plain.slice(2)], 'IMG_1.jpg', { type: 'image/jpeg' });

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
  expect(new Uint8Array(kept.bytes)).toEqual(plain);
});

test('a few bytes that unpack to gigabytes are not even drawn', async () => {
  const bomb = new File([jpegOf(999, { width: 65_500, height: 65_500 })], 'bomb.jpg', { type: 'image/jpeg' });
  let drawn = 0;
  const load = async () => {
    drawn += 1;
    return async () => new Blob();
  };
  await expect(shrinkPhoto(bomb, load)).rejects.toThrow('This photo has too many pixels. Choose a smaller one.');
  expect(drawn).toBe(0);
});
