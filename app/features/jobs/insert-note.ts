/** Longest note that an interest may have. */
export const maxNote = 1_000;

/**
 * What stands in the field once a prepared note is put in: in place of nothing, or of another prepared note as it is;
 * otherwise after what was typed. Undefined where there is no room for both.
 */
export function insertNote(typed: string, prepared: string, notes: readonly string[]): string | undefined {
  const before = typed.trim();
  if (before === '' || notes.includes(before)) return prepared;
  const both = `${before}\n\n${prepared}`;
  return both.length <= maxNote ? both : undefined;
}

/** Takes out the prepared note that stands alone or at the end; undefined where there is none. */
export function withoutNote(typed: string, prepared: string): string | undefined {
  const text = typed.trim();
  if (text === prepared) return '';
  return text.endsWith(`\n\n${prepared}`) ? text.slice(0, -prepared.length - 2) : undefined;
}
