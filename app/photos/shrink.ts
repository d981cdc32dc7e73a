import { mostPixels, readPicture } from '../../shared/lib/picture.ts';
import { drawPicture, type DrawnPicture, type DrawPicture } from './draw-picture.ts';
import type { ShrunkPhoto } from './keep.ts';
import { stripExif } from './strip-exif.ts';

/** In the product's words. */
export class TooManyPixels extends Error {
  override name = 'TooManyPixels';
  constructor() {
    super('This photo has too many pixels. Choose a smaller one.');
  }
}

/** Specification section 5: pixels of the longer side, and 1 MB in the smaller of its two meanings. */
const longestEdge = 1_920;
const mostBytes = 1_000_000;
/** Below this nobody would know the picture. */
const shortestEdge = 64;

interface Form {
  /** Asked for, and what an engine may give in its place. */
  readonly types: readonly [string, ...string[]];
  /** Tried in this order at each size. */
  readonly qualities: readonly number[];
}

const opaque: Form = { types: ['image/jpeg'], qualities: [0.85, 0.7, 0.55] };
/** Not PNG where there is a choice: Chromium takes 13 s for a large one, and 6 of them in one piece. Safari writes no WebP. */
const transparent: Form = { types: ['image/webp', 'image/png'], qualities: [0.85, 0.7] };

/**
 * A picked photo as a JPEG of 1 MB and 1920 px at most (specification section 5), drawn again, so that EXIF and the place in it stay
 * behind. Where that fails, the original, as specified, without its EXIF. Rejects where the file cannot be read at all, and
 * where drawing it would take more memory than a phone has: storage would refuse it too.
 */
export function shrinkPhoto(file: File, draw: DrawPicture = drawPicture): Promise<ShrunkPhoto> {
  return shrink(file, opaque, draw);
}

/** The same for a logo, which stays transparent where it is: WebP, or PNG where the engine writes no WebP. */
export function shrinkLogo(file: File, draw: DrawPicture = drawPicture): Promise<ShrunkPhoto> {
  return shrink(file, file.type === 'image/jpeg' ? opaque : transparent, draw);
}

async function shrink(file: File, form: Form, draw: DrawPicture): Promise<ShrunkPhoto> {
  const bytes = await file.arrayBuffer();
  const { width, height } = readPicture(new Uint8Array(bytes)) ?? { width: 0, height: 0 };
  if (width * height > mostPixels) throw new TooManyPixels();
  try {
    const drawn = await draw(file);
    try {
      const small = await fit(drawn, form);
      return { bytes: await small.arrayBuffer(), type: small.type, name: file.name, isOriginal: false };
    } finally {
      drawn.close();
    }
  } catch {
    return { bytes: stripExif(bytes), type: file.type, name: file.name, isOriginal: true };
  }
}

/** At the first quality that is small enough; where none is, all of them again at a smaller size. */
async function fit({ width, height, encode }: DrawnPicture, { types, qualities }: Form): Promise<Blob> {
  const longer = Math.max(width, height);
  let edge = Math.min(longer, longestEdge);
  while (edge >= Math.min(longer, shortestEdge)) {
    const scaled = (length: number) => Math.max(1, Math.round((length * edge) / longer));
    let smallest = Number.POSITIVE_INFINITY;
    for (const quality of qualities) {
      const blob = await encode({ width: scaled(width), height: scaled(height), type: types[0], quality });
      if (!types.includes(blob.type)) throw new Error(`${blob.type} in place of ${types[0]}`);
      if (blob.size <= mostBytes) return blob;
      smallest = Math.min(smallest, blob.size);
      // PNG knows no quality: only a smaller picture makes it smaller.
      if (blob.type !== types[0]) break;
    }
    // Bytes go with the area.
    edge = Math.floor(edge * Math.min(0.9, Math.sqrt(mostBytes / smallest)));
  }
  throw new Error('No size of it is small enough.');
}
