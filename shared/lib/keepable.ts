/**
 * Can this text be kept and shown? PostgreSQL holds no NUL and no half of a surrogate pair; other control characters, save tab
 * and line ends, are never something a person typed.
 */
export function isKeepable(text: string): boolean {
  return !/\p{Cs}|(?![\t\n\r])\p{Cc}/u.test(text);
}
