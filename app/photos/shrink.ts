import { maxPixels, readPicture } from '../../shared/lib/picture.ts';
import type { Drawing } from './draw-picture.ts';
import type { ShrunkPhoto } from './keep.ts';
import { stripExif } from './strip-exif.ts';

type Draw = (file: Blob, drawing: Drawing) => Promise<Blob>;

/** The message is in the product's words. */
export class TooManyPixels extends Error {
  override name = 'TooManyPixels';
  constructor() {
    super('This photo has too many pixels. Choose a smaller one.');
  }
}

/**
 * HEIC where the browser has no decoder for it (all but Safari), a film, a file that was cut short. In the product's
 * words.
 */
export class UnreadablePicture extends Error {
  override name = 'UnreadablePicture';
  constructor() {
    super('This browser can’t read this photo. Choose a JPEG or PNG, or take it again.');
  }
}

const drawPicture: Draw = async (file, drawing) => (await import('./draw-picture.ts')).drawPicture(file, drawing);

/** Bytes of one file in storage, at most (docs/deploy). */
const maxStored = 5 * 1024 * 1024;

const limits = { maxBytes: 1_000_000, maxSide: 1_920 } as const;

/**
 * A picked photo as a JPEG of 1 MB and 1920 px at most, drawn again, so that EXIF and the place in it stay behind,
 * white where it was transparent. Where that fails, the original without its EXIF. Rejects where the file cannot be
 * read at all, where drawing it would take more memory than a phone has, and where it can neither be drawn nor is of a
 * type that storage has: storage would reject it too, after the person had been told that it is saved.
 */
export function shrinkPhoto(file: File, draw: Draw = drawPicture): Promise<ShrunkPhoto> {
  return shrink(file, { ...limits, type: 'image/jpeg' }, draw);
}

/** The same for a logo, which stays transparent where it is: WebP, or what the engine gives in its place. */
export function shrinkLogo(file: File, draw: Draw = drawPicture): Promise<ShrunkPhoto> {
  return shrink(file, { ...limits, type: file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp' }, draw);
}

async function shrink(file: File, drawing: Drawing, draw: Draw): Promise<ShrunkPhoto> {
  const bytes = await file.arrayBuffer();
  const picture = readPicture(new Uint8Array(bytes));
  if (picture !== undefined && picture.width * picture.height > maxPixels) throw new TooManyPixels();
  try {
    const small = await draw(file, drawing);
    return { bytes: await small.arrayBuffer(), type: small.type, name: file.name, isOriginal: false };
  } catch {
    if (picture === undefined || bytes.byteLength > maxStored) throw new UnreadablePicture();
    return { bytes: stripExif(bytes), type: picture.type, name: file.name, isOriginal: true };
  }
}
