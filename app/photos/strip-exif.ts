/**
 * A JPEG, PNG or WebP without what tells of more than the picture (EXIF with the place it was taken at, XMP, maker's notes, written
 * words); other files, and what cannot be followed to its end, as they are. For the rare photo that could not be drawn again, which
 * is what usually drops them (Privacy Act 2020; product.md section 3).
 */
export function stripExif(bytes: ArrayBuffer): ArrayBuffer {
  const view = new DataView(bytes);
  const begins = (at: number, word: number) => view.byteLength >= at + 4 && view.getUint32(at) === word;
  if (view.byteLength >= 4 && view.getUint16(0) === 0xffd8) return joined(piecesOfJpeg(view));
  if (begins(0, word('\x89PNG'))) return joined(piecesOfPng(view));
  if (begins(0, word('RIFF')) && begins(8, word('WEBP'))) return webpOf(piecesOfWebp(view));
  return bytes;
}

const word = (letters: string) => [...letters].reduce((number, letter) => number * 256 + letter.charCodeAt(0), 0);

const piece = ({ buffer }: DataView<ArrayBuffer>, from: number, to?: number) => new Uint8Array(buffer.slice(from, to));

function joined(pieces: readonly Uint8Array[]): ArrayBuffer {
  const whole = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0));
  let to = 0;
  for (const one of pieces) {
    whole.set(one, to);
    to += one.length;
  }
  return whole.buffer;
}

/** Without the application segments 1 to 15. */
function piecesOfJpeg(view: DataView<ArrayBuffer>): Uint8Array[] {
  const kept = [piece(view, 0, 2)];
  let at = 2;
  while (at + 4 <= view.byteLength) {
    const marker = view.getUint16(at);
    // Picture data from here on, or nothing a reader would understand either.
    if (marker === 0xffda || marker >> 8 !== 0xff) break;
    const end = at + 2 + view.getUint16(at + 2);
    if (end > view.byteLength) break;
    if (marker < 0xffe1 || marker > 0xffef) kept.push(piece(view, at, end));
    at = end;
  }
  return [...kept, piece(view, at)];
}

const pngExtras = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'].map(word));

/** Chunks are a length, a name, the data and a checksum of their own. */
function piecesOfPng(view: DataView<ArrayBuffer>): Uint8Array[] {
  const kept = [piece(view, 0, 8)];
  let at = 8;
  while (at + 12 <= view.byteLength) {
    const end = at + 12 + view.getUint32(at);
    if (end > view.byteLength) break;
    if (!pngExtras.has(view.getUint32(at + 4))) kept.push(piece(view, at, end));
    at = end;
  }
  return [...kept, piece(view, at)];
}

const webpExtras = new Set(['EXIF', 'XMP '].map(word));

/** Chunks are a name, a length and the data, padded to an even number; one of them says which others there are. */
function piecesOfWebp(view: DataView<ArrayBuffer>): Uint8Array[] {
  const kept = [piece(view, 0, 12)];
  let at = 12;
  while (at + 8 <= view.byteLength) {
    const size = view.getUint32(at + 4, true);
    if (at + 8 + size > view.byteLength) break;
    const name = view.getUint32(at);
    const chunk = piece(view, at, at + 8 + size + (size % 2));
    if (name === word('VP8X') && size > 0) chunk[8]! &= ~0x0c;
    if (!webpExtras.has(name)) kept.push(chunk);
    at += 8 + size + (size % 2);
  }
  return [...kept, piece(view, Math.min(at, view.byteLength))];
}

/** The head of the file says how long the rest is. */
function webpOf(pieces: readonly Uint8Array[]): ArrayBuffer {
  const bytes = joined(pieces);
  new DataView(bytes).setUint32(4, bytes.byteLength - 8, true);
  return bytes;
}
