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

/**
 * The rows under the filters of the PNG specification that pay off on flat drawings, each row under the best of the three:
 * every byte as it is, less its left neighbour, or less the one above.
 */
function filterRows(width: number, height: number, pixels: Uint8Array): Buffer {
  const long = width * 3;
  const filtered = Buffer.alloc(height * (long + 1));
  const tries = [0, 1, 2].map(() => new Uint8Array(long));
  for (let y = 0; y < height; y += 1) {
    const costs = tries.map((bytes, filter) => {
      let cost = 0;
      for (let x = 0, at = y * long; x < long; x += 1, at += 1) {
        const beside =
          filter === 1 ? (x < 3 ? 0 : pixels[at - 3]!) : filter === 2 ? (y === 0 ? 0 : pixels[at - long]!) : 0;
        const value = (pixels[at]! - beside) & 255;
        bytes[x] = value;
        // Small differences squeeze best: the usual guess at which filter to take (PNG specification, section 12.8).
        cost += value < 128 ? value : 256 - value;
      }
      return cost;
    });
    const best = costs.indexOf(Math.min(...costs));
    filtered[y * (long + 1)] = best;
    filtered.set(tries[best]!, y * (long + 1) + 1);
  }
  return filtered;
}

/** Pixels of three bytes each, rows from the top, as a PNG file. The same pixels always give the same bytes. */
export function encodePng(width: number, height: number, pixels: Uint8Array): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([
    signature,
    chunk('IHDR', Buffer.concat([size, header])),
    chunk('IDAT', deflateSync(filterRows(width, height, pixels), { level: 8 })),
    chunk('IEND', new Uint8Array()),
  ]);
}
