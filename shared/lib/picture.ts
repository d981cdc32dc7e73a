/** The pictures that are kept and shown. */
export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp';

/**
 * A part of the file: a JPEG's segment (by its marker, the picture data behind a scan's head with it), a PNG's or
 * WebP's chunk (by its name).
 */
export interface Piece {
  readonly kind: number | string;
  readonly from: number;
  readonly to: number;
}

export interface Picture {
  readonly type: PictureType;
  /** What it unpacks to; of several sizes in one file the largest. */
  readonly width: number;
  readonly height: number;
  /** The parts of the file, from the first byte to the end, without a gap. */
  readonly pieces: readonly Piece[];
  /** The place where the picture ends; what the file has behind that belongs to no picture. */
  readonly end: number;
}

/** More parts than a camera writes, so that reading them all ends soon. */
const maxPieces = 100_000;
/** More pixels than any phone takes, and what a phone that shows the picture can still unpack. */
export const maxPixels = 120_000_000;

/** Each scan is a pass over the whole picture for the program that shows it. */
const maxScans = 100;

/**
 * A JPEG, PNG or WebP, followed strictly from its first byte to its end, in time that grows with its length alone.
 * Undefined where that cannot be done: another file, one cut short, one with two frame headers, one without a size.
 */
export function readPicture(bytes: Uint8Array): Picture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (nameAt(view, 0) === 'RIFF' && nameAt(view, 8) === 'WEBP') return readWebp(view);
    if (view.getUint32(0) === 0x8950_4e47 && view.getUint32(4) === 0x0d0a_1a0a) return readPng(view);
    return view.getUint16(0) === 0xffd8 ? readJpeg(bytes, view) : undefined;
  } catch (error) {
    // A length or a marker that points past the last byte means that the file was cut short.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const nameAt = (view: DataView, at: number) =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

function made(
  type: PictureType,
  sizes: readonly (readonly [number, number])[],
  pieces: readonly Piece[],
  end: number,
): Picture | undefined {
  const [width, height] = [Math.max(0, ...sizes.map(([one]) => one)), Math.max(0, ...sizes.map(([, other]) => other))];
  return width > 0 && height > 0 ? { type, width, height, pieces, end } : undefined;
}

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** ITU T.81, annex B. One frame header, before the first scan. */
function readJpeg(bytes: Uint8Array, view: DataView): Picture | undefined {
  const pieces: Piece[] = [{ kind: 0xd8, from: 0, to: 2 }];
  let size: readonly [number, number] | undefined;
  let scans = 0;
  let at = 2;
  while (pieces.length < maxPieces) {
    const from = at;
    if (view.getUint8(at) !== 0xff) return undefined;
    while (view.getUint8(at) === 0xff) at += 1;
    const marker = view.getUint8(at);
    at += 1;
    if (marker === 0xd9)
      return scans === 0 || size === undefined
        ? undefined
        : made('image/jpeg', [size], [...pieces, { kind: marker, from, to: at }], at);
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) return undefined;
    const length = view.getUint16(at);
    if (length < 2 || at + length > view.byteLength) return undefined;
    if (isFrame(marker)) {
      if (size !== undefined || length < 8) return undefined;
      size = [view.getUint16(at + 5), view.getUint16(at + 3)];
    }
    at += length;
    if (marker === 0xda) {
      scans += 1;
      if (size === undefined || scans > maxScans) return undefined;
      at = endOfScan(bytes, at);
    }
    pieces.push({ kind: marker, from, to: at });
  }
  return undefined;
}

/** Behind the picture data of a scan: at its next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw new RangeError('the picture data has no end');
}

/** PNG specification, third edition, 5.3: chunks are a length, a name, the data and a checksum. */
function readPng(view: DataView): Picture | undefined {
  const pieces: Piece[] = [{ kind: 'signature', from: 0, to: 8 }];
  let at = 8;
  while (pieces.length < maxPieces) {
    const kind = nameAt(view, at + 4);
    const to = at + 12 + view.getUint32(at);
    if (to > view.byteLength || (kind === 'IHDR') !== (at === 8) || (at === 8 && to !== 33)) return undefined;
    pieces.push({ kind, from: at, to });
    if (kind === 'IEND') return made('image/png', [[view.getUint32(16), view.getUint32(20)]], pieces, to);
    at = to;
  }
  return undefined;
}

/** RFC 9649: chunks are a name, a length and the data, padded to an even number. */
function readWebp(view: DataView): Picture | undefined {
  const end = 8 + view.getUint32(4, true);
  if (end > view.byteLength) return undefined;
  const pieces: Piece[] = [{ kind: 'head', from: 0, to: 12 }];
  const sizes: (readonly [number, number])[] = [];
  let at = 12;
  while (at < end) {
    const kind = nameAt(view, at);
    const length = view.getUint32(at + 4, true);
    const to = at + 8 + length + (length % 2);
    if (to > end || pieces.length >= maxPieces) return undefined;
    sizes.push(...sizesIn(view, kind, at + 8, length));
    pieces.push({ kind, from: at, to });
    at = to;
  }
  const isPicture = pieces.some(({ kind }) => ['VP8 ', 'VP8L', 'ANMF'].includes(String(kind)));
  return isPicture ? made('image/webp', sizes, pieces, end) : undefined;
}

const uint24 = (view: DataView, at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;

/** Sizes that a chunk tells: of the canvas, of a frame, of the picture data itself. */
function sizesIn(view: DataView, kind: string, at: number, length: number): (readonly [number, number])[] {
  if (kind === 'VP8X' && length >= 10) return [[1 + uint24(view, at + 4), 1 + uint24(view, at + 7)]];
  if (kind === 'VP8 ' && length >= 10)
    return [[view.getUint16(at + 6, true) & 0x3fff, view.getUint16(at + 8, true) & 0x3fff]];
  if (kind === 'VP8L' && length >= 5) {
    const bits = view.getUint32(at + 1, true);
    return [[1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)]];
  }
  if (kind !== 'ANMF' || length < 24) return [];
  const frame = [1 + uint24(view, at + 6), 1 + uint24(view, at + 9)] as const;
  const inner = nameAt(view, at + 16);
  return [
    frame,
    ...(inner === 'VP8 ' || inner === 'VP8L' ? sizesIn(view, inner, at + 24, view.getUint32(at + 20, true)) : []),
  ];
}
