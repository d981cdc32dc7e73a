import { actorOf, hasSubscription } from '../../shared/actor.ts';
import { must } from '../../shared/lib/must.ts';
import type { KnownFiles } from '../../shared/mutations/own-file.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { runMutation } from '../../shared/mutations/run-mutation.ts';
import type { Delta, ExchangeAnswer, ExchangeRequest, Outcome, SentMutation } from '../../shared/protocol/exchange.ts';
import { privateTableNames, type PrivateTableName, type User } from '../../shared/tables/index.ts';
import { emptyMemoryRows, memoryTx, type MemoryRows } from '../../shared/testing/memory-tx.ts';
import { fakeCollections, type FakeCollections } from './fake-collections.ts';
import { audienceOf, privateRowsOf, looseRows, maskFor, rowsHangingOn, type LooseRow } from './fake-visibility.ts';
import { rejectUnlisted } from './reject-unlisted.ts';

/*
 * The server's side of the exchange in memory: the real mutations, real visibility from the table definitions, one version for each
 * transaction, stored outcomes, resets, pages. Without a database, and without HTTP (see fake-network.ts).
 */

interface Change {
  table: PrivateTableName;
  id: string;
  version: number;
  audience: Set<string>;
}

export interface Decision {
  userId: string;
  uid: string;
  name: string;
  status: Outcome['status'];
}

export interface FakeServer {
  readonly rows: MemoryRows;
  /** What was decided, in order, each once. */
  readonly decisions: readonly Decision[];
  readonly collections: FakeCollections;
  exchange(userId: string, request: ExchangeRequest): Promise<ExchangeAnswer>;
  /** A transaction that no device here sent: billing, an operator, another person's phone. */
  write(change: (rows: MemoryRows) => void): void;
  privateRowsOf(userId: string): Record<PrivateTableName, LooseRow[]>;
  /** What this person may see changed in a way that no row shows: their next answer is a reset (S4). */
  bumpView(userId: string): void;
  /** The database was restored: older cookies are of another timeline (S5). */
  changeTimeline(): void;
  /** Forgets removals, and accepts no older cookie (S5). */
  purgeTombstones(): void;
  /** Rows a page; whole transactions, so it may be more. */
  setPageSize(rows: number): void;
  /** The mutations named here meet a transient fault: the batch stops before them. */
  setFault(isFaulty: (mutation: SentMutation) => boolean): void;
  /** What storage says of the files that mutations name; undefined: it cannot be asked. */
  setFiles(files: KnownFiles | undefined): void;
  /** Called at each commit, as a poke would be sent. */
  onCommit(hear: () => void): () => void;
  now(): string;
}

/**
 * `whole`: the version from which on removals must be known. While a snapshot is paged it is the head at its start, not the page's own
 * version: else a long snapshot below the tombstones' floor would be reset at each page, for ever.
 */
type Cookie = { version: number; whole: number; lineage: number; view: number; schema: number };

export function fakeServer(clock: { now(): number }): FakeServer {
  let rows = emptyMemoryRows();
  let version = 0;
  let lineage = 1;
  let floor = 0;
  let pageSize = 1_000;
  let isFaulty: (mutation: SentMutation) => boolean = () => false;
  let files: KnownFiles | undefined;
  const changes = new Map<string, Change>();
  const outcomes = new Map<string, { outcome: Outcome; args: string }>();
  const views = new Map<string, number>();
  const decisions: Decision[] = [];
  const listeners = new Set<() => void>();
  const now = () => new Date(clock.now()).toISOString();

  const copyOf = (from: MemoryRows) =>
    Object.fromEntries(
      privateTableNames.map((table) => [table, new Map(looseRows(from, table))]),
    ) as unknown as MemoryRows;

  /** One version for all that a transaction changed, and everybody who could see it before or after. */
  function commit(before: MemoryRows): void {
    const touched = new Map<string, { table: PrivateTableName; id: string }>();
    const touch = (at: { table: PrivateTableName; id: string }) => touched.set(`${at.table}/${at.id}`, at);
    for (const table of privateTableNames) {
      const [old, fresh] = [looseRows(before, table), looseRows(rows, table)];
      for (const id of new Set([...old.keys(), ...fresh.keys()])) {
        const [was, is] = [old.get(id), fresh.get(id)];
        if (was === is || JSON.stringify(was) === JSON.stringify(is)) continue;
        touch({ table, id });
        for (const row of [was, is]) if (row !== undefined) rowsHangingOn(table, row).forEach(touch);
      }
    }
    if (touched.size === 0) return;
    version += 1;
    for (const [key, { table, id }] of touched) {
      const [was, is] = [looseRows(before, table).get(id), looseRows(rows, table).get(id)];
      const audience = new Set(changes.get(key)?.audience);
      if (was !== undefined) audienceOf(before, table, was).forEach((person) => audience.add(person));
      if (is !== undefined) audienceOf(rows, table, is).forEach((person) => audience.add(person));
      changes.set(key, { table, id, version, audience });
      collections.note(table, was, is, version);
    }
    listeners.forEach((hear) => hear());
  }

  const collections = fakeCollections(
    () => rows,
    () => version,
    () => `timeline-${lineage}`,
  );

  const keyOf = (userId: string, uid: string) => `${userId}/${uid}`;

  async function decide(userId: string, mutation: SentMutation): Promise<void> {
    const key = keyOf(userId, mutation.uid);
    const args = JSON.stringify([mutation.name, mutation.args]);
    const known = outcomes.get(key);
    if (known !== undefined) {
      if (known.args !== args) throw new Error(`The uid ${mutation.uid} came again with other args.`);
      return;
    }
    const savepoint = copyOf(rows);
    const outcome = await run(userId, mutation, savepoint);
    outcomes.set(key, { outcome, args });
    decisions.push({ userId, uid: mutation.uid, name: mutation.name, status: outcome.status });
  }

  async function run(userId: string, { uid, name, args }: SentMutation, savepoint: MemoryRows): Promise<Outcome> {
    try {
      const person = must(rows.users.get(userId), 'the person’s row');
      await runMutation(rejectUnlisted(memoryTx(rows), collections.rowsOf('reference')), name, args, {
        actor: actorOf(person),
        now: now(),
        files,
      });
      return { uid, status: 'applied' };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      rows = savepoint;
      const { code, message, fields } = error;
      return { uid, status: 'refused', code, message, ...(fields === undefined ? {} : { fields: { ...fields } }) };
    }
  }

  async function take(userId: string, mutations: SentMutation[]): Promise<Delta['stopped']> {
    const before = copyOf(rows);
    let stopped: Delta['stopped'];
    for (const mutation of mutations) {
      if (isFaulty(mutation)) {
        stopped = { uid: mutation.uid, retryAfterMs: 1_000 };
        break;
      }
      await decide(userId, mutation);
    }
    commit(before);
    return stopped;
  }

  function page(
    userId: string,
    since: number | undefined,
  ): Pick<Delta, 'puts' | 'removes' | 'more'> & { version: number } {
    const own = [...changes.values()]
      .filter((change) => change.audience.has(userId) && (since === undefined || change.version > since))
      .toSorted((one, other) => one.version - other.version);
    const last = own[pageSize - 1]?.version ?? version;
    const puts: Record<string, LooseRow[]> = {};
    const removes: Record<string, string[]> = {};
    for (const { table, id } of own.filter((change) => change.version <= last)) {
      const row = looseRows(rows, table).get(id);
      if (row !== undefined && audienceOf(rows, table, row).has(userId))
        (puts[table] ??= []).push(maskFor(userId, table, row));
      else if (since !== undefined) (removes[table] ??= []).push(id);
    }
    const more = own.some((change) => change.version > last);
    return { puts: puts as Delta['puts'], removes, more, version: more ? last : version };
  }

  const viewOf = (userId: string) => views.get(userId) ?? 1;

  function resetReason(
    userId: string,
    cookie: Cookie | undefined,
    schema: number,
  ): (ExchangeAnswer & { kind: 'reset' })['reason'] | undefined {
    if (cookie === undefined) return 'unreadable';
    if (cookie.lineage !== lineage) return 'lineage';
    if (cookie.view !== viewOf(userId)) return 'view';
    if (cookie.schema !== schema) return 'schema';
    if (cookie.version > version) return 'ahead';
    return cookie.whole < floor ? 'too-old' : undefined;
  }

  async function exchange(userId: string, request: ExchangeRequest): Promise<ExchangeAnswer> {
    const stopped = await take(userId, request.mutations);
    const cookie = request.cookie === null ? null : readCookie(request.cookie);
    if (cookie !== null) {
      const reason = resetReason(userId, cookie, request.schema);
      if (reason !== undefined) return { kind: 'reset', reason };
    }
    const { version: upTo, ...pulled } = page(userId, cookie?.version);
    const asked = [...request.mutations.map(({ uid }) => uid), ...request.awaiting];
    const told = asked.flatMap((uid) => outcomes.get(keyOf(userId, uid))?.outcome ?? []);
    const whole = pulled.more ? Math.max(upTo, cookie?.whole ?? version) : upTo;
    const fresh: Cookie = { version: upTo, whole, lineage, view: viewOf(userId), schema: request.schema };
    const person = must(rows.users.get(userId), 'the person’s row');
    return structuredClone({
      kind: 'delta' as const,
      ...pulled,
      shelves: await collections.answer(request, hasSubscription(actorOf(person), now())),
      outcomes: pulled.more ? [] : told,
      ...(stopped === undefined ? {} : { stopped }),
      cookie: JSON.stringify(fresh),
      serverTime: now(),
    });
  }

  return {
    get rows() {
      return rows;
    },
    decisions,
    collections,
    exchange,
    write: (change) => {
      const before = copyOf(rows);
      change(rows);
      for (const [id, person] of rows.users)
        if (mayReadOtherThan(before.users.get(id), person)) views.set(id, viewOf(id) + 1);
      commit(before);
    },
    privateRowsOf: (userId) => privateRowsOf(rows, userId),
    bumpView: (userId) => void views.set(userId, viewOf(userId) + 1),
    changeTimeline: () => void (lineage += 1),
    purgeTombstones: () => {
      for (const [key, { table, id }] of changes) if (!looseRows(rows, table).has(id)) changes.delete(key);
      floor = version;
    },
    setPageSize: (size) => void (pageSize = size),
    setFault: (fault) => void (isFaulty = fault),
    setFiles: (known) => void (files = known),
    onCommit: (hear) => {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    now,
  };
}

function mayReadOtherThan(before: User | undefined, after: User): boolean {
  return (
    before !== undefined &&
    (before.subscriptionStatus !== after.subscriptionStatus || before.tradieId !== after.tradieId)
  );
}

function readCookie(text: string): Cookie | undefined {
  try {
    return JSON.parse(text) as Cookie;
  } catch {
    return undefined;
  }
}
