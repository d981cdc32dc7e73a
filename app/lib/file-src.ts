import { fileAddress, fileRef } from '../../shared/lib/file-ref.ts';

/**
 * Where a picture is shown from: the address the app itself was opened by, whatever address a row of an earlier version, or a call,
 * has written before the file's bucket and path. What is no file of ours (a picture of this device) stays as it is.
 */
export function fileSrc(kept: string): string {
  return fileAddress('', fileRef('job-photos', kept) ?? fileRef('tradie-logos', kept) ?? kept);
}
