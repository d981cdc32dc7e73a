import { expect, test } from 'vitest';
import { stripExif } from './strip-exif.ts';

const segment = (marker: number, text: string) => [0xff, marker, 0, text.length + 2, ...new TextEncoder().encode(text)];
const file = (...parts: number[][]) => new Uint8Array(parts.flat()).buffer;
const start = [0xff, 0xd8];
const picture = [...segment(0xda, 'scan'), 1, 2, 0xff, 0xe1, 3, 0xff, 0xd9];

test('takes the place and the maker’s notes out of a JPEG and leaves the picture alone', () => {
  const shot = file(start, segment(0xe0, 'JFIF'), segment(0xe1, 'Exif GPS -41.2'), segment(0xdb, 'table'), segment(0xed, 'notes'), picture);
  expect(stripExif(shot)).toEqual(file(start, segment(0xe0, 'JFIF'), segment(0xdb, 'table'), picture));
});

test('leaves other files, and JPEGs cut short, as they are', () => {
  const png = file([0x89, 0x50, 0x4e, 0x47], segment(0xe1, 'x'));
  expect(stripExif(png)).toEqual(png);
  const cut = file(start, [0xff, 0xe1, 0x40, 0x00, 1, 2]);
  expect(stripExif(cut)).toEqual(cut);
});
