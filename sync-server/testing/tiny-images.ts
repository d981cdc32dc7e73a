/** A whole PNG of one pixel. */
export const png = Uint8Array.from(
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
);

/** Begins as a JPEG does, and goes on for so many bytes. */
export function jpegOf(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size).fill(0x5a);
  bytes.set([0xff, 0xd8, 0xff, 0xe0]);
  return bytes;
}

/** Begins as a WebP does. */
export function webpOf(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  bytes.set(Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'));
  return bytes;
}
