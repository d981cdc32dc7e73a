import { crc32, deflateSync } from 'node:zlib';

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Bits a sample, colour type 2 (red, green, blue), then deflate, the standard filters, no interlacing. */
const header = Uint8Array.of(8, 2, 0, 0, 0);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Filters of the PNG specification that pay off on flat drawings: each byte as it is, less its left neighbour, or less the one above. */
function filterRow(row: Uint8Array, above: Uint8Array | undefined): Uint8Array {
  const tries = [
    row,
    row.map((value, at) => value - (row[at - 3] ?? 0)),
    row.map((value, at) => value - (above?.[at] ?? 0)),
  ];
  // Small differences squeeze best: the usual guess at which filter to take (PNG specification, section 12.8).
  const costs = tries.map((bytes) => bytes.reduce((sum, value) => sum + Math.min(value, 256 - value), 0));
  const best = costs.indexOf(Math.min(...costs));
  return Buffer.concat([Uint8Array.of(best), tries[best]!]);
}

/** Pixels of three bytes each, rows from the top, as a PNG file. The same pixels always give the same bytes. */
export function encodePng(width: number, height: number, pixels: Uint8Array): Buffer {
  const rows = Array.from({ length: height }, (_, y) => pixels.subarray(y * width * 3, (y + 1) * width * 3));
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([
    signature,
    chunk('IHDR', Buffer.concat([size, header])),
    chunk('IDAT', deflateSync(Buffer.concat(rows.map((row, y) => filterRow(row, rows[y - 1]))), { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ]);
}
