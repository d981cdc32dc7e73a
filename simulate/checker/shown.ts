import { privateTableNames } from '../../shared/tables/index.ts';
import { unpackCookie } from '../../sync-server/sync/cookie.ts';
import type { Row } from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { Tab } from '../device/device.ts';
import type { ClientGroup } from './client-group.ts';
import type { DiskSnapshot, PrivateRows } from './disk-snapshot.ts';
import { i4NothingMissing, i8NothingExtra, i9OneVersion, i10NeverVanishes, type Seen } from './invariants-always.ts';
import type { SimProcess } from '../time/loop.ts';
import type { Counters } from '../world/counters.ts';
import { must, Violation } from './violation.ts';

type Known = Omit<Seen, 'group' | 'now'>;

/** As if the tab's memory were a disk. `isSaving`: with what is on its way to the disk, or as it would be without. */
function snapshotOf({ db: { rows } }: Tab, cookie: string, isSaving: boolean): DiskSnapshot {
  const { shown, stored } = rows;
  const isEarly = (table: string, id: string) =>
    shown.shadow.has(`${table},${id}`) && !stored.shadow.has(`${table},${id}`);
  const rowsOf = (table: (typeof privateTableNames)[number]) =>
    [...new Set([...shown[table].keys(), ...stored[table].keys()])].flatMap((id) => {
      const from = !isSaving && isEarly(table, id) ? stored : shown;
      return (from[table].get(id) as unknown as Row | undefined) ?? [];
    });
  return {
    privateRows: Object.fromEntries(privateTableNames.map((table) => [table, rowsOf(table)])) as unknown as PrivateRows,
    shadow: [...(isSaving ? shown : stored).shadow.values()],
    outbox: [...shown.outbox.values()],
    refused: [...shown.refused.values()],
    photos: [],
    applied: new Set(((shown.meta.get('applied')?.value ?? []) as { uid: string }[]).map(({ uid }) => uid)),
    cookie,
    place: unpackCookie(cookie),
    isLoading: shown.meta.has('snapshot'),
    epoch: undefined,
  };
}

/** C1, for what is shown: an entry that is not called "saving" is durable, or was. */
function c1ShownAsSaved(tab: Tab, group: ClientGroup, durable: ReadonlySet<string>): void {
  for (const { uid, state } of tab.db.rows.shown.outbox.values())
    must(
      state === 'saving' || durable.has(uid),
      'C1',
      group.key,
      () => `${uid} is shown as saved while its transaction is open`,
    );
}

/**
 * I4, I8, I9 for what is shown: it is as it was at the cookie that is stored, or at that of the answer that is just
 * being written.
 */
function agreesWithOneVersion(tab: Tab, group: ClientGroup, known: Known, cookies: readonly string[]): void {
  let broken: Violation | undefined;
  // A tap is seen over what was shown when it was made: over what the disk holds, or over an answer that is itself
  // being written.
  const states = cookies.flatMap((cookie) => [snapshotOf(tab, cookie, false), snapshotOf(tab, cookie, true)]);
  for (const now of states) {
    const seen = { ...known, group, now };
    try {
      for (const holds of [i9OneVersion, i4NothingMissing, i8NothingExtra]) holds(seen);
      return;
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      broken ??= error;
    }
  }
  if (broken !== undefined) throw broken;
}

/**
 * Answers that may have come to a tab and are not written yet, at most: the engine holds eight carried changes during
 * an exchange.
 */
const answersAtOnce = 10;

export const withLatest = (came: readonly string[] = [], cookie: string) => [cookie, ...came].slice(0, answersAtOnce);

/** Those of the answers that are not older than what is stored: only they may be shown before they are. */
function cameAfter(stored: string, came: readonly string[] = []): string[] {
  const versionOf = (cookie: string) => unpackCookie(cookie)?.v;
  const at = versionOf(stored);
  return came.filter((cookie) => at === undefined || BigInt(versionOf(cookie) ?? at) >= BigInt(at));
}

interface Watching extends Known {
  durable: ReadonlySet<string>;
  counters: Counters;
  /**
   * The cookies of the last answers that came to each tab, the newest first: while one is written, events may bring the
   * next.
   */
  latest: ReadonlyMap<SimProcess, readonly string[]>;
  accuse(violation: unknown): void;
}

/**
 * Checks what a tab shows, each time that it changes: nothing is called saved before it is (C1), no state is of two
 * versions (I9), and no write that was seen as saved vanishes from the screen (I10).
 */
export function watchScreen(tab: Tab, group: ClientGroup, watching: Watching): void {
  const { rows } = tab.db;
  const before = new Set<string>();
  const look = () => {
    if (rows.state().kind !== 'ready' || group.leftBefore !== undefined) return;
    watching.counters.count('a screen checked');
    c1ShownAsSaved(tab, group, watching.durable);
    const cookie = rows.shown.meta.get('cookie')?.value as string | undefined;
    if (cookie === undefined) return;
    agreesWithOneVersion(tab, group, watching, [cookie, ...cameAfter(cookie, watching.latest.get(tab.proc))]);
    for (const uid of group.mustSee.keys())
      if ((rows.shown.outbox.get(uid)?.state ?? 'saving') !== 'saving') before.add(uid);
    const mustSee = new Map([...group.mustSee].filter(([uid]) => before.has(uid)));
    i10NeverVanishes({ ...watching, group: { ...group, mustSee }, now: snapshotOf(tab, cookie, true) });
  };
  rows.subscribe(() => {
    if (tab.proc.state === 'dead') return;
    try {
      look();
    } catch (error) {
      watching.accuse(error);
    }
  });
}
