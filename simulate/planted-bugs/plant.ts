/** A text of the product, or of the database's double, and its replacement while a bug is planted. */
export interface Change {
  file: string;
  was: string;
  is: string;
}

/** A module's text with a bug in it; undefined where the bug is elsewhere. Fails where a text to be replaced is missing. */
export function plantedIn(
  source: string,
  file: string,
  { name, changes }: { name: string; changes: readonly Change[] },
): string | undefined {
  const here = changes.filter((change) => change.file === file);
  if (here.length === 0) return undefined;
  return here.reduce((text, { was, is }) => {
    if (text.split(was).length !== 2) throw new Error(`${name}: ${file} must hold this exactly once: ${was}`);
    return text.replace(was, () => is);
  }, source);
}
