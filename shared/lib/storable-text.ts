/**
 * Can this text be kept and shown? PostgreSQL holds no NUL and no half of a surrogate pair; other control characters,
 * save tab and line ends, are never something a person typed.
 */
export function isStorable(text: string): boolean {
  return !/\p{Cs}|(?![\t\n\r])\p{Cc}/u.test(text);
}

/**
 * What shows nothing: zero-width characters, fillers, controls of the writing direction, letters for private use (what
 * a font makes of them, and on most phones nothing), and signs that Unicode counts as letters or symbols and fonts draw
 * blank: braille blank, object replacement, the fillers of Khitan and Egyptian, the musical null notehead.
 */
const shown =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}\u2800\uFFFC\u{16FE4}\u{13441}\u{13442}\u{1D159}]/u;

/**
 * Does this text show anything, or is it empty? Invisible characters count as letters for a length and for `trim`, and
 * would leave a title or a name that cannot be seen or tapped.
 */
export function isVisible(text: string): boolean {
  return text === '' || shown.test(text);
}
