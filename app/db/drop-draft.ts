import type { PersonDb } from './person-db.ts';

/** A draft as one form knows it. `by`: that form, and the one whose words it began with; absent: any. */
export interface DraftRef {
  readonly key: string;
  readonly by?: readonly string[] | undefined;
}

/**
 * Deletes a draft, unless another form has written its own words there since: two tabs may have the same one open.
 * Inside a transaction over `drafts`.
 *
 * @returns whether it is gone.
 */
export async function dropDraft({ drafts }: PersonDb, { key, by }: DraftRef): Promise<boolean> {
  const writer = by === undefined ? undefined : (await drafts.get(key))?.by;
  const isOthers = writer !== undefined && by?.includes(writer) === false;
  if (!isOthers) await drafts.delete(key);
  return !isOthers;
}
