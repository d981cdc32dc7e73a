import { expect } from '@playwright/test';
import type { Tab } from './engines/tab.ts';

/** Runs in the page: a JPEG of 40 by 30 as a camera's sensor gives it, its left half red, as numbers. */
async function lying(): Promise<number[]> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [40, 30];
  const pencil = canvas.getContext('2d')!;
  pencil.fillStyle = 'red';
  pencil.fillRect(0, 0, 20, 30);
  pencil.fillStyle = 'blue';
  pencil.fillRect(20, 0, 20, 30);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 1));
  return [...new Uint8Array(await blob!.arrayBuffer())];
}

/**
 * EXIF 2.3, tag 0x0112: 6 says that the picture must be turned a quarter to the right, as of a phone that is held
 * upright.
 */
const turnRight = Buffer.from(
  // Its length, its name, little-endian; one entry: the tag, a short, one of it, 6; and no further directory.
  'ffe1 0022 457869660000 49492a0008000000 0100 1201 0300 01000000 06000000 00000000'.replaceAll(' ', ''),
  'hex',
);

/** A photo whose top is red and whose foot is blue, and which says so by its EXIF alone. */
export async function uprightPhoto(page: Tab): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const picture = Buffer.from(await page.evaluate(lying));
  return {
    name: 'upright.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([picture.subarray(0, 2), turnRight, picture.subarray(2)]),
  };
}

/** Runs in the page: the colour of the shown photo's top and foot, and whether it stands. */
async function shown(): Promise<string> {
  const image = document.querySelector<HTMLImageElement>('fieldset img');
  if (image === null) return 'no photo';
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const pencil = canvas.getContext('2d')!;
  pencil.drawImage(image, 0, 0);
  const at = (y: number) => {
    const [red = 0, , blue = 0] = pencil.getImageData(canvas.width / 2, y, 1, 1).data;
    return red > blue ? 'red' : 'blue';
  };
  return `${canvas.width} by ${canvas.height}, ${at(2)} above ${at(canvas.height - 3)}`;
}

/** Picks it in the form that posts a job; it must be shown as it was taken. */
export async function expectUpright(page: Tab): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Post a Job' }).waitFor();
  await page.getByLabel('Title').fill('Stands upright');
  await page.locator('input[type=file]:not([capture])').setInputFiles([await uprightPhoto(page)]);
  await page.getByText(/^1 photo added/).waitFor();
  await expect.poll(() => page.evaluate(shown)).toBe('30 by 40, red above blue');
}
