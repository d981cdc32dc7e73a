const longest = 36;

/**
 * What to call each prepared note on a button: how it begins. Notes that begin alike, as with one's name and business,
 * are called by where they begin to differ.
 */
export function noteNames(notes: readonly string[]): readonly string[] {
  const lines = notes.map((note) => Array.from(note.replace(/\s+/gu, ' ').trim()));
  const begins = (line: readonly string[]) => line.slice(0, longest).join('');
  return lines.map((line, at) => {
    const alike = lines.filter((other, where) => where !== at && begins(other) === begins(line));
    const same = Math.max(0, ...alike.map((other) => lengthInCommon(line, other)));
    const start = same === 0 ? 0 : line.lastIndexOf(' ', same - 1) + 1;
    const end = Math.min(line.length, start + longest);
    const cut = line.slice(start, end).join('').trimEnd();
    return `${start > 0 ? '…' : ''}${cut}${end < line.length ? '…' : ''}`;
  });
}

function lengthInCommon(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((letter, where) => letter !== other[where]);
  return at === -1 ? one.length : at;
}
