import type { MutationName } from '../../shared/mutations/index.ts';
import type { OutboxEntry, PersonDb } from '../db/person-db.ts';

/** A mutation that the server applied: enough for "Job posted!" and to tell it from one that the person cancelled. */
export interface AppliedNote {
  uid: string;
  name: MutationName;
}

/** More than fit one answer, so that no watcher can miss one. */
const keptNotes = 1_000;

type MetaRecord = { readonly value: unknown } | undefined;

/** The last ones that the server applied, oldest first. */
export const appliedIn = (record: MetaRecord): AppliedNote[] => (record?.value as AppliedNote[] | undefined) ?? [];

export async function appliedNotes(db: PersonDb): Promise<AppliedNote[]> {
  return appliedIn(await db.meta.get('applied'));
}

export const withApplied = (before: readonly AppliedNote[], entries: readonly AppliedNote[]): AppliedNote[] =>
  [...before, ...entries.map(({ uid, name }) => ({ uid, name }))].slice(-keptNotes);

/** Inside the transaction that applies the answer. */
export async function noteApplied(db: PersonDb, entries: readonly AppliedNote[]): Promise<void> {
  if (entries.length === 0) return;
  await db.meta.put({ key: 'applied', value: withApplied(await appliedNotes(db), entries) });
}

/** What the server took, for "Sent 8:13 pm" on what it is about: with its arguments, long texts cut short. */
export interface SentNote {
  uid: string;
  name: MutationName;
  args: unknown;
  /** ISO instant by this device's clock. */
  at: string;
}

/** Enough for a day of one person; every answer that decides something writes them all. */
const keptSent = 20;
/** So many letters of a text are kept: a title is no longer. */
const keptLetters = 100;

export const sentIn = (record: MetaRecord): SentNote[] => (record?.value as SentNote[] | undefined) ?? [];

export function withSent(before: readonly SentNote[], entries: readonly OutboxEntry[], at: string): SentNote[] {
  const notes = entries.slice(-keptSent).map(({ uid, name, args }) => ({ uid, name, args: cutShort(args), at }));
  return [...before, ...notes].slice(-keptSent);
}

/** Inside the transaction that applies the answer. */
export async function noteSent(db: PersonDb, entries: readonly OutboxEntry[], at: string): Promise<void> {
  if (entries.length === 0) return;
  await db.meta.put({ key: 'sent', value: withSent(sentIn(await db.meta.get('sent')), entries, at) });
}

const cutShort = (args: unknown): unknown =>
  JSON.parse(
    JSON.stringify(args, (_key, value: unknown) => (typeof value === 'string' ? value.slice(0, keptLetters) : value)),
  );

/**
 * What a restore sends back to the outbox is not decided any more: neither "applied" nor "Sent 8:13 pm" may be said of
 * it.
 */
export async function forgetNotes(db: PersonDb, uids: readonly string[]): Promise<void> {
  const again = new Set(uids);
  for (const key of ['applied', 'sent'] as const) {
    const notes = ((await db.meta.get(key))?.value as { uid: string }[] | undefined) ?? [];
    const kept = notes.filter(({ uid }) => !again.has(uid));
    if (kept.length < notes.length) await db.meta.put({ key, value: kept });
  }
}

/** The mutation is in the outbox, or was in it and has an outcome. */
export async function isQueuedOrDecided(db: PersonDb, uid: string): Promise<boolean> {
  return (await db.outbox.get({ uid })) !== undefined || (await wasDecided(db, uid));
}

export async function wasDecided(db: PersonDb, uid: string): Promise<boolean> {
  return (await db.refused.get(uid)) !== undefined || (await appliedNotes(db)).some((note) => note.uid === uid);
}
