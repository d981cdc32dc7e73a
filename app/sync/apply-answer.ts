import { Dexie } from 'dexie';
import {
  maxMutations,
  pageSize,
  type Delta,
  type JournalAnswer,
  type Outcome,
} from '../../shared/protocol/exchange.ts';
import type { PrivateTableName } from '../../shared/tables/index.ts';
import type { Clock } from '../db/clock.ts';
import { received, type OutboxEntry, type PersonDb } from '../db/person-db.ts';
import { heardAt } from './corrected-now.ts';
import { noteApplied, noteSent } from './decided.ts';
import { writeSetStores } from './dexie-tx.ts';
import { readFenceFailure, type Fence } from './fence.ts';
import { keepDecided, meetTimeline, noteGone, noteRestoring, noteWentBack } from './journal.ts';
import { markBegun } from './pack-request.ts';
import type { Decided } from './ports.ts';
import { replayOutbox } from './replay.ts';
import { readServerRows, type Change } from './server-rows.ts';
import { changesOf, showAnswer } from './show-answer.ts';

export interface ApplyPorts {
  db: PersonDb;
  userId: string;
  clock: Clock;
}

export type ApplyResult =
  | { kind: 'taken'; decided: Decided[]; failedUids: string[] }
  /** Nothing was written (C3). */
  | { kind: 'discarded'; why: 'deposed' | 'other-question' };

type SeenIds = Partial<Record<PrivateTableName, string[]>>;

export const applyStores = [...writeSetStores, 'outbox', 'refused', 'journal', 'keptPhotos', 'meta', received] as const;

/**
 * Applies an answer: restores server rows, writes rows and removals, settles outcomes, replays, moves the cookie, in
 * ONE transaction (C2), so that a write is never acknowledged before its effect is here and never vanishes to come back
 * (I6, I10). An answer of more than a page is applied in chunks, so that live queries stay responsive; its outcomes and
 * its cookie with the last, so that a crash between two only asks for the same again.
 */
export async function applyAnswer(
  ports: ApplyPorts,
  fence: Fence,
  answer: Delta,
  at = heardAt(answer, ports.clock),
  early = showAnswer(ports.db, fence, answer, at),
): Promise<ApplyResult> {
  const changes = changesOf(answer);
  const failedUids: string[] = [];
  for (let from = 0; ; from += pageSize) {
    const isLast = from + pageSize >= changes.length;
    const chunk = { at, changes: changes.slice(from, from + pageSize), isFirst: from === 0, isLast };
    const applied = await ports.db
      .transaction('rw', [...applyStores], async () => {
        early?.endWith(Dexie.currentTransaction.idbtrans);
        return applyPage(ports, fence, answer, chunk);
      })
      .catch((error: unknown) => {
        early?.end();
        throw error;
      });
    if (applied.kind === 'discarded') return applied;
    failedUids.push(...applied.failedUids);
    if (isLast) return { ...applied, failedUids };
  }
}

/**
 * The cookie is of no use any more: the next exchange asks for everything. Rows and outbox stay until it has come; what
 * the database has lost is back in the outbox by then, so that nothing of it is missing from sight (I10).
 */
export async function forgetCookie(
  ports: Pick<ApplyPorts, 'db' | 'userId'>,
  fence: Fence,
  journal?: JournalAnswer,
): Promise<'taken' | 'deposed' | 'other-question'> {
  const { db } = ports;
  return db.transaction('rw', [...applyStores], async () => {
    const why = await readFenceFailure(db, fence);
    if (why !== undefined) return why;
    await db.meta.bulkDelete(['cookie', 'snapshot']);
    if (await meetTimeline(db, journal, fence.cookie)) {
      await replayOutbox(ports, await readServerRows(db));
    }
    return 'taken' as const;
  });
}

interface Chunk {
  /** When the answer came, as people are shown it. */
  at: string;
  changes: Change[];
  isFirst: boolean;
  isLast: boolean;
}

async function applyPage(
  ports: ApplyPorts,
  fence: Fence,
  answer: Delta,
  { at, changes, isFirst, isLast }: Chunk,
): Promise<ApplyResult> {
  const { db } = ports;
  const why = await readFenceFailure(db, fence);
  if (why !== undefined) return { kind: 'discarded', why };
  const outcomes = isLast ? answer.outcomes : [];
  // Memory is read before anything is written: until then it has what was on the disk.
  const before = changes.length + outcomes.length > 0 ? await readServerRows(db) : undefined;
  const seen = await noteSeen(db, changes, fence.cookie === null && isFirst);
  const hasMet = await meetTimeline(db, answer.journal, fence.cookie);
  const isSweep = isLast && !answer.more && seen !== undefined;
  let decided: Decided[] = [];
  let failedUids: string[] = [];
  if (before !== undefined || isSweep || hasMet) {
    const server = before ?? (await readServerRows(db));
    if (answer.newer) await noteWentBack(db, changes, answer.newer);
    server.put(changes);
    const swept = isSweep ? await server.sweep(seen) : [];
    if (isSweep) await db.meta.delete('snapshot');
    decided = await settle(db, answer, outcomes, at);
    failedUids = await replayOutbox(ports, server);
    if (isSweep) await noteGone(db, swept, ports.userId);
  }
  if (isLast) {
    await noteRestoring(db, answer.restoring);
    await writeMeta(ports, answer, at);
  }
  return { kind: 'taken', decided, failedUids };
}

/**
 * While a snapshot is coming, which rows it held; undefined otherwise. Kept on disk, so that the tab that leads when
 * the last page comes can tell which rows must leave.
 */
async function noteSeen(db: PersonDb, changes: Change[], isStart: boolean): Promise<SeenIds | undefined> {
  const before = isStart ? {} : ((await db.meta.get('snapshot'))?.value as SeenIds | undefined);
  if (before === undefined) return undefined;
  const seen: SeenIds = { ...before };
  for (const { table, id, row } of changes) if (row !== undefined) seen[table] = [...(seen[table] ?? []), id];
  await db.meta.put({ key: 'snapshot', value: seen });
  return seen;
}

/**
 * Outcomes leave the outbox; each rejection is shown to the person exactly once, because only an entry that was there
 * can move (I16).
 */
async function settle(
  db: PersonDb,
  answer: Pick<Delta, 'journal' | 'serverTime'>,
  outcomes: readonly Outcome[],
  at: string,
): Promise<Decided[]> {
  if (outcomes.length === 0) return [];
  const entries = await entriesOf(db, outcomes);
  const decided = outcomes.flatMap((outcome) => {
    const entry = entries.get(outcome.uid);
    return entry === undefined ? [] : [{ entry, outcome }];
  });
  const applied = decided.flatMap(({ entry, outcome }) => (outcome.status === 'applied' ? [entry] : []));
  await Promise.all([
    db.refused.bulkPut(decided.flatMap(({ entry, outcome }) => rejectedEntry(entry, outcome, at))),
    noteApplied(db, applied),
    noteSent(db, applied, at),
    keepDecided(db, decided, answer),
    dropFromOutbox(
      db,
      decided.map(({ entry }) => entry.seq),
    ),
  ]);
  return decided;
}

/**
 * One query for all: by uid, each of five hundred would be a query of its own. What is decided was sent, and stands at
 * the head of the outbox.
 */
async function entriesOf(db: PersonDb, outcomes: readonly Outcome[]): Promise<Map<string, OutboxEntry>> {
  const byUid = (entries: OutboxEntry[]) => new Map(entries.map((entry) => [entry.uid, entry]));
  const head = byUid(await db.outbox.orderBy('seq').limit(maxMutations).toArray());
  return outcomes.every(({ uid }) => head.has(uid)) ? head : byUid(await db.outbox.toArray());
}

/** Writes of a whole day, decided together, are settled in one step instead of five hundred. */
async function dropFromOutbox(db: PersonDb, seqs: number[]): Promise<void> {
  const [first, last] = [Math.min(...seqs), Math.max(...seqs)];
  if (last - first + 1 === seqs.length) await db.outbox.where('seq').between(first, last, true, true).delete();
  else await db.outbox.bulkDelete(seqs);
}

function rejectedEntry({ uid, seq, name, args, at, base }: OutboxEntry, outcome: Outcome, refusedAt: string) {
  const { status, code, message, fields } = outcome;
  if (status === 'applied') return [];
  return [
    {
      uid,
      seq,
      name,
      args,
      at,
      base,
      status,
      code: code ?? status,
      message:
        message ??
        (status === 'parked' ? 'We couldn’t process this yet. We’re looking into it.' : 'This was not accepted.'),
      fields: fields ?? null,
      refusedAt,
    },
  ];
}

async function writeMeta({ db, clock }: ApplyPorts, answer: Delta, at: string): Promise<void> {
  const now = clock.now();
  const [canary, sending] = await db.meta.bulkGet(['canary', 'sending']);
  if (sending !== undefined) await markBegun(db);
  await db.meta.bulkPut([
    { key: 'cookie', value: answer.cookie },
    { key: 'serverTimeOffset', value: Date.parse(answer.serverTime) - now },
    ...(answer.more ? [] : [{ key: 'lastSynced' as const, value: at }]),
    ...(canary === undefined ? [{ key: 'canary' as const, value: new Date(now).toISOString() }] : []),
  ]);
}
