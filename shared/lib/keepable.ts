/**
 * Can this text be kept and shown? PostgreSQL holds no NUL and no half of a surrogate pair; other control characters, save tab
 * and line ends, are never something a person typed.
 */
export function isKeepable(text: string): boolean {
  return !/\p{Cs}|(?![\t\n\r])\p{Cc}/u.test(text);
}

/**
 * Does this text show anything, or is it empty? Zero-width characters, fillers and controls of the writing direction are taken for
 * letters by a length and by `trim`, and leave a title or a name that nobody can see or tap.
 */
export function isVisible(text: string): boolean {
  return text === '' || /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u.test(text);
}
