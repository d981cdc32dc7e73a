/**
 * Draws the PNG icons in public/: `node scripts/draw-icons.ts`. The mark is rectangles only, so a PNG encoder
 * of forty lines does what a browser or an image library would otherwise be needed for.
 */
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [number, number, number];
type Box = { readonly x: number; readonly y: number; readonly w: number; readonly h: number; readonly colour: Colour };

const green: Colour = [0x12, 0x20, 0x19];
const lichen: Colour = [0xee, 0xf4, 0xee];
const orange: Colour = [0xff, 0x8a, 0x1f];

/** The mark on a 64 grid, as in favicon.svg; `inset` draws it smaller for masks that cut the edges. */
function markBoxes(inset: number): Box[] {
  const scale = (64 - 2 * inset) / 64;
  const at = (x: number) => inset + x * scale;
  const wide = (w: number) => w * scale;
  return [
    { x: at(14), y: 0, w: wide(11), h: 64, colour: lichen },
    { x: at(39), y: 0, w: wide(11), h: 64, colour: lichen },
    { x: at(25), y: at(31), w: wide(14), h: wide(13), colour: orange },
  ];
}

/** How much of the pixel at `at` is between `from` and `from + length`: edges are smoothed exactly. */
const covered = (at: number, from: number, length: number) =>
  Math.max(0, Math.min(at + 1, from + length) - Math.max(at, from));

function draw(size: number, inset: number): Buffer {
  const unit = size / 64;
  const rows = Buffer.alloc(size * (1 + size * 3));
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      let pixel: number[] = [...green];
      for (const box of markBoxes(inset)) {
        const share = covered(x, box.x * unit, box.w * unit) * covered(y, box.y * unit, box.h * unit);
        pixel = pixel.map((part, index) => part + ((box.colour[index] ?? 0) - part) * share);
      }
      rows.set(pixel.map(Math.round), y * (1 + size * 3) + 1 + x * 3);
    }
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function png(size: number, inset: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(draw(size, inset), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const icons = [
  { name: 'icon-192', size: 192, inset: 0 },
  { name: 'icon-512', size: 512, inset: 0 },
  { name: 'maskable-512', size: 512, inset: 9 },
  { name: 'apple-touch-icon', size: 180, inset: 4 },
];
for (const { name, size, inset } of icons)
  writeFileSync(new URL(`../public/${name}.png`, import.meta.url), png(size, inset));
