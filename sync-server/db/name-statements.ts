/**
 * A text that came so often is worth a name: PostgreSQL then parses it once a connection, and plans it for the first
 * few times only.
 */
const worthIt = 5;
/** Names a process gives at most: each is kept by every connection, on both sides. */
const maxNames = 300;
/** Texts that are counted at most; many of them come once, with as many parameters as their list had. */
const maxCounted = 5_000;

/**
 * Names for statements that come again and again, the same for the same text; undefined for all others. Node-postgres
 * prepares a statement that has a name, once on each connection (PostgreSQL, PREPARE).
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (names.size >= maxNames) return undefined;
    const count = (counts.get(text) ?? 0) + 1;
    if (count < worthIt) {
      if (counts.size >= maxCounted) counts.clear();
      counts.set(text, count);
      return undefined;
    }
    counts.delete(text);
    const given = `dwang_${names.size + 1}`;
    names.set(text, given);
    return given;
  };
}
