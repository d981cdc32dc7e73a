import { readPicture, type Piece } from '../../shared/lib/picture.ts';

/** Application segments 1 to 15, and comments. */
const jpegExtra = (marker: number) => (marker >= 0xe1 && marker <= 0xef) || marker === 0xfe;
const chunkExtras = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME', 'EXIF', 'XMP ']);
const isExtra = ({ kind }: Piece) => (typeof kind === 'number' ? jpegExtra(kind) : chunkExtras.has(kind));

/**
 * A JPEG, PNG or WebP without what tells of more than the picture (EXIF with the place it was taken at, XMP, maker's
 * notes, written words), and without what follows its end (another picture taken at the same time, with a place of its
 * own); other files, and what cannot be parsed to its end, as they are. For the rare photo that could not be drawn
 * again, which is what usually drops them (Privacy Act 2020).
 */
export function stripExif(bytes: ArrayBuffer): ArrayBuffer {
  const picture = readPicture(new Uint8Array(bytes));
  if (picture === undefined) return bytes;
  const kept = picture.pieces.filter((piece) => !isExtra(piece));
  const whole = new Uint8Array(kept.reduce((total, { from, to }) => total + to - from, 0));
  const view = new DataView(whole.buffer);
  let at = 0;
  for (const { kind, from, to } of kept) {
    whole.set(new Uint8Array(bytes, from, to - from), at);
    // A flags chunk of a WebP lists the others.
    if (kind === 'VP8X') whole[at + 8]! &= ~0x0c;
    at += to - from;
  }
  // Its header holds the length of the rest.
  if (picture.type === 'image/webp') view.setUint32(4, whole.byteLength - 8, true);
  return whole.buffer;
}
