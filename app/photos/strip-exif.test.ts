import { expect, test } from 'vitest';
import { stripExif } from './strip-exif.ts';

const segment = (marker: number, text: string) => [0xff, marker, 0, text.length + 2, ...new TextEncoder().encode(text)];
const file = (...parts: number[][]) => new Uint8Array(parts.flat());
/** As bytes, because any two ArrayBuffers are equal to `toEqual`. */
const stripped = (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(stripExif(bytes.buffer));
const start = [0xff, 0xd8];
const frame = segment(0xc0, '\u0008\u0000\u0008\u0000\u0008\u0001');
const picture = [...frame, ...segment(0xda, 'scan'), 1, 2, 0xff, 0, 0xff, 0xd0, 3, 0xff, 0xd9];

test('takes the place and the maker’s notes out of a JPEG and leaves the picture alone [§offline]', () => {
  const shot = file(
    start,
    segment(0xe0, 'JFIF'),
    segment(0xe1, 'Exif GPS -41.2'),
    segment(0xdb, 'table'),
    segment(0xed, 'notes'),
    segment(0xef, 'more'),
    segment(0xfe, 'Mere'),
    segment(0xf0, 'JPG0'),
    picture,
  );
  expect(stripped(shot)).toEqual(
    file(start, segment(0xe0, 'JFIF'), segment(0xdb, 'table'), segment(0xf0, 'JPG0'), picture),
  );
});

test('removes a second picture at the end, with a place of its own, and what is between two scans', () => {
  const second = [...start, ...segment(0xe1, 'Exif GPS -45.9'), ...picture];
  const shot = file(start, segment(0xe2, 'MPF'), picture, second);
  expect(stripped(shot)).toEqual(file(start, picture));
  const scans = (...between: number[][]) =>
    file(start, frame, segment(0xda, 'scan'), [1, 2], ...between, segment(0xda, 'scan'), [3, 0xff, 0xd9]);
  expect(stripped(scans(segment(0xe1, 'Exif GPS -45.9')))).toEqual(scans());
});

const text = (letters: string) => [...new TextEncoder().encode(letters)];
const number = (value: number) => [0, 0, 0, value];

test('takes the same and written words out of a PNG', () => {
  const signature = [0x89, ...text('PNG\r\n'), 0x1a, 0x0a];
  const chunk = (name: string, data: string) => [...number(data.length), ...text(name), ...text(data), 1, 2, 3, 4];
  const [head, pixels, end] = [
    chunk('IHDR', '\0\0\0\u0008\0\0\0\u0008.....'),
    chunk('IDAT', 'pixels'),
    chunk('IEND', ''),
  ];
  const shot = file(
    signature,
    head,
    chunk('eXIf', 'GPS -41.2'),
    chunk('iTXt', 'XMP'),
    pixels,
    chunk('tEXt', 'Mere'),
    end,
    text('GPS -41.2'),
  );
  expect(stripped(shot)).toEqual(file(signature, head, pixels, end));
});

test('takes the same out of a WebP, and clears its header flags', () => {
  const little = (value: number) => number(value).toReversed();
  const chunk = (name: string, data: number[]) => [
    ...text(name),
    ...little(data.length),
    ...data,
    ...(data.length % 2 === 1 ? [0] : []),
  ];
  const riff = (...chunks: number[][]) => file(text('RIFF'), little(4 + chunks.flat().length), text('WEBP'), ...chunks);
  const pixels = chunk('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 8, 0, 8, 0, 7]);
  const shot = riff(
    chunk('VP8X', [0b0010_1110, 0, 0, 0, 7, 0, 0, 7, 0, 0]),
    pixels,
    chunk('EXIF', text('GPS -41.2')),
    chunk('XMP ', text('XMP')),
  );
  expect(stripped(shot)).toEqual(riff(chunk('VP8X', [0b0010_0010, 0, 0, 0, 7, 0, 0, 7, 0, 0]), pixels));
  // A file without a VP8X header, or with an empty one, is left as it is, and so is the picture after it.
  for (const plain of [riff(pixels), riff(chunk('VP8X', []), pixels)]) expect(stripped(plain)).toEqual(plain);
});

test('leaves other files, and pictures cut short, as they are', () => {
  const gif = file(text('GIF89a'), segment(0xe1, 'x'));
  expect(stripped(gif)).toEqual(gif);
  const cut = file(start, [0xff, 0xe1, 0x40, 0x00, 1, 2]);
  expect(stripped(cut)).toEqual(cut);
  const png = file([0x89], text('PNG\r\n'), [0x1a, 0x0a], [0, 0, 1, 0], text('eXIf'), text('GPS'), number(0));
  expect(stripped(png)).toEqual(png);
});
