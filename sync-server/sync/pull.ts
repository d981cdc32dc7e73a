import { actorOf, type Actor } from '../../shared/actor.ts';
import { inTurn } from '../../shared/lib/in-turn.ts';
import {
  pageSize as defaultPageSize,
  type Delta,
  type ExchangeAnswer,
  type ExchangeRequest,
  type Outcome,
} from '../../shared/protocol/exchange.ts';
import { privateTableNames, type PrivateTableName } from '../../shared/tables/index.ts';
import { DatabaseRestored, isBehind } from '../db/notice-restore.ts';
import type { Change, ReadTx } from '../store/sync-store.ts';
import { isOtherThan, readOutcomes, rejectedReuse } from './claims.ts';
import { answerJournal, heldUntil } from './journals.ts';
import { signCookie, resetReason, schemaOf, unpackCookie, accessScopeOf, type Position } from './cookie.ts';
import { ProfileMissing } from './read-actor.ts';
import { tombstoneMs } from './purge-tombstones.ts';
import { readChanges } from './read-changes.ts';
import type { CollectionPort } from './collection-port.ts';
import type { EngineParts } from './sync-parts.ts';
import type { PushResult } from './push.ts';

export interface PullParts extends EngineParts {
  readonly collections?: CollectionPort | undefined;
  /** Rows a page; a test may want it small. */
  readonly pageSize?: number | undefined;
}

export interface PullResult {
  answer: ExchangeAnswer;
  actor: Actor;
  position: Position;
}

/**
 * The pull half of an exchange: one snapshot, begun after the mutations committed (S3). What changed for this person
 * since their cookie: the row where they may see it now, else its removal (S4). Without a cookie everything counts as
 * changed.
 *
 * @throws ProfileMissing; DatabaseRestored after a restore, until the new timeline has begun (S5).
 */
export function pull(
  parts: PullParts,
  userId: string,
  request: ExchangeRequest,
  pushed: PushResult,
): Promise<PullResult> {
  // `seen` is read before the snapshot: what a notice said by then is in it.
  const seen = parts.seen?.();
  return parts.store.snapshot(async (tx) => {
    const now = parts.clock().toISOString();
    const cookie = request.cookie === null ? undefined : unpackCookie(request.cookie);
    // Asked together: what most devices need, before it is known whether this one may have it.
    const [{ actor, position }, page, told, outcomes, heads] = await inTurn(
      readPosition(tx, userId, request.schema, now),
      readChanges(tx, userId, cookie?.v ?? '0', parts.pageSize ?? defaultPageSize),
      cookie === undefined || cookie.a !== undefined ? Promise.resolve([]) : tx.toldUntil(userId, cookie.v),
      outcomesFor(tx, userId, request, pushed.reused),
      Object.values(request.shelves).some((version) => version != null)
        ? tx.readCollectionHeads()
        : Promise.resolve(undefined),
    );
    if (seen !== undefined && isBehind(position, seen)) throw new DatabaseRestored();
    const reason = request.cookie === null ? undefined : resetReason(cookie, position);
    const journal = await answerJournal(tx, request, position, parts.safe);
    const forJournal = journal === undefined ? {} : { journal };
    if (reason !== undefined) return { answer: { kind: 'reset', reason, ...forJournal }, actor, position };

    const firstLoad = cookie === undefined ? position.head : cookie.h;
    const { until } = page;
    // After a restore a device tells by them what was removed from what was lost.
    const isHealing =
      firstLoad !== undefined && request.journal !== undefined && (await isRestored(tx, position.timeline, now));
    const saysRemovals = firstLoad === undefined || isHealing;
    const more = until !== undefined;
    const changes = more ? page.changes : withTold(page.changes, told);
    const [{ puts, removes }, shelves] = await inTurn(
      sortOut(tx, userId, changes, saysRemovals ? undefined : firstLoad),
      // Only the last page has collections: then rows, collections and outcomes are of one snapshot (P4, I9).
      more || parts.collections === undefined
        ? Promise.resolve({})
        : parts.collections.answer({
            tx: heads === undefined ? tx : { ...tx, readCollectionHeads: async () => heads },
            actor,
            now,
            asked: request.shelves,
            timelines: request.timelines,
            regions: request.regions,
            position,
            // A cookie of an unfinished first load says nothing of what this device held before.
            isCookieCurrent: cookie !== undefined && cookie.h === undefined,
          }),
    );
    const held = isHealing ? await heldUntil(tx, request, position) : undefined;
    const undecided = more ? withoutOutcome(request, outcomes) : [];
    const answer: Delta = {
      kind: 'delta',
      puts,
      removes,
      shelves,
      // A rejected reuse of a uid has no effect to wait for, and a page that only asks for outcomes could not tell it
      // from the uid's first mutation.
      outcomes: outcomes.filter(({ code }) => !more || code === 'uid-reused'),
      ...(undecided.length === 0 ? {} : { undecided }),
      ...(pushed.stopped === undefined ? {} : { stopped: pushed.stopped }),
      ...(more || pushed.restoring.length === 0 ? {} : { restoring: pushed.restoring }),
      ...forJournal,
      ...(held === undefined ? {} : { newer: newerThan(held, changes, puts) }),
      cookie: signCookie(
        {
          v: until ?? position.head,
          l: position.timeline,
          w: position.accessScope,
          s: position.schema,
          ...(more && firstLoad !== undefined ? { h: firstLoad } : {}),
          ...(cookie === undefined || cookie.a !== undefined || !more ? { a: 1 as const } : {}),
        },
        position.cookieKey,
      ),
      more,
      serverTime: now,
    };
    return { answer, actor, position };
  });
}

/** Each row once. */
function withTold(changes: readonly Change[], told: readonly Change[]): readonly Change[] {
  const keyOf = ({ table, id }: Change) => `${table}/${id}`;
  const known = new Set(changes.map(keyOf));
  return [...changes, ...told.filter((change) => !known.has(keyOf(change)))];
}

async function readPosition(
  tx: ReadTx,
  userId: string,
  schema: number,
  now: string,
): Promise<{ actor: Actor; position: Position }> {
  const read = await tx.readPosition(userId);
  if (read === undefined) throw new ProfileMissing();
  const { head, timeline, tombstoneFloor, isMoved, cookieKey } = read.position;
  if (isMoved) throw new DatabaseRestored();
  const actor = actorOf(read.person);
  return {
    actor,
    position: {
      head,
      timeline,
      accessScope: accessScopeOf(actor, now),
      schema: schemaOf(schema),
      cookieKey,
      tombstoneFloor,
    },
  };
}

/** Did the timeline begin with a restore, after which devices may still hold what is named as removed? */
const isRestored = async (tx: ReadTx, timeline: string, now: string) =>
  (await tx.readTimelines()).some(
    (begun) => begun.timeline === timeline && Date.parse(now) - begun.beganAt.getTime() < tombstoneMs,
  );

async function sortOut(
  tx: ReadTx,
  userId: string,
  changes: readonly Change[],
  firstLoad: string | undefined,
): Promise<Pick<Delta, 'puts' | 'removes'>> {
  const puts: Partial<Record<PrivateTableName, unknown[]>> = {};
  const removes: Delta['removes'] = {};
  const lists = await inTurn(
    ...privateTableNames.map(async (table) => {
      const changed = changes.filter((change) => change.table === table);
      const present = changed.filter(({ isRemoved }) => !isRemoved).map(({ id }) => id);
      return { table, changed, rows: present.length === 0 ? [] : await tx.visibleRows(table, present, userId) };
    }),
  );
  for (const { table, changed, rows } of lists) {
    const seen = new Set<string>(rows.map(({ id }) => id));
    const gone = changed.filter(
      ({ id, version }) => !seen.has(id) && (firstLoad === undefined || BigInt(version) > BigInt(firstLoad)),
    );
    if (rows.length > 0) puts[table] = rows;
    if (gone.length > 0) removes[table] = gone.map(({ id }) => id);
  }
  return { puts: puts as Delta['puts'], removes };
}

/** The rows that this answer brings and that changed after a version. */
function newerThan(version: bigint, changes: readonly Change[], puts: Delta['puts']): NonNullable<Delta['newer']> {
  const newer: NonNullable<Delta['newer']> = {};
  for (const { table, id, version: at } of changes)
    if (BigInt(at) > version && puts[table]?.some((row) => row.id === id) === true)
      newer[table] = [...(newer[table] ?? []), id];
  return newer;
}

async function outcomesFor(
  tx: ReadTx,
  userId: string,
  { mutations, awaiting }: ExchangeRequest,
  reused: readonly Outcome[],
): Promise<Outcome[]> {
  const answered = new Set(reused.map(({ uid }) => uid));
  const uids = [...new Set([...mutations.map(({ uid }) => uid), ...awaiting])].filter((uid) => !answered.has(uid));
  const decided = await readOutcomes(tx, userId, uids);
  // The outcomes are compared once more: one that could not be decided just now may have been overtaken by another use
  // of its uid.
  const sent = new Map(mutations.map((mutation) => [mutation.uid.toLowerCase(), mutation]));
  return [
    ...reused,
    ...decided.map(({ outcome, argsHash: hash }) => {
      const own = sent.get(outcome.uid);
      return own !== undefined && isOtherThan(own, hash) ? rejectedReuse(outcome.uid) : outcome;
    }),
  ];
}

const withoutOutcome = ({ mutations }: ExchangeRequest, outcomes: readonly Outcome[]): string[] => {
  const decided = new Set(outcomes.map(({ uid }) => uid.toLowerCase()));
  return mutations.map(({ uid }) => uid).filter((uid) => !decided.has(uid.toLowerCase()));
};
