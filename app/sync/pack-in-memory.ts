import type { PersonDb } from '../db/person-db.ts';
import type { Restored } from './journal.ts';
import { questionOf, type Packed, type PackOptions } from './pack-request.ts';

/**
 * The question that sends the one mutation that was marked as sent when it was written (C7), without the disk: nothing
 * else waits, and memory has what the disk has. Undefined where that cannot be told; then the disk is asked.
 */
export function packInMemory(
  { rows }: PersonDb,
  { epoch, userId, collections, paging, heardOffline, marked = '' }: PackOptions,
  journal: readonly string[],
): Packed | undefined {
  const { outbox, meta } = rows.stored;
  const entry = outbox.get(marked);
  const leader = meta.get('leader')?.value as { epoch: number } | undefined;
  const isAlone = outbox.size === 1 && entry?.state === 'sent' && entry.attempts === 1 && paging === undefined;
  if (rows.at() === undefined || !isAlone || leader?.epoch !== epoch || heardOffline) return undefined;
  const cookie = (meta.get('cookie')?.value as string | undefined) ?? null;
  return {
    request: questionOf({
      userId,
      cookie,
      collections,
      going: [entry],
      awaiting: [],
      journal: [...journal],
      restored: meta.get('restored')?.value as Restored | undefined,
    }),
    fence: { epoch, cookie },
    firstSent: [entry],
    seemedOnline: true,
    isMarkedAsOne: false,
  };
}
