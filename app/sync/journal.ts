import { day } from '../../shared/lib/durations.ts';
import { same } from '../../shared/mutations/edit.ts';
import { madeRowOf, rowsOf } from '../../shared/mutations/run-mutation.ts';
import { maxTimelines, type Delta, type JournalAnswer } from '../../shared/protocol/exchange.ts';
import type { JournalEntry, OutboxEntry, PersonDb } from '../db/person-db.ts';
import { privateTableNames, type Job, type PrivateTableName, type Tradie } from '../../shared/tables/index.ts';
import { forgetNotes } from './decided.ts';
import type { Decided } from './ports.ts';

/*
 * What the server has taken stays here, so that a database that was restored can be told again (C16). Every function
 * runs inside the transaction of its caller, over `journal`, `keptPhotos`, `outbox`, `refused` and `meta` (what counts
 * rows: the private tables and `shadow` too).
 */

/**
 * An entry leaves once so many bytes came after it. Each counts as `leastBytes` at least, so that they are 2,000 at
 * most.
 */
const limits = { bytes: 2_000_000, leastBytes: 1_000, ms: 30 * day } as const;

/**
 * The entry of `meta` that says what restores of the server's database have taken from this device, until the person
 * has read it.
 */
export interface Restored {
  /** So many rows left, as an app of before counted them. */
  gone: number;
  /** Rows that left. Those that have come back since do not count any more. */
  left?: [PrivateTableName, string][];
  /** So many are there still, as they were before a change that was lost. */
  wentBack?: number;
  /**
   * The rows that have gone back so far, and the cookie of what was here before: kept from a restore to the first whole
   * answer after it.
   */
  older?: [PrivateTableName, string][] | undefined;
  held?: string | undefined;
}

/** Writes of a whole day, decided together, are five records instead of five hundred. */
const maxMore = 99;
/** What shows a photo or a logo is looked for one by one. */
const isLookedFor = (name: string) => name === 'photo.attach' || name === 'profile.edit';

const eachOf = ({ more = [], ...first }: JournalEntry): JournalEntry[] => [
  first,
  ...more.map((one) => ({ ...first, ...one })),
];

const readRestored = async (db: PersonDb) => (await db.meta.get('restored'))?.value as Restored | undefined;
const putRestored = (db: PersonDb, value: Restored) => db.meta.put({ key: 'restored', value });

/** The timelines that the next request names: of every entry, and the one that it was in last. */
export async function journalTimelines(db: PersonDb): Promise<string[]> {
  const all = new Set<string>();
  const met = (await db.meta.get('timeline'))?.value as string | undefined;
  if (met !== undefined) all.add(met);
  // Each key is read from the one before: WebKit cannot ask an empty store for its different keys
  // (https://bugs.webkit.org/show_bug.cgi?id=319640).
  let entry = await db.journal.orderBy('timeline').first();
  while (entry !== undefined && all.size < maxTimelines) {
    all.add(entry.timeline);
    entry = await db.journal.where('timeline').above(entry.timeline).first();
  }
  return [...all];
}

/**
 * Keeps what the server has applied, and dead letters, in the transaction in which they leave the outbox. A rejection
 * is not kept: it ends there. `serverTime`: ISO instant; the device's clock may be wrong.
 */
export async function keepDecided(
  db: PersonDb,
  decided: readonly Decided[],
  { journal: answer, serverTime }: Pick<Delta, 'journal' | 'serverTime'>,
): Promise<void> {
  const kept = decided
    .filter(({ outcome }) => outcome.status !== 'refused')
    .toSorted((one, other) => one.entry.seq - other.entry.seq);
  if (answer === undefined || kept.length === 0) return;
  const { timeline, version } = answer;
  let upTo = (await db.journal.orderBy('upTo').last())?.upTo ?? 0;
  const records: JournalEntry[] = [];
  for (const { entry, outcome } of kept) {
    const { uid, seq, name, args, at, base } = entry;
    upTo += Math.max(limits.leastBytes, JSON.stringify([args, base]).length);
    const one = { uid, seq, name, args, at, base, isDeadLetter: outcome.status === 'parked' };
    const run = records.at(-1);
    if (run?.name !== name || isLookedFor(name) || run.more?.length === maxMore)
      records.push({ ...one, timeline, version, keptAt: serverTime, upTo });
    else {
      (run.more ??= []).push(one);
      run.upTo = upTo;
    }
  }
  await db.journal.bulkPut(records);
  const before = new Date(Date.parse(serverTime) - limits.ms).toISOString();
  await forget(db, await db.journal.where('keptAt').below(before).toArray());
  await forget(
    db,
    await db.journal
      .where('upTo')
      .belowOrEqual(upTo - limits.bytes)
      .toArray(),
  );
}

/** Ids in `keptPhotos`: the photo, or the logo's reference, that this mutation shows. */
export function shownBy({ name, args }: Pick<JournalEntry, 'name' | 'args'>): string[] {
  const { id, set } = args as { id: string; set?: { logo?: string } };
  return name === 'photo.attach' ? [id] : name === 'profile.edit' && set?.logo ? [set.logo] : [];
}

/** What is forgotten is not asked for again, nor are the photos and the logo that it shows. */
async function forget(db: PersonDb, entries: readonly JournalEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await db.journal.bulkDelete(entries.map(({ uid }) => uid));
  await db.keptPhotos.bulkDelete(entries.flatMap(shownBy));
}

/**
 * Takes in what an answer says of timelines (S13). What this database does not know returns to the outbox: under its
 * uid, at its old place, and so before all that was made later. What waits there since before the database was restored
 * is marked as of that timeline.
 *
 * @param cookie Of what is here.
 * @returns whether anything has returned: the caller replays the outbox.
 */
export async function meetTimeline(
  db: PersonDb,
  answer: JournalAnswer | undefined,
  cookie?: string | null,
): Promise<boolean> {
  if (answer === undefined) return false;
  const { timeline, known, safe } = answer;
  const met = (await db.meta.get('timeline'))?.value as string | undefined;
  if (met !== timeline) await db.meta.put({ key: 'timeline', value: timeline });
  const others = await db.journal.where('timeline').notEqual(timeline).toArray();
  const hasReturned = others.length > 0 && (await sortOut(db, others, { timeline, known }));
  if (met !== undefined && met !== timeline) {
    await markPending(db, met);
    // A note of an earlier restore stays until the person reads it; one that is not counted yet goes on with this
    // restore.
    await putRestored(db, { gone: 0, older: [], held: cookie ?? undefined, ...(await readRestored(db)) });
  }
  if (safe !== undefined) await forgetSafe(db, timeline, safe);
  return hasReturned;
}

/** @returns whether anything has returned to the outbox. */
async function sortOut(
  db: PersonDb,
  others: readonly JournalEntry[],
  { timeline, known }: Pick<JournalAnswer, 'timeline' | 'known'>,
): Promise<boolean> {
  const isKnown = (entry: JournalEntry) => {
    const until = known[entry.timeline];
    return until !== undefined && BigInt(entry.version) < BigInt(until);
  };
  await db.journal.bulkPut(others.filter(isKnown).map((entry) => ({ ...entry, timeline })));
  const unknown = others.filter((entry) => !isKnown(entry)).flatMap(eachOf);
  const uids = unknown.map(({ uid }) => uid);
  const rejected = await db.refused.bulkGet(uids);
  // A dead letter that is not there any more has been dealt with by its person.
  const lost = unknown.filter(({ isDeadLetter }, at) => !isDeadLetter || rejected[at] !== undefined);
  await db.journal.bulkDelete(uids);
  await db.refused.bulkDelete(uids);
  await db.outbox.bulkPut(lost.map(asPending));
  await forgetNotes(db, uids);
  return lost.length > 0;
}

/** A dead letter never had an effect: it comes without the version at which it would have had one. */
function asPending({ uid, seq, name, args, at, base, isDeadLetter, timeline, version }: JournalEntry): OutboxEntry {
  const from = isDeadLetter ? { timeline } : { timeline, version };
  return { uid, seq, name, args, at, base, from, state: 'sent', attempts: 0, lastError: null };
}

async function markPending(db: PersonDb, timeline: string): Promise<void> {
  const pending = (await db.outbox.toArray()).filter(({ from }) => from === undefined);
  await db.outbox.bulkPut(pending.map((entry) => ({ ...entry, from: { timeline } })));
}

/** Forgets what is in a backup, or on a standby: it will not be asked for again. */
async function forgetSafe(db: PersonDb, timeline: string, safe: string): Promise<void> {
  const known = await db.journal.where('timeline').equals(timeline).toArray();
  await forget(
    db,
    known.filter(({ version }) => BigInt(version) < BigInt(safe)),
  );
}

/**
 * Notes which rows of a first load after a restore go back behind what is here: they have not changed since (`newer`
 * does not name them), and are others. Called before they are written. A server that cannot tell says nothing, and
 * nothing is counted.
 */
export async function noteWentBack(
  db: PersonDb,
  rows: readonly { table: PrivateTableName; id: string; row: unknown }[],
  newer: NonNullable<Delta['newer']>,
): Promise<void> {
  const { older = [], ...restored } = { ...(await readRestored(db)) } as Restored;
  const went = new Map(older.map((key) => [String(key), key]));
  const keys = rows.map(({ table, id }): [PrivateTableName, string] => [table, id]);
  const shadows = await db.shadow.bulkGet(keys);
  for (const table of privateTableNames) {
    const isNewer = new Set(newer[table]);
    const own = rows.flatMap((one, at) => (one.table === table ? [{ ...one, shadow: shadows[at] }] : []));
    const held = own.length > 0 ? await db.table(table).bulkGet(own.map(({ id }) => id)) : [];
    for (const [at, { id, row, shadow }] of own.entries()) {
      // A later page may bring what another phone has given back meanwhile.
      const isBack = !isNewer.has(id) && isOther(row as object | undefined, shadow ? shadow.row : held[at]);
      if (isBack) went.set(`${table},${id}`, [table, id]);
      else went.delete(`${table},${id}`);
    }
  }
  await putRestored(db, { ...restored, older: [...went.values()] });
}

/** What follows from other rows is counted by those. */
const isOther = (row: object | undefined, held: Readonly<Record<string, unknown>> | null | undefined): boolean =>
  !!held &&
  Object.entries(row ?? {}).some(
    ([column, value]) => column !== ('interestCount' satisfies keyof Job) && !same(value, held[column]),
  );

/**
 * Counts what a restored database has taken, with its first whole answer: the rows that left, and those that went back
 * to what they were before a change, as far as no pending mutation of this person has brought them back: what others
 * had made. It adds up until the person has read it. Their own business was made by a call, and comes back by none of
 * it: it is kept, for them to fill in again.
 */
export async function noteGone(
  db: PersonDb,
  swept: readonly { table: PrivateTableName; id: string; row: unknown }[],
  userId: string,
): Promise<void> {
  const restored = await readRestored(db);
  if (restored?.older === undefined) return;
  // A mutation that only changes a row, such as its having been seen, brings back none.
  const bringing = (await db.outbox.toArray()).filter((entry) => madeRowOf(entry) !== undefined);
  const own = new Set(bringing.flatMap(rowsOf));
  const business = swept.find(({ table, row }) => table === 'tradies' && (row as Tradie).userId === userId);
  if (business !== undefined) {
    await db.meta.put({ key: 'lostBusiness', value: business.row });
    own.add(business.id);
  }
  const ids = new Set(swept.map(({ id }) => id));
  // Another person's job or business is here for an interest, which counts for it; an interest in a job that left goes
  // with the job.
  const isCounted = ({ table, row }: (typeof swept)[number]) => {
    const { userId: whose, jobId } = row as { userId?: string | null; jobId?: string };
    if (table === 'interests') return whose === userId || !ids.has(jobId ?? '') || own.has(jobId ?? '');
    return (table !== 'jobs' && table !== 'tradies') || whose === userId;
  };
  const others = swept.filter((one) => isCounted(one) && !own.has(one.id));
  const rows = await Promise.all(others.map(({ table, id }) => db.table(table).get(id)));
  const left = new Map((restored.left ?? []).map((key) => [String(key), key]));
  for (const [at, { table, id }] of others.entries())
    if (rows[at] === undefined) left.set(`${table},${id}`, [table, id]);
  // What waits touches this row, so this person brings it. Their own row is without the business that is lost.
  const older = restored.older.filter(([, id]) => !ids.has(id) && (business === undefined || id !== userId));
  const shadows = await db.shadow.bulkGet(older);
  const wentBack = (restored.wentBack ?? 0) + shadows.filter((shadow) => shadow === undefined).length;
  const { gone } = restored;
  await (gone + left.size + wentBack === 0
    ? db.meta.delete('restored')
    : putRestored(db, { gone, left: [...left.values()], wentBack }));
}

/** Notes of what waits for another device's part of a restore what is missing, so that the person sees it. */
export async function noteRestoring(db: PersonDb, restoring: Delta['restoring'] = []): Promise<void> {
  if (restoring.length === 0) return;
  const missing = new Map(restoring.map(({ uid, code }) => [uid, code]));
  const entries = await db.outbox
    .where('uid')
    .anyOf([...missing.keys()])
    .toArray();
  const changed = entries.filter(({ uid, restoring: before }) => before !== missing.get(uid));
  await db.outbox.bulkPut(changed.map((entry) => ({ ...entry, restoring: missing.get(entry.uid) })));
}
