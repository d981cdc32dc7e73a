/** A whole PNG of one pixel. */
export const png = Uint8Array.from(
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
);

interface Size {
  width: number;
  height: number;
}

const small: Size = { width: 64, height: 48 };

/** A JPEG as far as its header goes, and so many bytes in all. */
export function jpegOf(size: number, { width, height }: Size = small): Uint8Array<ArrayBuffer> {
  const frame = [0xff, 0xc0, 0, 17, 8, height >> 8, height & 0xff, width >> 8, width & 0xff, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1];
  const bytes = new Uint8Array(size).fill(0x5a);
  bytes.set([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0, ...frame].slice(0, size));
  return bytes;
}

/** A lossy WebP as far as its header goes. */
export function webpOf(size: number, { width, height }: Size = small): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  bytes.set(Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'));
  bytes.set([0x9d, 0x01, 0x2a, width & 0xff, width >> 8, height & 0xff, height >> 8], 23);
  return bytes;
}
