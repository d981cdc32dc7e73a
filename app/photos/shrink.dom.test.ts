import { expect, test } from 'vitest';
import { jpegOf } from '../../shared/testing/tiny-pictures.ts';
import { shrinkLogo, shrinkPhoto } from './shrink.ts';

/*
 * Drawing is a double here, because there is no canvas; e2e/photos.spec.ts and e2e/small-phone.spec.ts draw in a
 * browser.
 */

const plain = jpegOf(80);
const picked = new File([plain.slice(0, 2), new Uint8Array([0xff, 0xe1, 0, 4, 7, 7]), plain.slice(2)], 'IMG_1.jpg', {
  type: 'image/jpeg',
});
const drawing = new File([new Uint8Array([1, 2, 3])], 'logo.png', { type: 'image/png' });

const limits = { maxBytes: 1_000_000, maxSide: 1_920 };

type Draw = NonNullable<Parameters<typeof shrinkPhoto>[1]>;

/** Answers in the requested type, or in PNG where the engine cannot encode that. */
function drawerOf(writes: readonly string[] = ['image/jpeg', 'image/webp']): { asked: object[]; draw: Draw } {
  const asked: object[] = [];
  const draw: Draw = async (_file, drawing) => {
    asked.push(drawing);
    return new Blob(['small'], { type: writes.includes(drawing.type) ? drawing.type : 'image/png' });
  };
  return { asked, draw };
}

const cannotDraw: Draw = async () => Promise.reject(new Error('not decoded'));

test('a photo, also a PNG, becomes a JPEG of 1 MB and 1920 px, without EXIF [§5, §9, §offline]', async () => {
  const { asked, draw } = drawerOf();
  const kept = await shrinkPhoto(picked, draw);
  expect(kept).toMatchObject({ type: 'image/jpeg', name: 'IMG_1.jpg', isOriginal: false });
  expect(new TextDecoder().decode(kept.bytes)).toBe('small');
  expect(await shrinkPhoto(drawing, draw)).toMatchObject({ type: 'image/jpeg', name: 'logo.png' });
  expect(asked).toEqual([0, 1].map(() => ({ ...limits, type: 'image/jpeg' })));
});

test('a logo stays transparent', async () => {
  const { asked, draw } = drawerOf();
  expect(await shrinkLogo(drawing, draw)).toMatchObject({ type: 'image/webp', isOriginal: false });
  expect(await shrinkLogo(picked, draw)).toMatchObject({ type: 'image/jpeg' });
  expect(await shrinkLogo(drawing, drawerOf(['image/jpeg']).draw)).toMatchObject({
    type: 'image/png',
    isOriginal: false,
  });
  expect(asked).toEqual(['image/webp', 'image/jpeg'].map((type) => ({ ...limits, type })));
});

test('takes the original, without its EXIF, when the photo cannot be drawn [§5, §8]', async () => {
  const kept = await shrinkPhoto(picked, cannotDraw);
  expect(kept).toMatchObject({ type: 'image/jpeg', isOriginal: true });
  expect(new Uint8Array(kept.bytes)).toEqual(plain);
});

test('an original that storage would reject for its size is refused when it is picked', async () => {
  const large = jpegOf(80);
  const bytes = new Uint8Array(5 * 1024 * 1024 + 1);
  bytes.set(large);
  await expect(shrinkPhoto(new File([bytes], 'IMG_2.jpg', { type: 'image/jpeg' }), cannotDraw)).rejects.toThrow(
    'can’t read this photo',
  );
});

test('an original goes under the type that it is of, whatever its name says', async () => {
  const named = new File([plain], 'IMG_3', { type: '' });
  expect(await shrinkPhoto(named, cannotDraw)).toMatchObject({ type: 'image/jpeg', isOriginal: true });
});

test('a few bytes that unpack to gigabytes are not even drawn', async () => {
  const bomb = new File([jpegOf(999, { width: 65_500, height: 65_500 })], 'bomb.jpg', { type: 'image/jpeg' });
  const { asked, draw } = drawerOf();
  await expect(shrinkPhoto(bomb, draw)).rejects.toThrow('This photo has too many pixels. Choose a smaller one.');
  expect(asked).toEqual([]);
  const largest = new File([jpegOf(999, { width: 12_000, height: 10_000 })], 'large.jpg', { type: 'image/jpeg' });
  expect(await shrinkPhoto(largest, draw)).toMatchObject({ isOriginal: false });
});

test('an iPhone’s HEIC, in a browser that cannot draw it, is refused when it is picked, and not by the server after it was called saved', async () => {
  const heic = new File([new Uint8Array([0, 0, 0, 24]), 'ftypheic', new Uint8Array(64)], 'IMG_2041.HEIC', {
    type: 'image/heic',
  });
  await expect(shrinkPhoto(heic, cannotDraw)).rejects.toThrow('This browser can’t read this photo.');
  // Safari draws it.
  expect(await shrinkPhoto(heic, drawerOf().draw)).toMatchObject({ type: 'image/jpeg', isOriginal: false });
});
