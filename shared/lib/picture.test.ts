import fc from 'fast-check';
import { imageSize } from 'image-size';
import { describe, expect, test } from 'vitest';
import { jpegOf, png, webpOf } from '../testing/tiny-pictures.ts';
import { readPicture } from './picture.ts';

const join = (...parts: (Uint8Array | number[])[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const letters = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
const frame = (width: number, height: number) => [
  0xff,
  0xc0,
  0,
  11,
  8,
  height >> 8,
  height & 0xff,
  width >> 8,
  width & 0xff,
  1,
  1,
  0x11,
  0,
];
const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3];
const jpeg = (...parts: number[][]) => join([0xff, 0xd8], ...parts, [0xff, 0xd9]);

test.each([
  ['JPEG', jpegOf(500, { width: 640, height: 480 }), 'image/jpeg'],
  ['PNG', png, 'image/png'],
  ['WebP', webpOf(500, { width: 640, height: 480 }), 'image/webp'],
] as const)('a %s is read to its end, and its size is what another reader finds', (_what, bytes, type) => {
  const picture = readPicture(bytes);
  const { width, height } = imageSize(bytes);
  expect(picture).toMatchObject({ type, width, height, end: bytes.length });
  expect(picture?.pieces.map(({ from }) => from)).toEqual([
    0,
    ...(picture?.pieces ?? []).slice(0, -1).map(({ to }) => to),
  ]);
});

test('bytes after a picture, another picture too, do not belong to it', () => {
  for (const bytes of [jpegOf(500), png, webpOf(500)]) {
    const after = join(bytes, jpegOf(300, { width: 9_000, height: 9_000 }));
    expect(readPicture(after)).toMatchObject({ end: bytes.length, width: readPicture(bytes)?.width });
  }
});

describe('a small file that unpacks to a large picture is not taken for a small one:', () => {
  test('of two frame headers a decoder might use either', () => {
    expect(readPicture(jpeg(frame(65_500, 65_500), frame(8, 8), scan))).toBeUndefined();
    expect(readPicture(jpeg(frame(8, 8), scan, frame(65_500, 65_500), scan))).toBeUndefined();
  });

  test('a header in a comment or a preview is not the picture’s', () => {
    const preview = jpeg(frame(8, 8), scan);
    const comment = [0xff, 0xfe, 0, preview.length + 2, ...preview];
    expect(readPicture(jpeg(comment, frame(65_500, 65_500), scan))).toMatchObject({ width: 65_500, height: 65_500 });
  });

  test('a WebP’s canvas, frames and picture data count, whichever is largest', () => {
    const little = (value: number, bytes: number) =>
      Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 0xff);
    const chunk = (name: string, data: number[]) => [
      ...letters(name),
      ...little(data.length, 4),
      ...data,
      ...(data.length % 2 === 1 ? [0] : []),
    ];
    const riff = (...chunks: number[][]) =>
      join(letters('RIFF'), little(4 + chunks.flat().length, 4), letters('WEBP'), ...chunks);
    const canvas = chunk('VP8X', [0, 0, 0, 0, ...little(9, 3), ...little(9, 3)]);
    const lossless = chunk('VP8L', [0x2f, ...little((16_000 - 1) | ((15_000 - 1) << 14), 4)]);
    expect(readPicture(riff(canvas, lossless))).toMatchObject({ width: 16_000, height: 15_000 });
    const moving = chunk('ANMF', [
      ...little(0, 6),
      ...little(19_999, 3),
      ...little(9_999, 3),
      ...little(0, 4),
      ...lossless,
    ]);
    expect(readPicture(riff(canvas, moving))).toMatchObject({ width: 20_000, height: 15_000 });
    expect(readPicture(riff(canvas))).toBeUndefined();
  });

  test('a picture of a thousand passes is none', () => {
    expect(readPicture(jpeg(frame(8, 8), ...Array.from({ length: 100 }, () => scan)))).toBeDefined();
    expect(readPicture(jpeg(frame(8, 8), ...Array.from({ length: 101 }, () => scan)))).toBeUndefined();
  });
});

test.each([
  ['cut short', jpegOf(500).slice(0, 400)],
  ['without picture data', jpeg(frame(8, 8))],
  ['without a size', jpeg(scan)],
  ['with a size of nothing', jpeg(frame(0, 8), scan)],
  ['with bytes between its segments', jpeg(frame(8, 8), [0], scan)],
  ['with a segment that ends before it begins', jpeg([0xff, 0xe1, 0, 1], frame(8, 8), scan)],
  ['that begins with another', jpeg([0xff, 0xd8], frame(8, 8), scan)],
  ['of a PNG whose head is not first', join(png.slice(0, 8), png.slice(33))],
  ['of a PNG with two heads', join(png.slice(0, 33), png.slice(8))],
  ['of a PNG without an end', png.slice(0, -12)],
  ['of a WebP longer than the file', webpOf(500).slice(0, 498)],
  ['of another kind', Uint8Array.from(letters('GIF89a'))],
  ['of nothing', new Uint8Array()],
])('a picture %s is none', (_what, bytes) => {
  expect(readPicture(bytes)).toBeUndefined();
});

test('any bytes are a picture or none, never an error', () => {
  const begun = fc.constantFrom(jpegOf(60).slice(0, -2), png.slice(0, 33), webpOf(40), new Uint8Array());
  fc.assert(
    fc.property(begun, fc.uint8Array({ maxLength: 200 }), (head, rest) => {
      const bytes = join(head, rest);
      const picture = readPicture(bytes);
      return picture === undefined || (picture.end <= bytes.length && picture.pieces.at(-1)?.to === picture.end);
    }),
  );
});

/** Steps and not seconds: how often the walk looks at the file must grow with its length, whatever is in it. */
test.each([
  [
    'bytes that look like the beginning of markers',
    (size: number) => join(jpegOf(60).slice(0, -2), new Uint8Array(size).fill(0xff)),
  ],
  [
    'stuffed bytes',
    (size: number) =>
      join(
        jpegOf(60).slice(0, -2),
        Uint8Array.from({ length: size }, (_, at) => (at % 2 === 0 ? 0xff : 0)),
      ),
  ],
  [
    'the shortest segments there are',
    (size: number) =>
      join(
        [0xff, 0xd8],
        Array.from({ length: size }, (_, at) => [0xff, 0xfe, 0, 2][at % 4]!),
      ),
  ],
  ['the shortest chunks there are', (size: number) => join(png.slice(0, 33), new Uint8Array(size))],
])('%s cost no more than their length', (_what, of) => {
  const looks = (bytes: Uint8Array) => {
    let count = 0;
    const { getUint8, getUint16, getUint32 } = DataView.prototype;
    const counted = <Look extends (...given: never[]) => number>(look: Look) =>
      function counting(this: DataView, ...given: Parameters<Look>) {
        count += 1;
        return look.apply(this, given);
      };
    Object.assign(DataView.prototype, {
      getUint8: counted(getUint8),
      getUint16: counted(getUint16),
      getUint32: counted(getUint32),
    });
    try {
      readPicture(bytes);
    } finally {
      Object.assign(DataView.prototype, { getUint8, getUint16, getUint32 });
    }
    return count;
  };
  expect(looks(of(80_000))).toBeLessThan(80_000 * 4);
  expect(looks(of(80_000))).toBeLessThanOrEqual(2.1 * looks(of(40_000)) + 100);
});
