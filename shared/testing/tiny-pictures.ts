/** Pictures as small as can be, and as large as a test wants them, valid for a strict decoder. */

interface Size {
  width: number;
  height: number;
}

const letters = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
const small: Size = { width: 64, height: 48 };

const pngHex =
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da6364f8cf500f000386' +
  '01805a347d6b0000000049454e44ae426082';
/** A whole PNG of one pixel. */
export const png = Uint8Array.from(pngHex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

/** A JPEG of so many bytes in all; its picture data is nonsense. Of fewer than 55 bytes its beginning alone. */
export function jpegOf(size: number, { width, height }: Size = small): Uint8Array<ArrayBuffer> {
  const frame = [
    0xff,
    0xc0,
    0,
    17,
    8,
    height >> 8,
    height & 0xff,
    width >> 8,
    width & 0xff,
    3,
    1,
    0x22,
    0,
    2,
    0x11,
    1,
    3,
    0x11,
    1,
  ];
  const scan = [0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0];
  const head = [0xff, 0xd8, 0xff, 0xe0, 0, 16, ...letters('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0, ...frame, ...scan];
  const bytes = new Uint8Array(size).fill(0x5a);
  bytes.set(head.slice(0, size));
  if (size >= head.length + 2) bytes.set([0xff, 0xd9], size - 2);
  return bytes;
}

/** A lossy WebP of so many bytes, an even number; its picture data is nonsense. */
export function webpOf(size: number, { width, height }: Size = small): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  bytes.set(letters('RIFF\0\0\0\0WEBPVP8 '));
  const view = new DataView(bytes.buffer);
  view.setUint32(4, size - 8, true);
  view.setUint32(16, size - 20, true);
  bytes.set([0x9d, 0x01, 0x2a, width & 0xff, width >> 8, height & 0xff, height >> 8], 23);
  return bytes;
}
