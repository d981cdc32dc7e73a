import type { Change, ReadTx } from '../store/sync-store.ts';

export interface ChangePage {
  changes: Change[];
  /** The version up to which the page goes; undefined on the last one, which goes up to the head. */
  until: string | undefined;
}

/** This person's changes after `version`, about `size` of them, cut between two commits and never inside one (P3). */
export async function readChanges(tx: ReadTx, userId: string, version: string, size: number): Promise<ChangePage> {
  const page = await tx.changesAfter(userId, version, size + 1);
  const next = page[size]?.version;
  if (next === undefined) return { changes: page, until: undefined };
  const changes = page.filter((change) => change.version !== next);
  if (changes.length > 0) return { changes, until: changes.at(-1)!.version };
  // A commit that is larger than a page comes whole.
  return { changes: await tx.changesOf(userId, next), until: next };
}
