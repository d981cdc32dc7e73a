import { expect, test } from 'vitest';
import { jpegOf } from '../../shared/testing/tiny-pictures.ts';
import type { DrawPicture } from './draw-picture.ts';
import { shrinkLogo, shrinkPhoto } from './shrink.ts';

/* The canvas is a double here, which answers with as many bytes as the test says; e2e/photos.spec.ts has a browser's own. */

const plain = jpegOf(80);
const picked = new File([plain.slice(0, 2), new Uint8Array([0xff, 0xe1, 0, 4, 7, 7]), plain.slice(2)], 'IMG_1.jpg', { type: 'image/jpeg' });
const drawing = new File([new Uint8Array([1, 2, 3])], 'logo.png', { type: 'image/png' });

type Wanted = Parameters<Awaited<ReturnType<DrawPicture>>['encode']>[0];

function canvasOf([width, height]: [number, number], bytesOf: (wanted: Wanted) => number, engine = ['image/jpeg', 'image/png', 'image/webp']) {
  const asked: string[] = [];
  let open = 0;
  const draw: DrawPicture = async () => {
    open += 1;
    return {
      width,
      height,
      encode: async (wanted) => {
        asked.push(`${wanted.type.slice(6)} ${wanted.width}x${wanted.height}`);
        return new Blob([new Uint8Array(bytesOf(wanted))], { type: engine.includes(wanted.type) ? wanted.type : 'image/png' });
      },
      close: () => void (open -= 1),
    };
  };
  return { asked, draw, isOpen: () => open > 0 };
}

test('draws a photo anew as a JPEG of 1920 px at most, and no larger than it was', async () => {
  const large = canvasOf([4_000, 3_000], () => 500);
  expect(await shrinkPhoto(picked, large.draw)).toMatchObject({ type: 'image/jpeg', name: 'IMG_1.jpg', isOriginal: false });
  expect(large.asked).toEqual(['jpeg 1920x1440']);
  expect(large.isOpen()).toBe(false);
  const small = canvasOf([300, 600], () => 500);
  await shrinkPhoto(drawing, small.draw);
  expect(small.asked).toEqual(['jpeg 300x600']);
});

test('goes on to a lower quality, then to a smaller size, until it is 1 MB at most', async () => {
  const { asked, draw } = canvasOf([2_000, 1_000], ({ width, height, quality }) => width * height * quality);
  const { bytes } = await shrinkPhoto(picked, draw);
  expect(asked).toEqual(['jpeg 1920x960', 'jpeg 1920x960', 'jpeg 1920x960', 'jpeg 1728x864', 'jpeg 1728x864', 'jpeg 1728x864']);
  expect(bytes.byteLength).toBeLessThanOrEqual(1_000_000);
});

test('a logo becomes WebP, and a PNG, smaller if need be, where the engine writes no WebP', async () => {
  const bytesOf = ({ width, height }: Wanted) => Math.floor(width * height * 0.3);
  const chromium = canvasOf([1_920, 1_440], bytesOf);
  expect(await shrinkLogo(drawing, chromium.draw)).toMatchObject({ type: 'image/webp', isOriginal: false });
  expect(chromium.asked).toEqual(['webp 1920x1440']);
  const safari = canvasOf([1_920, 1_440], ({ width, height }) => width * height * 3, ['image/jpeg', 'image/png']);
  const kept = await shrinkLogo(drawing, safari.draw);
  expect(kept).toMatchObject({ type: 'image/png', isOriginal: false });
  expect(kept.bytes.byteLength).toBeLessThanOrEqual(1_000_000);
  // One size after the other, and none twice.
  expect(safari.asked).toEqual([...new Set(safari.asked)]);
});

test('a logo that is a JPEG has nothing to be seen through, and stays one', async () => {
  const { asked, draw } = canvasOf([400, 400], () => 500);
  await shrinkLogo(picked, draw);
  expect(asked).toEqual(['jpeg 400x400']);
});

test.each([
  ['the photo cannot be drawn', async () => Promise.reject(new Error('The file given is not an image'))],
  ['the engine encodes none of it', canvasOf([300, 300], () => 5, []).draw],
  ['no size of it is small enough', canvasOf([300, 300], () => 2_000_000).draw],
  ['there is no canvas here', undefined],
] as const)('takes the original, without its EXIF, when %s', async (_what, draw) => {
  const kept = await shrinkPhoto(picked, draw as DrawPicture | undefined);
  expect(kept).toMatchObject({ type: 'image/jpeg', isOriginal: true });
  expect(new Uint8Array(kept.bytes)).toEqual(plain);
});

test('a few bytes that unpack to gigabytes are not even drawn', async () => {
  const bomb = new File([jpegOf(999, { width: 65_500, height: 65_500 })], 'bomb.jpg', { type: 'image/jpeg' });
  const { asked, draw, isOpen } = canvasOf([1, 1], () => 1);
  await expect(shrinkPhoto(bomb, draw)).rejects.toThrow('This photo has too many pixels. Choose a smaller one.');
  expect([asked, isOpen()]).toEqual([[], false]);
});
