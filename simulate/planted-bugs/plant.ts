/** A text of the product, or of the database's double, and its replacement while a bug is planted. */
export interface Change {
  file: string;
  /** Spaces, line breaks and trailing commas may differ: the formatter sets those. */
  was: string;
  is: string;
}

/**
 * A module's text with a bug in it; undefined where the bug is elsewhere. Fails where a text to be replaced is missing.
 */
export function plantedIn(
  source: string,
  file: string,
  { name, changes }: { name: string; changes: readonly Change[] },
): string | undefined {
  const here = changes.filter((change) => change.file === file);
  if (here.length === 0) return undefined;
  return here.reduce((text, { was, is }) => {
    const pattern = inAnyLayout(was);
    if ([...text.matchAll(pattern)].length !== 1)
      throw new Error(`${name}: ${file} must hold this exactly once: ${was}`);
    return text.replace(pattern, () => is);
  }, source);
}

/**
 * Matches a text whatever the white space between its words and signs, with or without a comma or semicolon before what
 * closes.
 */
function inAnyLayout(text: string): RegExp {
  const parts = text.match(/\w+|[^\w\s]/g) ?? [];
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const joined = escaped.map((part, at) => (at > 0 && /^[)\]}]$/.test(parts[at] ?? '') ? `,?\\s*${part}` : part));
  return new RegExp(joined.join(String.raw`\s*`), 'g');
}
