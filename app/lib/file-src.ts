import { fileAddress, fileRef } from '../../shared/lib/file-ref.ts';

/**
 * The address a picture is shown from: on the app's own origin, whatever origin a row of an earlier version, or a call,
 * has before the file's bucket and path. What is not in our storage (a picture of this device) stays as it is.
 */
export function fileSrc(kept: string): string {
  return fileAddress('', fileRef('job-photos', kept) ?? fileRef('tradie-logos', kept) ?? kept);
}

type OfImage = { readonly currentTarget: HTMLImageElement };

/**
 * For an image with an icon behind it: out of coverage a photo never seen before cannot come. The icon shows instead,
 * and the photo is asked for again with the signal.
 */
export const markMissing = {
  onError({ currentTarget: image }: OfImage) {
    image.dataset['missing'] = '';
    window.addEventListener('online', () => image.setAttribute('src', image.src), { once: true });
  },
  onLoad({ currentTarget: image }: OfImage) {
    delete image.dataset['missing'];
  },
};
