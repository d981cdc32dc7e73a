import { pageSize, type Delta } from '../../shared/protocol/exchange.ts';
import { privateTableNames } from '../../shared/tables/index.ts';
import type { OutboxEntry, PersonDb } from '../db/person-db.ts';
import type { Early, Rows, ShownEarly } from '../db/private-rows.ts';
import { appliedIn, sentIn, withApplied, withSent } from './decided.ts';
import { fenceFailureOf, type Fence } from './fence.ts';
import type { Change } from './server-rows.ts';

/*
 * An answer is shown before it is on the disk: what was received can be asked for again, and what the server has
 * decided stays decided. Where the app ends in between, the next exchange brings the same outcomes and rows.
 */

/** What an answer says of the private tables. */
export function changesOf(answer: Delta): Change[] {
  return privateTableNames.flatMap((table) => [
    ...(answer.puts[table] ?? []).map((row) => ({ table, id: row.id, row })),
    ...(answer.removes[table] ?? []).map((id) => ({ table, id, row: undefined })),
  ]);
}

/**
 * May the answer be shown before it is written? Only what can be told from memory alone: it is a whole one to the
 * question that memory would ask, and leaves nothing of this person's waiting, for what waits would run over its rows.
 */
export function mayShowEarly({ rows }: PersonDb, fence: Fence, answer: Delta): boolean {
  const { meta } = rows.shown;
  const isFirst = fence.cookie === null || meta.has('snapshot');
  const isFenced = fenceFailureOf(meta.get('leader'), meta.get('cookie'), fence) !== undefined;
  return rows.at() !== undefined && !isFirst && !isFenced && !answer.more && leavesNoneWaiting(rows.shown, answer);
}

/** A rejection is not told early: it is shown once, with the text that the disk keeps. */
function leavesNoneWaiting({ outbox, meta }: Rows, { outcomes, journal }: Delta): boolean {
  if (outbox.size === 0) return true;
  // Of another timeline: what the journal holds may wait again.
  if (journal?.timeline !== meta.get('timeline')?.value) return false;
  const applied = new Set(outcomes.flatMap(({ uid, status }) => (status === 'applied' ? [uid] : [])));
  return [...outbox.keys()].every((uid) => applied.has(uid));
}

/**
 * Shows an answer, until the transaction ends that writes it; undefined where it may not be shown, or says nothing.
 *
 * @param at When it came, as people are shown it.
 */
export function showAnswer(db: PersonDb, fence: Fence, answer: Delta, at: string): ShownEarly | undefined {
  const changes = changesOf(answer);
  if (changes.length > pageSize || !mayShowEarly(db, fence, answer)) return undefined;
  const early: Early[] = [
    ...settled(db.rows.shown, answer, at),
    ...changes.map(({ table, id, row }) => ({ store: table, key: id, row: row as object | undefined })),
  ];
  return early.length === 0 ? undefined : db.rows.show(early, true);
}

/** What the outcomes leave of what waited: the server's rows, and the notes that it was applied. */
function settled({ outbox, shadow, meta }: Rows, { outcomes }: Delta, at: string): Early[] {
  const entries = outcomes.flatMap(({ uid }): OutboxEntry[] => {
    const entry = outbox.get(uid);
    return entry === undefined ? [] : [entry];
  });
  if (entries.length === 0) return [];
  const note = (key: 'applied' | 'sent', value: unknown): Early => ({ store: 'meta', key, row: { key, value } });
  return [
    ...entries.map(({ uid }): Early => ({ store: 'outbox', key: uid, row: undefined })),
    ...[...shadow].flatMap(([key, { table, id, row }]): Early[] => [
      { store: 'shadow', key, row: undefined },
      { store: table, key: id, row: (row ?? undefined) as object | undefined },
    ]),
    note('applied', withApplied(appliedIn(meta.get('applied')), entries)),
    note('sent', withSent(sentIn(meta.get('sent')), entries, at)),
  ];
}
