/** The two buckets of the product. */
export type Bucket = 'job-photos' | 'tradie-logos';

/** The path of storage's public files, below the origin it is reached at. */
export const publicFiles = '/storage/v1/object/public/';

/** The hosted storage's charset, which has no macrons. */
const keyChars = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/;
const maxKeyLength = 1024;

/** Is this a path storage takes? Segments that are empty or dots are not, so that no path can be traversed. */
export function isKey(key: string): boolean {
  return (
    key.length <= maxKeyLength &&
    keyChars.test(key) &&
    key.split('/').every((segment) => !['', '.', '..'].includes(segment))
  );
}

/**
 * A file as it is kept in a row: its bucket and its path, `job-photos/folder/name`. Taken from that itself or from any
 * public address of the file, whatever origin stands before it. Undefined for anything else.
 */
export function fileRef(bucket: Bucket, address: string): string | undefined {
  if (address.startsWith(`${bucket}/`)) return isKey(address.slice(bucket.length + 1)) ? address : undefined;
  if (!/^(https?:\/\/|\/)/.test(address) || /[?#\\]/.test(address)) return undefined;
  const at = address.indexOf(`/${bucket}/`);
  if (at < 0) return undefined;
  const key = decoded(address.slice(at + bucket.length + 2));
  return key !== undefined && isKey(key) ? `${bucket}/${key}` : undefined;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * The public address of a kept file below `origin` (no slash at the end; '' for an address of the same origin). Other
 * texts as they are.
 */
export function fileAddress(origin: string, kept: string): string {
  const isRef = kept.startsWith('job-photos/') || kept.startsWith('tradie-logos/');
  return isRef ? `${origin}${publicFiles}${kept.split('/').map(encodeURIComponent).join('/')}` : kept;
}
