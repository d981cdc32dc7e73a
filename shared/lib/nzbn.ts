/** An NZBN: 94 followed by 11 digits. */
export const nzbnPattern = /^94\d{11}$/;

/** What the NZBN field keeps of what is typed: digits only, 94 in front from the second digit on, 13 at most. */
export function shapeNzbn(typed: string): string {
  const digits = typed.replace(/\D/g, '');
  if (digits.length < 2) return digits;
  return (digits.startsWith('94') ? digits : `94${digits}`).slice(0, 13);
}

/** GS1 check digit: weights 1, 3, 1, 3 … over the first twelve digits. */
export function hasNzbnCheckDigit(nzbn: string): boolean {
  if (!nzbnPattern.test(nzbn)) return false;
  const digits = Array.from(nzbn, Number);
  const check = digits[12];
  const sum = digits.slice(0, 12).reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10 === check;
}

/**
 * Does a business have the name that the register has? Case, accents, punctuation and the kind of company do not count.
 */
export function isSameBusinessName(one: string, other: string): boolean {
  return plainName(one) === plainName(other);
}

function plainName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/['’.]/g, '');
  return words
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/ (?:limited|ltd)$/, '');
}
