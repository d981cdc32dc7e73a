/** The source of randomness: `crypto.getRandomValues` in the product, a seed in tests and the simulator. */
export interface RandomSource {
  bytes(count: number): Uint8Array;
}

const hex = (byte: number) => byte.toString(16).padStart(2, '0');

/** A UUID version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then random bits. */
export function createId(nowMs: number, random: RandomSource): string {
  const bytes = new Uint8Array(16);
  bytes.set(random.bytes(16));
  let rest = nowMs;
  for (let at = 5; at >= 0; at -= 1) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const text = Array.from(bytes, hex).join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}
