import { mostPixels, readPicture } from '../../shared/lib/picture.ts';
import { stripExif } from './strip-exif.ts';

/** A photo as it is kept: bytes, never a Blob, and never the picked File, which may be gone when signal comes. */
export interface ShrunkPhoto {
  bytes: ArrayBuffer;
  type: string;
  /** As the person's phone calls it. */
  name: string;
  isOriginal: boolean;
}

type Compress = (file: File, options: { maxSizeMB: number; maxWidthOrHeight: number; useWebWorker: boolean; preserveExif: boolean }) => Promise<Blob>;

/** In the product's words. */
export class TooManyPixels extends Error {
  override name = 'TooManyPixels';
  constructor() {
    super('This photo has too many pixels. Choose a smaller one.');
  }
}

const loadCompressor = async (): Promise<Compress> => (await import('browser-image-compression')).default;

/**
 * A picked photo at 1 MB and 1920 px at most (specification section 5), drawn again, so that EXIF and the place in it stay behind.
 * Where that fails, the original, as specified, without its EXIF. Rejects where the file cannot be read at all, and
 * where drawing it would take more memory than a phone has: storage would refuse it too.
 */
export async function shrinkPhoto(file: File, load: () => Promise<Compress> = loadCompressor): Promise<ShrunkPhoto> {
  const bytes = await file.arrayBuffer();
  const { width, height } = readPicture(new Uint8Array(bytes)) ?? { width: 0, height: 0 };
  if (width * height > mostPixels) throw new TooManyPixels();
  try {
    const compress = await load();
    // Its worker would be fetched from a foreign host, which neither the content security policy nor missing signal allows.
    const small = await compress(file, { maxSizeMB: 1, maxWidthOrHeight: 1920, useWebWorker: false, preserveExif: false });
    return { bytes: await small.arrayBuffer(), type: small.type || file.type, name: file.name, isOriginal: false };
  } catch {
    return { bytes: stripExif(bytes), type: file.type, name: file.name, isOriginal: true };
  }
}
