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

const loadCompressor = async (): Promise<Compress> => (await import('browser-image-compression')).default;

/**
 * A picked photo at 1 MB and 1920 px at most (specification section 5), drawn again, so that EXIF and the place in it stay behind.
 * Where that fails, the original, as specified, without its EXIF. Rejects only where the file cannot be read at all.
 */
export async function shrinkPhoto(file: File, load: () => Promise<Compress> = loadCompressor): Promise<ShrunkPhoto> {
  try {
    const compress = await load();
    // Its worker would be fetched from a foreign host, which neither the content security policy nor missing signal allows.
    const small = await compress(file, { maxSizeMB: 1, maxWidthOrHeight: 1920, useWebWorker: false, preserveExif: false });
    return { bytes: await small.arrayBuffer(), type: small.type || file.type, name: file.name, isOriginal: false };
  } catch {
    return { bytes: stripExif(await file.arrayBuffer()), type: file.type, name: file.name, isOriginal: true };
  }
}
