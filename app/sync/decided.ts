import type { MutationName } from '../../shared/mutations/index.ts';
import type { PersonDb } from '../db/person-db.ts';

/** A mutation that the server applied: enough for "Job posted!" and to tell it from one that the person cancelled. */
export interface AppliedNote {
  uid: string;
  name: MutationName;
}

/** More than fit one answer, so that no watcher can miss one. */
const keptNotes = 1_000;

/** The last ones that the server applied, oldest first. */
export async function appliedNotes(db: PersonDb): Promise<AppliedNote[]> {
  return ((await db.meta.get('applied'))?.value as AppliedNote[] | undefined) ?? [];
}

/** Inside the transaction that applies the answer. */
export async function noteApplied(db: PersonDb, notes: readonly AppliedNote[]): Promise<void> {
  if (notes.length === 0) return;
  const all = [...(await appliedNotes(db)), ...notes];
  await db.meta.put({ key: 'applied', value: all.slice(-keptNotes) });
}

export async function wasDecided(db: PersonDb, uid: string): Promise<boolean> {
  return (await db.refused.get(uid)) !== undefined || (await appliedNotes(db)).some((note) => note.uid === uid);
}
