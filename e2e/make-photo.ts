import { deflateSync, crc32 } from 'node:zlib';
import { seededRandom } from '../shared/testing/random-source.ts';

/** A PNG of one colour, large enough that the app has something to make smaller. */
export function makePhoto(name: string, [red, green, blue]: [number, number, number]) {
  const [width, height] = [1_200, 900];
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([red, green, blue]))]);
  return pngOf(name, { width, height, colourType: 2 }, Buffer.concat(Array.from({ length: height }, () => row)));
}

/** A photo as an iPhone keeps it: HEIC, whose head is whole and which no engine but Safari's reads. */
export function makeHeic(name: string) {
  const box = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(8 + data.length);
    return Buffer.concat([length, Buffer.from(type), data]);
  };
  const handler = box('hdlr', Buffer.concat([Buffer.alloc(8), Buffer.from('pict'), Buffer.alloc(13)]));
  const buffer = Buffer.concat([
    box('ftyp', Buffer.from('heic\0\0\0\0mif1heic')),
    box('meta', Buffer.concat([Buffer.alloc(4), handler])),
    box('mdat', Buffer.alloc(64_000, 7)),
  ]);
  return { name, mimeType: 'image/heic', buffer };
}

/** A PNG as a camera would fill it, of 7 MB and more: gradients and noise. Its upper left quarter is translucent. */
export function makeNoisyPhoto(name: string, { isTransparent }: { isTransparent: boolean }) {
  const [width, height] = [2_000, 1_500];
  const { next } = seededRandom(7);
  const pixels = Buffer.alloc(height * (1 + width * 4));
  for (let y = 0, at = 0; y < height; y += 1) {
    pixels[at++] = 0;
    for (let x = 0; x < width; x += 1) {
      const noise = next() * 64;
      pixels[at++] = (x / width) * 190 + noise;
      pixels[at++] = (y / height) * 190 + next() * 64;
      pixels[at++] = 100 + noise;
      pixels[at++] = isTransparent && x < width / 2 && y < height / 2 ? 0 : 255;
    }
  }
  return pngOf(name, { width, height, colourType: 6 }, pixels);
}

/** `colourType`: 2 for RGB, 6 for RGBA, of 8 bits each; `rows`: each behind the byte 0, for "not filtered". */
function pngOf(
  name: string,
  { width, height, colourType }: { width: number; height: number; colourType: 2 | 6 },
  rows: Buffer,
) {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colourType, 0, 0, 0], 8);
  const pixels = deflateSync(rows, { level: 1 });
  const buffer = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { name, mimeType: 'image/png', buffer };
}
