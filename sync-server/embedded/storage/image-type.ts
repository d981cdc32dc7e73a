import { imageSize } from 'image-size';

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

/** How many bytes of a file tell what it is. */
export const headBytes = 16;

const startsWith = (bytes: Uint8Array, at: number, signature: readonly number[]) => signature.every((byte, index) => bytes[at + index] === byte);
const ascii = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));

/** What the bytes are, whatever their name and their sender say. Undefined for anything that is not served from here. */
export function imageType(head: Uint8Array): ImageType | undefined {
  if (startsWith(head, 0, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (startsWith(head, 0, [0x89, ...ascii('PNG'), 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (startsWith(head, 0, ascii('RIFF')) && startsWith(head, 8, ascii('WEBPVP8'))) return 'image/webp';
  return undefined;
}

/** The type a sender declares, without its parameters; `image/jpg` is what some devices say for JPEG. */
export function declaredType(header: string): string {
  const type = header.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'image/jpg' ? 'image/jpeg' : type;
}

/**
 * Pixels an image unpacks to, read from its header alone: a file of a few kilobytes may claim billions. Undefined where the
 * header says nothing that makes sense.
 */
export function pixelsOf(bytes: Uint8Array): number | undefined {
  try {
    const { width, height } = imageSize(bytes);
    return width > 0 && height > 0 ? width * height : undefined;
  } catch {
    // What it cannot make sense of it says by throwing.
    return undefined;
  }
}
