import { privateTableNames } from '../../shared/tables/index.ts';
import {
  privateRowsIn,
  viewOfCommitted,
  type Committed,
} from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { Bucket } from '../server/bucket.ts';
import type { Decisions } from './decisions.ts';
import type { ClientGroup } from './client-group.ts';
import { asText, withServerRows, type DiskSnapshot } from './disk-snapshot.ts';
import { must, Violation } from './violation.ts';

/**
 * What a rule may read: one person's rows on one device at one instant, its history, and the server as it was and is.
 */
export interface Seen {
  group: ClientGroup;
  now: DiskSnapshot;
  decisions: Decisions;
  /** The server's rows at that version; undefined for another timeline. */
  at(version: number): Committed | undefined;
  timeline(): string;
  /** Did this cookie come with an answer that had everything (`more: false`)? Undefined for an unknown one. */
  isWhole(cookie: string): boolean | undefined;
}

/** I3: what was called saved is pending, or has an outcome. */
export function i3NothingLost({ group, now }: Seen): void {
  const waiting = new Set(now.outbox.map(({ uid }) => uid));
  const refused = new Set(now.refused.map(({ uid }) => uid));
  for (const uid of group.acknowledged) {
    const hasEnded =
      refused.has(uid) ||
      now.applied.has(uid) ||
      group.dealtWith.has(uid) ||
      group.cancelled.has(uid) ||
      group.dropping.has(uid) ||
      group.excused.has(uid);
    must(
      waiting.has(uid) || hasEnded,
      'I3',
      group.key,
      () => `${group.made.get(uid)?.name ?? '?'} ${uid} was called saved, and is nowhere`,
    );
  }
}

/** I6: what left the outbox as applied has its effect here. */
export function i6NoAckBeforeEffect({ group, now, decisions }: Seen): void {
  const waiting = new Set(now.outbox.map(({ uid }) => uid));
  for (const { uid } of group.lastOutbox) {
    if (waiting.has(uid) || !now.applied.has(uid)) continue;
    const decision = decisions.of(group.userId, uid);
    must(
      decision === undefined || decision.argsHash === group.made.get(uid)?.argsHash,
      'I6',
      group.key,
      () => `${uid} counts as applied, and what the server applied under it was something else`,
    );
    const version = decision?.version;
    const place = now.place === undefined ? 0 : Number(now.place.v);
    must(
      version === undefined || place >= version,
      'I6',
      group.key,
      () => `${uid} counts as applied (version ${version}), the rows are of version ${place}`,
    );
  }
}

/** I7: within one timeline, the cookies of complete answers only ever go forward. */
export function i7CookieMonotone({ group, now, isWhole }: Seen): void {
  const { place, cookie } = now;
  if (place === undefined || cookie === undefined || isWhole(cookie) !== true || now.isLoading) return;
  const highest = group.highest.get(place.l) ?? 0;
  must(Number(place.v) >= highest, 'I7', group.key, () => `the cookie went back from ${highest} to ${place.v}`);
  group.highest.set(place.l, Number(place.v));
}

/** What the world's homeowners' email addresses begin with; no row but one's own account may hold one. */
export const secret = 'secret-';

const expectations = new WeakMap<Committed, Map<string, ReturnType<typeof privateRowsIn>>>();

/** The oracle: this person's private rows as SQL has them at that version. */
export function expectedPrivateRows(committed: Committed, userId: string): ReturnType<typeof privateRowsIn> {
  const people = expectations.get(committed) ?? new Map<string, ReturnType<typeof privateRowsIn>>();
  expectations.set(committed, people);
  const privateRows = people.get(userId) ?? privateRowsIn(viewOfCommitted(committed), userId);
  people.set(userId, privateRows);
  return privateRows;
}

/** How the server rows on a device differ from what its person could see at the version of its cookie. */
interface Difference {
  version: number;
  /** `table id`. */
  extra: string[];
  missing: string[];
  /** The rows that are of another version. */
  other: { where: string; is: string; was: string }[];
  /** Rows that carry another person's email. */
  telling: string[];
}

const differences = new WeakMap<DiskSnapshot, Difference | 'not to be compared'>();

/**
 * Computed once for the rules that ask. Undefined while a first load is under way, between two pages, and for another
 * timeline.
 */
function differenceOf(seen: Seen): Difference | undefined {
  const known = differences.get(seen.now) ?? compare(seen) ?? 'not to be compared';
  differences.set(seen.now, known);
  return known === 'not to be compared' ? undefined : known;
}

function compare({ group, now, at, timeline, isWhole }: Seen): Difference | undefined {
  const { place, cookie } = now;
  if (
    place === undefined ||
    cookie === undefined ||
    now.isLoading ||
    isWhole(cookie) !== true ||
    place.l !== timeline()
  )
    return undefined;
  const version = Number(place.v);
  const committed = at(version);
  if (committed === undefined) return undefined;
  const expected = expectedPrivateRows(committed, group.userId);
  const serverRows = withServerRows(now);
  const found: Difference = { version, extra: [], missing: [], other: [], telling: [] };
  for (const table of privateTableNames) {
    const want = new Map(expected[table].map((row) => [String(row['id']), asText(row)]));
    for (const row of serverRows[table]) {
      const id = String(row['id']);
      const [is, was] = [asText(row), want.get(id)];
      want.delete(id);
      if (was === undefined) found.extra.push(`${table} ${id}`);
      else if (was !== is) found.other.push({ where: `${table} ${id}`, is, was });
      if (table !== 'users' && is.includes(secret)) found.telling.push(`${table} ${id}`);
    }
    found.missing.push(...Array.from(want.keys(), (id) => `${table} ${id}`));
  }
  return found;
}

/** I8: no row that this person may not see at that version, and no other person's address in one they may. */
export function i8NothingExtra(seen: Seen): void {
  const found = differenceOf(seen);
  if (found === undefined) return;
  must(
    found.extra.length === 0,
    'I8',
    seen.group.key,
    () => `${found.extra.join(', ')} is here at version ${found.version}, where this person may not see it`,
  );
  must(
    found.telling.length === 0,
    'I8',
    seen.group.key,
    () => `${found.telling.join(', ')} carries another person's email`,
  );
}

/** I9: every row is as it was at one and the same version. */
export function i9OneVersion(seen: Seen): void {
  const found = differenceOf(seen);
  const first = found?.other[0];
  if (found !== undefined && first !== undefined)
    throw new Violation(
      'I9',
      seen.group.key,
      `${first.where} is not as it was at version ${found.version}: ${first.is} for ${first.was}`,
    );
}

/** I4 at any time: a device that says it is at a version lacks nothing of it. */
export function i4NothingMissing(seen: Seen): void {
  const found = differenceOf(seen);
  must(
    found === undefined || found.missing.length === 0,
    'I4',
    seen.group.key,
    () => `${found?.missing.join(', ') ?? ''} is lacking at version ${found?.version ?? 0}`,
  );
}

/**
 * A pending interest is shown while the device itself would accept it: once it has learnt that the subscription ended
 * or the job closed, the interest is listed among the pending mutations, without effect, until the server decides
 * (replay.ts).
 */
function mayBeReplayed(now: DiskSnapshot, userId: string, jobId: string): boolean {
  const person = now.privateRows.users.find(({ id }) => id === userId);
  const job = withServerRows(now).jobs.find(({ id }) => id === jobId);
  return (
    person !== undefined &&
    (person['subscriptionStatus'] === 'active' || person['subscriptionStatus'] === 'trialing') &&
    person['subscriptionValidUntil'] === null &&
    job?.['status'] !== 'closed'
  );
}

/** I10: a write is visible from the time it is stored until it is rejected, cancelled or rightly gone. */
export function i10NeverVanishes({ group, now, decisions }: Seen): void {
  const refused = new Set(now.refused.map(({ uid }) => uid));
  for (const [uid, { table, id, jobId }] of group.mustSee) {
    if (
      refused.has(uid) ||
      group.dealtWith.has(uid) ||
      group.cancelled.has(uid) ||
      group.dropping.has(uid) ||
      group.excused.has(uid)
    )
      continue;
    const decision = decisions.of(group.userId, uid);
    // The server has decided it already, and another person's mutation has removed the outcome since: I4 checks that.
    if (
      decision !== undefined &&
      (decision.status !== 'applied' || decision.argsHash !== group.made.get(uid)?.argsHash)
    )
      continue;
    if (decision === undefined && table === 'interests' && !mayBeReplayed(now, group.userId, jobId)) continue;
    const isSeen =
      table === 'jobs'
        ? now.privateRows.jobs.some((row) => row['id'] === id)
        : now.privateRows.interests.some((row) => row['jobId'] === jobId && row['userId'] === group.userId);
    must(isSeen, 'I10', group.key, () => `${group.made.get(uid)?.name ?? '?'} ${uid} is not to be seen any more`);
  }
}

/** I13: no other person's account or work in this person's database. */
export function i13Isolated({ group, now }: Seen): void {
  must(
    now.privateRows.users.every(({ id }) => id === group.userId),
    'I13',
    group.key,
    () => 'holds another person’s account',
  );
  for (const { uid } of now.outbox)
    must(group.made.has(uid), 'I13', group.key, () => `${uid} waits here and was made elsewhere`);
}

/** I16: each rejection is shown to the person once. */
export function i16RejectionOnce({ group, now, decisions }: Seen): void {
  for (const { uid, code } of now.refused) {
    const decision = decisions.of(group.userId, uid);
    const isKnown =
      group.excused.has(uid) || code === 'uid-reused' || (decision !== undefined && decision.status !== 'applied');
    must(isKnown, 'I16', group.key, () => `${uid} is shown as not accepted, and the server never said so`);
    if (group.lastRejected.has(uid)) continue;
    const times = (group.shown.get(uid) ?? 0) + 1;
    group.shown.set(uid, times);
    must(
      times === 1 || group.wasRolledBack,
      'I16',
      group.key,
      () => `the rejection of ${uid} was shown ${times} times`,
    );
  }
}

/** I12, first half: bytes leave the device when storage has them, or when the person discarded them. */
export function i12BytesKept({ group, now }: Seen, bucket: Bucket): void {
  const here = new Set(now.photos.map(({ id }) => id));
  for (const [id, { path, bytes, jobId }] of group.photos) {
    if (here.has(id) || group.droppedPhotos.has(id)) continue;
    const stored = bucket.file(path);
    must(
      stored?.bytes === bytes,
      'I12',
      group.key,
      () => `photo ${id} of ${bytes} bytes is gone, and storage has ${stored?.bytes ?? 'none'}`,
    );
    group.photos.delete(id);
    group.sentPhotos.set(id, { path, jobId });
  }
}

export const invariantsAlways = [
  i3NothingLost,
  i6NoAckBeforeEffect,
  i7CookieMonotone,
  i8NothingExtra,
  i9OneVersion,
  i4NothingMissing,
  i10NeverVanishes,
  i13Isolated,
  i16RejectionOnce,
] as const;
