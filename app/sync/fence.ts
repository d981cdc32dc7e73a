import type { PersonDb } from '../db/person-db.ts';

/** The epoch of the leader; one with an older epoch has been replaced, whether it has noticed or not (C6). */
export interface Fence {
  epoch: number;
  /** The cookie that must be stored: the one the question was asked with, or what its answer has put in its place. */
  cookie: string | null;
}

type Record = { value: unknown } | undefined;

/**
 * Why what was asked for under this fence may not be written: another tab leads by now, or the cookie is another.
 * Undefined where it may.
 */
export function fenceFailureOf(leader: Record, cookie: Record, fence: Fence): 'deposed' | 'other-question' | undefined {
  if ((leader?.value as { epoch: number } | undefined)?.epoch !== fence.epoch) return 'deposed';
  return (cookie?.value ?? null) === fence.cookie ? undefined : 'other-question';
}

/** The same as the disk has it, inside a transaction over `meta`. */
export async function readFenceFailure(db: PersonDb, fence: Fence): Promise<ReturnType<typeof fenceFailureOf>> {
  const [leader, cookie] = await db.meta.bulkGet(['leader', 'cookie']);
  return fenceFailureOf(leader, cookie, fence);
}
