import { expect, test } from 'vitest';
import { jpegOf } from '../../shared/testing/tiny-pictures.ts';
import { shrinkLogo, shrinkPhoto } from './shrink.ts';

/* The library is a fake here, because there is no canvas; e2e/photos.spec.ts runs it in a browser. */

const plain = jpegOf(80);
const picked = new File([plain.slice(0, 2), new Uint8Array([0xff, 0xe1, 0, 4, 7, 7]), plain.slice(2)], 'IMG_1.jpg', {
  type: 'image/jpeg',
});
const drawing = new File([new Uint8Array([1, 2, 3])], 'logo.png', { type: 'image/png' });

type Load = NonNullable<Parameters<typeof shrinkPhoto>[1]>;

/** Answers in the requested type, or in PNG where the engine cannot encode that. */
function libraryOf(writes: readonly string[] = ['image/jpeg', 'image/webp']): { asked: object[]; load: Load } {
  const asked: object[] = [];
  const load: Load = async () => async (_file, options) => {
    asked.push(options);
    return new Blob(['small'], { type: writes.includes(options.fileType) ? options.fileType : 'image/png' });
  };
  return { asked, load };
}

const always = {
  maxSizeMB: 0.95,
  maxWidthOrHeight: 1920,
  initialQuality: 0.85,
  useWebWorker: false,
  preserveExif: false,
};

test('a photo, also a PNG, becomes a JPEG of 1 MB and 1920 px, without EXIF, and by no worker from a foreign host [§5, §9, §offline]', async () => {
  const { asked, load } = libraryOf();
  const kept = await shrinkPhoto(picked, load);
  expect(kept).toMatchObject({ type: 'image/jpeg', name: 'IMG_1.jpg', isOriginal: false });
  expect(new TextDecoder().decode(kept.bytes)).toBe('small');
  expect(await shrinkPhoto(drawing, load)).toMatchObject({ type: 'image/jpeg', name: 'logo.png' });
  expect(asked).toEqual([0, 1].map(() => ({ ...always, fileType: 'image/jpeg', alwaysKeepResolution: true })));
});

test('a logo stays transparent, and is never written by the encoder that holds the page', async () => {
  const { asked, load } = libraryOf();
  expect(await shrinkLogo(drawing, load)).toMatchObject({ type: 'image/webp', isOriginal: false });
  expect(await shrinkLogo(picked, load)).toMatchObject({ type: 'image/jpeg' });
  expect(await shrinkLogo(drawing, libraryOf(['image/jpeg']).load)).toMatchObject({
    type: 'image/png',
    isOriginal: false,
  });
  expect(asked).toEqual(
    ['image/webp', 'image/jpeg'].map((fileType) => ({ ...always, fileType, alwaysKeepResolution: false })),
  );
});

test.each([
  ['the photo cannot be drawn', async () => async () => Promise.reject(new Error('The file given is not an image'))],
  ['the compressor does not load', async () => Promise.reject(new Error('no signal'))],
])('takes the original, without its EXIF, when %s [§5, §8]', async (_what, load) => {
  const kept = await shrinkPhoto(picked, load);
  expect(kept).toMatchObject({ type: 'image/jpeg', isOriginal: true });
  expect(new Uint8Array(kept.bytes)).toEqual(plain);
});

test('a few bytes that unpack to gigabytes are not even drawn', async () => {
  const bomb = new File([jpegOf(999, { width: 65_500, height: 65_500 })], 'bomb.jpg', { type: 'image/jpeg' });
  const { asked, load } = libraryOf();
  await expect(shrinkPhoto(bomb, load)).rejects.toThrow('This photo has too many pixels. Choose a smaller one.');
  expect(asked).toEqual([]);
  const largest = new File([jpegOf(999, { width: 12_000, height: 10_000 })], 'large.jpg', { type: 'image/jpeg' });
  expect(await shrinkPhoto(largest, load)).toMatchObject({ isOriginal: false });
});

test('an iPhone’s HEIC, in a browser that cannot draw it, is refused when it is picked, and not by the server after it was called saved', async () => {
  const heic = new File([new Uint8Array([0, 0, 0, 24]), 'ftypheic', new Uint8Array(64)], 'IMG_2041.HEIC', {
    type: 'image/heic',
  });
  const cannotDraw: Load = async () => async () => Promise.reject(new Error('not decoded'));
  await expect(shrinkPhoto(heic, cannotDraw)).rejects.toThrow('This browser can’t read this photo.');
  // Safari draws it.
  expect(await shrinkPhoto(heic, libraryOf().load)).toMatchObject({ type: 'image/jpeg', isOriginal: false });
});
