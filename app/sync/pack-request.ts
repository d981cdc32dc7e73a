import {
  maxMutations,
  maxRequestBytes,
  type ExchangeRequest,
  type SentMutation,
} from '../../shared/protocol/exchange.ts';
import { filesOf, rowsOf } from '../../shared/mutations/run-mutation.ts';
import { mutationsVersion, protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import type { OutboxEntry, PersonDb } from '../db/person-db.ts';
import type { Fence } from './fence.ts';
import { journalTimelines, type Restored } from './journal.ts';
import type { CollectionsQuestion } from './ports.ts';

export interface PackOptions {
  epoch: number;
  /** Whose database this is. */
  userId: string;
  collections: CollectionsQuestion;
  /** Most mutations to send: fewer after a 413. */
  limit: number;
  /**
   * The last answer said there is more: ask for the rest first, and send nothing new meanwhile. Only these were sent
   * with the question for the first page and decided: what the server kept under a uid it has not compared with ours
   * may be about something else. Undefined: no page.
   */
  paging: readonly string[] | undefined;
  /** Asked as late as can be: a browser that starts to report no network is believed from then on. */
  seemsOnline(): boolean;
  /** The last request was answered though the browser reported no network. */
  heardOffline: boolean;
  /** Uid of what was marked as sent when it was made, and has not been. */
  marked?: string | undefined;
}

export interface Packed {
  request: ExchangeRequest;
  fence: Fence;
  /** What was never sent before, as it is now marked: see `unsend`. */
  firstSent: OutboxEntry[];
  /** What the browser reported as the mutations were marked. */
  seemedOnline: boolean;
  /** One record says of all of them that they are being sent; those that an answer leaves here are marked by then. */
  isMarkedAsOne: boolean;
}

/** More than so many are marked as sent by one record: as a rule they leave the outbox before each has to be. */
const markedSingly = 10;

/**
 * Space in a request for everything that is not a mutation: 500 uids to wait for, the cookie, the collections'
 * versions.
 */
const bytesForTheRest = 24 * 1024;

/**
 * The next question, from the head of the outbox in order (I2). What is sent is marked as sent, durably, before that
 * (C7), and the cause of an earlier attempt's failure is cleared. Undefined where another tab leads by now.
 */
export async function packRequest(db: PersonDb, options: PackOptions): Promise<Packed | undefined> {
  const { epoch, userId, collections } = options;
  return db.transaction('rw', ['outbox', 'meta', 'journal'], async () => {
    const [leader, meta, restored] = await db.meta.bulkGet(['leader', 'cookie', 'restored']);
    if ((leader?.value as { epoch: number } | undefined)?.epoch !== epoch) return undefined;
    const cookie = (meta?.value as string | undefined) ?? null;
    await markBegun(db);
    // The list is no longer than one request can carry: it costs the same whether fifty wait or five thousand. What was
    // sent before is among them.
    const entries = await readHead(db);
    const { paging } = options;
    const seemedOnline = options.seemsOnline();
    // Without a network, what was never sent stays unsent, so that it can still be cancelled (C7).
    const isProbe = !seemedOnline && !options.heardOffline;
    const going = paging === undefined ? chooseHead(entries, options.limit, isProbe) : [];
    const isUnsent = ({ state, uid }: OutboxEntry) => state === 'new' || uid === options.marked;
    const marked = going.map((entry) => (entry.uid === options.marked ? entry : begun(entry)));
    const isMarkedAsOne = marked.length > markedSingly;
    if (isMarkedAsOne) await db.meta.put({ key: 'sending', value: marked.map(({ seq }) => seq) });
    else await db.outbox.bulkPut(marked);
    const awaiting = entries.filter(({ uid }) => paging?.includes(uid)).map(({ uid }) => uid);
    return {
      request: questionOf({
        userId,
        cookie,
        collections,
        going,
        awaiting,
        journal: await journalTimelines(db),
        restored: restored?.value as Restored | undefined,
      }),
      fence: { epoch, cookie },
      firstSent: marked.filter((_, index) => isUnsent(going[index]!)),
      seemedOnline,
      isMarkedAsOne,
    };
  });
}

const begun = (entry: OutboxEntry): OutboxEntry => ({
  ...entry,
  state: 'sent',
  attempts: entry.attempts + 1,
  lastError: null,
});

/** Is it, unmarked, in a request that is leaving, or was when its app ended? Inside a transaction over `meta`. */
export async function isLeaving(db: PersonDb, seq: number): Promise<boolean> {
  const seqs = (await db.meta.get('sending'))?.value as number[] | undefined;
  return seqs?.includes(seq) === true;
}

/** Marks each of those that one record says are being sent (C7), of an earlier leader too. */
export const markSent = (db: PersonDb): Promise<void> =>
  db.transaction('rw', ['outbox', 'meta'], async () => markBegun(db));

/** The same inside a transaction over `outbox` and `meta`. */
export async function markBegun(db: PersonDb): Promise<void> {
  const sending = (await db.meta.get('sending'))?.value as number[] | undefined;
  if (sending === undefined) return;
  const seqs = new Set(sending);
  const between = db.outbox.where('seq').between(Math.min(...sending), Math.max(...sending), true, true);
  const entries = (await between.toArray()).filter(({ seq }) => seqs.has(seq));
  await Promise.all([db.outbox.bulkPut(entries.map(begun)), db.meta.delete('sending')]);
}

interface Question {
  userId: string;
  cookie: string | null;
  collections: CollectionsQuestion;
  going: readonly OutboxEntry[];
  awaiting: string[];
  journal: string[];
  restored: Restored | undefined;
}

export const questionOf = ({ collections, going, restored, ...question }: Question): ExchangeRequest => ({
  ...question,
  protocol: protocolVersion,
  schema: schemaVersion,
  mutationsVersion,
  shelves: collections.versions,
  timelines: collections.timelines,
  regions: collections.regions,
  mutations: going.map(asSent),
  held: restored?.held,
});

/**
 * The server has read nothing of this request (P7, S9): what it would have been the first to send counts as never sent
 * (C7).
 */
export async function unsend(db: PersonDb, { fence, firstSent }: Pick<Packed, 'fence' | 'firstSent'>): Promise<void> {
  if (firstSent.length === 0) return;
  await db.transaction('rw', ['outbox', 'meta'], async () => {
    const leader = await db.meta.get('leader');
    if ((leader?.value as { epoch: number } | undefined)?.epoch !== fence.epoch) return;
    const here = await db.outbox.bulkGet(firstSent.map(({ seq }) => seq));
    // The server may have read it if it was sent again since.
    const unsent = here.filter((entry, index) => entry?.attempts === firstSent[index]?.attempts);
    await db.outbox.bulkPut(unsent.map((entry) => ({ ...entry!, state: 'new' as const, attempts: 0 })));
  });
}

const asSent = ({ uid, name, args, at, from }: OutboxEntry): SentMutation => ({
  uid,
  name,
  args,
  at,
  ...(from === undefined ? {} : { from }),
});

/**
 * So much of what waits for another device's part of a restore goes with one request: it does not keep back what
 * follows it.
 */
const maxRestoring = 100;
const isRestoring = ({ restoring }: OutboxEntry) => restoring !== undefined;

/**
 * The entries from which one request is chosen. Where many are being restored, those asked for least often are among
 * them. What was made later about a row or a file of one that is not stays here with it (I2): without it, it would be
 * refused.
 */
async function readHead(db: PersonDb): Promise<OutboxEntry[]> {
  const head = await db.outbox.orderBy('seq').limit(maxMutations).toArray();
  if (head.filter(isRestoring).length <= maxRestoring) return head;
  const all = await db.outbox.orderBy('seq').toArray();
  const aboutOf = new Map(all.map((entry) => [entry, [...rowsOf(entry), ...filesOf(entry.name, entry.args)]]));
  const takeIn = (known: Set<string>, entry: OutboxEntry) => aboutOf.get(entry)!.forEach((one) => known.add(one));
  const isAbout = (known: Set<string>, entry: OutboxEntry) => aboutOf.get(entry)!.some((one) => known.has(one));

  // Each mutation goes with those before it that are about the same row: else the later one would be done first, and
  // undone by the earlier.
  const waiting = all.filter(isRestoring);
  let due = new Set<OutboxEntry>();
  for (const last of waiting.toSorted((one, other) => one.attempts - other.attempts)) {
    const next = new Set(due).add(last);
    const about = new Set(aboutOf.get(last));
    for (const entry of waiting.slice(0, waiting.indexOf(last)).toReversed()) {
      if (!isAbout(about, entry)) continue;
      takeIn(about, entry);
      next.add(entry);
    }
    if (next.size <= maxRestoring) due = next;
  }

  const missing = new Set<string>();
  const isGoing = (entry: OutboxEntry) => {
    const goes = isRestoring(entry) ? due.has(entry) : !isAbout(missing, entry);
    if (!goes) takeIn(missing, entry);
    return goes;
  };
  return all.filter(isGoing).slice(0, maxMutations);
}

function chooseHead(entries: OutboxEntry[], limit: number, isProbe: boolean): OutboxEntry[] {
  const going: OutboxEntry[] = [];
  const utf8 = new TextEncoder();
  let bytes = bytesForTheRest;
  for (const entry of entries.slice(0, limit)) {
    if (isProbe && entry.state === 'new') break;
    bytes += utf8.encode(JSON.stringify(asSent(entry))).byteLength + 1;
    // A mutation that is too big by itself is sent alone: the server's answer decides it, not silence.
    if (bytes > maxRequestBytes && going.length > 0) break;
    going.push(entry);
  }
  return going;
}
