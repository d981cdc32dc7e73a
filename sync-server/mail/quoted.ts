const longest = 120;

/**
 * A person's text, made safe for a mail of ours: one line in quotation marks, cut to 120 characters, of which no mail
 * program makes a link. Schemes go, and a space comes after each dot inside a word and around each at sign; invisible
 * characters and quotation marks that would end ours go too. Not escaped for HTML.
 */
export function quoted(typed: string): string {
  const line = typed
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/[a-z][a-z0-9+-]{0,30}:\/{2,}/gi, ' ')
    .replace(/["“”„‟«»]/g, '’')
    // An address may have these other dots.
    .replace(/[．。｡․]/g, '.')
    .replace(/\.(?=[\p{L}\p{N}])/gu, '. ')
    .replace(/@/g, ' at ')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = Array.from(line);
  return `“${
    letters.length > longest
      ? `${letters
          .slice(0, longest - 1)
          .join('')
          .trimEnd()}…`
      : line
  }”`;
}
