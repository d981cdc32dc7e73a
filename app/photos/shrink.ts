import { maxPixels, readPicture } from '../../shared/lib/picture.ts';
import type { ShrunkPhoto } from './keep.ts';
import { stripExif } from './strip-exif.ts';

/** As `browser-image-compression` has them. */
interface CompressOptions {
  readonly maxSizeMB: number;
  readonly maxWidthOrHeight: number;
  readonly fileType: string;
  readonly initialQuality: number;
  readonly alwaysKeepResolution: boolean;
  readonly useWebWorker: boolean;
  readonly preserveExif: boolean;
}
type Compress = (file: File, options: CompressOptions) => Promise<Blob>;

/** In the product's words. */
export class TooManyPixels extends Error {
  override name = 'TooManyPixels';
  constructor() {
    super('This photo has too many pixels. Choose a smaller one.');
  }
}

/** HEIC where the browser has no decoder for it (all but Safari), a film, a file that was cut short. In the product's words. */
export class UnreadablePicture extends Error {
  override name = 'UnreadablePicture';
  constructor() {
    super('This browser can’t read this photo. Choose a JPEG or PNG, or take it again.');
  }
}

const loadCompressor = async (): Promise<Compress> => (await import('browser-image-compression')).default;

/** 1 MB in the smaller of its two meanings, where the library's is 1024 x 1024 bytes; and pixels of the longer side. */
const limits = { maxSizeMB: 0.95, maxWidthOrHeight: 1920, initialQuality: 0.85, preserveExif: false } as const;
/** Its worker would be fetched from a foreign host, which neither the content security policy nor missing signal allows. */
const inThePage = { useWebWorker: false } as const;

/**
 * A picked photo as a JPEG of 1 MB and 1920 px at most, drawn again, so that EXIF and the place in it stay behind, white where it was
 * transparent. Where that fails, the original without its EXIF. Rejects where the file cannot be read at all, where drawing it would take
 * more memory than a phone has, and where it can neither be drawn nor is of a type that storage has: storage would reject it too, after
 * the person had been told that it is saved.
 */
export function shrinkPhoto(file: File, load?: () => Promise<Compress>): Promise<ShrunkPhoto> {
  return shrink(file, { ...limits, ...inThePage, fileType: 'image/jpeg', alwaysKeepResolution: true }, load);
}

/**
 * The same for a logo, which stays transparent where it is: WebP, or what the engine gives in its place (Safari: PNG, which only fewer pixels
 * make smaller). Never PNG by the library's own encoder, which looks for a palette and held the page for 40 s.
 */
export function shrinkLogo(file: File, load?: () => Promise<Compress>): Promise<ShrunkPhoto> {
  const fileType = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp';
  return shrink(file, { ...limits, ...inThePage, fileType, alwaysKeepResolution: false }, load);
}

async function shrink(file: File, options: CompressOptions, load = loadCompressor): Promise<ShrunkPhoto> {
  const bytes = await file.arrayBuffer();
  const picture = readPicture(new Uint8Array(bytes));
  if (picture !== undefined && picture.width * picture.height > maxPixels) throw new TooManyPixels();
  try {
    const compress = await load();
    const small = await compress(file, options);
    return {
      bytes: await small.arrayBuffer(),
      type: small.type || options.fileType,
      name: file.name,
      isOriginal: false,
    };
  } catch {
    if (picture === undefined) throw new UnreadablePicture();
    return { bytes: stripExif(bytes), type: file.type, name: file.name, isOriginal: true };
  }
}
