import type { ExchangeRequest, JournalAnswer } from '../../shared/protocol/exchange.ts';
import { unpackCookie } from './cookie.ts';
import type { EngineParts } from './sync-parts.ts';
import type { BegunTimeline, ReadTx, StorePosition } from '../store/sync-store.ts';

/**
 * What a device with a journal is told (S13); undefined where it does not ask. It asks where it keeps something, where
 * it needs the position for what is decided with this answer, where it loads everything anew, and where its journal has
 * met no timeline yet: it was updated from an app without one, and would not notice a restore. Where something is safe,
 * each answer says so.
 */
export async function answerJournal(
  tx: ReadTx,
  { journal, mutations, awaiting, cookie }: Pick<ExchangeRequest, 'journal' | 'mutations' | 'awaiting' | 'cookie'>,
  { timeline, head }: Pick<StorePosition, 'timeline' | 'head'>,
  safeIn: EngineParts['safe'],
): Promise<JournalAnswer | undefined> {
  if (journal === undefined) return undefined;
  const others = journal.filter((one) => one !== timeline);
  const safe = safeIn?.(timeline);
  const hasMet = journal.length > 0 && others.length === 0;
  const isQuiet = hasMet && mutations.length === 0 && awaiting.length === 0 && cookie !== null;
  if (isQuiet && safe === undefined) return undefined;
  const known = others.length === 0 ? {} : knownVersions(timeline, await tx.readTimelines(), others);
  return { timeline, version: head, known, ...(safe === undefined ? {} : { safe }) };
}

/**
 * Does the device know of this timeline? One with a journal names every timeline that it has something of. What it made
 * since must not be decided before what it sends again (I2), nor refused for want of what a restore has lost.
 */
export function hasMetTimeline({ journal, cookie }: ExchangeRequest, timeline: string): boolean {
  if (journal === undefined) return true;
  const read = cookie === null ? undefined : unpackCookie(cookie);
  return journal.every((one) => one === timeline) && (read === undefined || read.l === timeline);
}

/**
 * Up to which version this database and a device that loads everything anew have both had all changes; undefined where
 * that is not known. A row that has not changed since is here as it was then: where the device has another, that one
 * was made later, and was lost.
 */
export async function heldUntil(
  tx: ReadTx,
  { held }: Pick<ExchangeRequest, 'held'>,
  { timeline }: Pick<StorePosition, 'timeline'>,
): Promise<bigint | undefined> {
  const cookie = held === undefined ? undefined : unpackCookie(held);
  if (cookie === undefined) return undefined;
  const point = knownVersions(timeline, await tx.readTimelines(), [cookie.l])[cookie.l];
  if (point === undefined) return undefined;
  return BigInt(cookie.v) < BigInt(point) ? BigInt(cookie.v) : BigInt(point);
}

/** Up to which version this timeline has each of those before it, of the ones that are asked for. */
function knownVersions(
  timeline: string,
  begun: readonly BegunTimeline[],
  asked: readonly string[],
): Record<string, string> {
  const known: Record<string, string> = {};
  for (let at = begun.find((one) => one.timeline === timeline); at !== undefined;) {
    const { previous, point } = at;
    if (asked.includes(previous)) known[previous] = point;
    at = begun.find((one) => one.timeline === previous);
  }
  return known;
}
