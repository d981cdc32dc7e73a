import type { World } from '../world/world.ts';
import { privateTableNames } from '../../shared/tables/index.ts';
import { hasSubscription, actorOf } from '../../shared/actor.ts';
import { collectionNames, collections } from '../../shared/tables/collections.ts';
import { publicDbName, type ChangedRow } from '../../app/db/person-db.ts';
import { nameOn } from '../device/device.ts';
import type { User } from '../../shared/tables/index.ts';
import { privateRowsIn, syncedTables, viewOfCommitted } from '../../sync-server/testing/memory-store/memory-tables.ts';
import { asTexts, collectionOn, expectedOf, stateOf } from './collections.ts';
import type { ClientGroup, Made } from './client-group.ts';
import { asText, readSnapshot, withServerRows } from './disk-snapshot.ts';
import { i4OwnRegions } from './held-part.ts';
import { i12ArrivesOnce, i12EndsOnItsJob } from './i12-photos.ts';
import { i3NothingHeld } from './i3-nothing-held.ts';
import { i4Screens } from './screens-at-end.ts';
import { must } from './violation.ts';

/** I2: what a device made was decided in that order. */
export function i2InOrder({ checker, decisions }: World): void {
  for (const group of checker.groups()) {
    let last = 0;
    for (const { uid, order, argsHash } of [...group.made.values()].toSorted((one, other) => one.order - other.order)) {
      const decision = decisions.of(group.userId, uid);
      // What was decided in an ended timeline has no place in this one's order, nor has what another person did under
      // its uid.
      if (decision === undefined || group.excused.has(uid) || decision.argsHash !== argsHash) continue;
      if (checker.restores.hasWaited.has(uid)) continue;
      must(
        decision.order > last,
        'I2',
        group.key,
        () => `${decision.name} ${uid} (made ${order}.) was decided before one that was made earlier`,
      );
      last = decision.order;
    }
  }
}

/**
 * I1, second half: a cancelled mutation never happens. Something else that another client did under its uid is not it.
 */
export function i1CancelledNever({ checker, decisions }: World): void {
  for (const group of checker.groups()) {
    if (group.wasRolledBack) continue;
    for (const uid of group.cancelled)
      must(
        (decisions.of(group.userId, uid)?.argsHash ?? 'none') !== group.made.get(uid)?.argsHash,
        'I1',
        group.key,
        () => `${uid} was cancelled, and the server decided it`,
      );
  }
}

/** I1, on the rows themselves: each interest counts once. */
export function i1CountsOnce({ backend }: World): void {
  const view = viewOfCommitted(backend.committed());
  for (const job of view.all('jobs')) {
    const count = view.all('interests').filter((row) => row['jobId'] === job['id']).length;
    must(
      job['interestCount'] === count,
      'I1',
      'the server',
      () => `job ${String(job['id'])} counts ${String(job['interestCount'])} interests and has ${count}`,
    );
  }
}

/** I1, on effects: each interest sends one mail, each job is looked at once for who seeks it. */
export function i1MailedOnce({ backend, checker }: World): void {
  const view = viewOfCommitted(backend.committed());
  const recorded = new Set<unknown>([...view.all('effect').map(({ key }) => key), ...checker.restores.followed]);
  for (const [table, effect] of [
    ['interests', 'interest.mail'],
    ['jobs', 'job.alerts'],
  ] as const)
    for (const { id } of view.all(table))
      must(
        recorded.has(`${effect}:${String(id)}`),
        'I1',
        'the server',
        () => `${table} ${String(id)} was written, and no ${effect} of it is recorded`,
      );
}

/** I14: one row for each live row and each tombstone. */
export function i14Bounded({ backend }: World): void {
  const view = viewOfCommitted(backend.committed());
  const lines = view.all('sync_change');
  const live = syncedTables.reduce((sum, table) => sum + view.all(table).length, 0);
  const standing = lines.filter(({ deleted }) => deleted === false);
  must(standing.length === live, 'I14', 'the server', () => `${standing.length} lines for ${live} rows`);
  const removed = lines.filter(({ deleted }) => deleted !== false);
  must(
    removed.every(({ entity, entity_id: id }) => view.get(String(entity), String(id)) === undefined),
    'I14',
    'the server',
    () => 'a removal is remembered of a row that is there',
  );
}

/** I15: with no tap, all has drained and every device has everything. */
export function i15Drained({ backend }: World, groups: readonly ClientGroup[]): void {
  for (const group of groups) {
    const now = readSnapshot(group.device.disk, group.database);
    must(now !== undefined, 'I15', group.key, () => 'a write never ends');
    must(
      now!.outbox.length === 0,
      'I15',
      group.key,
      () =>
        `${now!.outbox.map(({ name, uid, state, attempts }) => `${name} ${uid} (${state}, ${attempts} attempts)`).join(', ')} still waits; ${group.device.tabs.map((tab) => JSON.stringify(tab.sync.status.current())).join()}`,
    );
    must(
      now!.place?.v === String(backend.head()),
      'I15',
      group.key,
      () => `its cookie is ${now!.place?.v ?? 'none'}, the head is ${backend.head()}`,
    );
    const stuck = now!.photos.filter(
      ({ state, jobId }) => state !== 'failed' && now!.privateRows.jobs.some((job) => job['id'] === jobId),
    );
    must(
      stuck.length === 0,
      'I15',
      group.key,
      () => `photos ${stuck.map(({ id, state }) => `${id} ${state}`).join()} did not get away`,
    );
  }
}

/** I4: each person has what they may see, and nothing else. */
export function i4Converged({ backend }: World, groups: readonly ClientGroup[]): void {
  const view = viewOfCommitted(backend.committed());
  for (const group of groups) {
    const now = readSnapshot(group.device.disk, group.database)!;
    const [expected, serverRows] = [privateRowsIn(view, group.userId), withServerRows(now)];
    for (const table of privateTableNames) {
      must(
        JSON.stringify(serverRows[table].map(asText)) === JSON.stringify(expected[table].map(asText)),
        'I4',
        group.key,
        () => `${table} are ${JSON.stringify(serverRows[table])}, and should be ${JSON.stringify(expected[table])}`,
      );
      must(
        JSON.stringify(now.privateRows[table].map(asText)) === JSON.stringify(serverRows[table].map(asText)),
        'I5',
        group.key,
        () => `${table} are not what the server said, though nothing waits`,
      );
    }
  }
}

/** I3, at the end: each mutation has an outcome. */
export function i3AllDecided({ decisions }: World, groups: readonly ClientGroup[]): void {
  for (const group of groups) {
    for (const { uid, name } of group.made.values()) {
      if (group.cancelled.has(uid) || group.excused.has(uid)) continue;
      must(
        decisions.of(group.userId, uid) !== undefined,
        'I3',
        group.key,
        () => `${name} ${uid} left the device, and no server ever decided it`,
      );
    }
  }
}

/**
 * A photo whose job has come back after its rejection is attached again: the later mutation takes the place of the
 * rejected one.
 */
const isAttachedAgain = ({ made }: ClientGroup, { uid, name, args, order }: Made): boolean =>
  name === 'photo.attach' &&
  [...made.values()].some(
    (later) =>
      later.uid !== uid &&
      later.name === name &&
      later.order > order &&
      (later.args as { id: string }).id === (args as { id: string }).id,
  );

/** I16, at the end: each rejection was shown. */
export function i16AllHeard({ decisions }: World, groups: readonly ClientGroup[]): void {
  for (const group of groups) {
    const now = readSnapshot(group.device.disk, group.database)!;
    const here = new Set(now.refused.map(({ uid }) => uid));
    for (const made of group.made.values()) {
      const { uid, name, argsHash } = made;
      const decision = decisions.of(group.userId, uid);
      if (group.cancelled.has(uid) || group.excused.has(uid) || decision === undefined) continue;
      if (decision.status === 'applied' && decision.argsHash === argsHash) continue;
      must(
        here.has(uid) || group.dealtWith.has(uid) || isAttachedAgain(group, made),
        'I16',
        group.key,
        () => `${name} ${uid} was ${decision.status}, and the person never heard of it`,
      );
    }
  }
}

/** I19, at the end: nothing has changed without a decision. */
export const i19AllAlike = ({ checker, backend }: World): void => checker.meaning.i19AllAlike(backend.committed());

/** I4 and I8 for the shared collections: what may be read is complete, and what may not is gone. */
export function i8Collections({ backend, now, counters }: World, groups: readonly ClientGroup[]): void {
  const view = viewOfCommitted(backend.committed());
  for (const group of groups) {
    const person = view.get('users', group.userId) as unknown as User;
    const mayReadFeed = hasSubscription(actorOf(person), now().toISOString());
    const { disk } = group.device;
    if (!mayReadFeed) {
      const fresh = disk.read(group.database, 'fresh') as ChangedRow[];
      must(
        disk.read(group.database, 'segments').length === 0 && fresh.every(({ row }) => row === null),
        'I8',
        group.key,
        () => 'the feed is still here, and the right to it is not',
      );
    }
    for (const collection of collectionNames) {
      if (collection === 'feed' && !mayReadFeed) continue;
      const database =
        collections[collection].readers === 'public' ? nameOn(group.device, publicDbName) : group.database;
      const rows =
        stateOf(disk, database, collection)?.coming === null ? collectionOn(disk, database, collection) : undefined;
      must(
        rows !== undefined,
        'I15',
        group.key,
        () => `${collection} is not whole: ${JSON.stringify(stateOf(disk, database, collection))}`,
      );
      const regions = stateOf(disk, database, collection)?.manifest?.regions;
      const [is, expected] = [asTexts(rows!.values()), expectedOf(backend.committed(), collection, regions)];
      must(is === expected, 'I4', group.key, () => `${collection} holds ${is}, and should hold ${expected}`);
      if (regions === undefined) continue;
      i4OwnRegions(backend, group, regions);
      counters.count('a feed held in part has all regions in the end');
    }
  }
}

/** I8, word by word: no homeowner's contacts on a tradie's device, no other person's on any, in no store. */
export function i8NoSecrets({ devices, backend }: World): void {
  const view = viewOfCommitted(backend.committed());
  const users = view.all('users') as unknown as User[];
  for (const device of devices) {
    const everything = device.disk
      .databases()
      .map((database) => JSON.stringify(device.disk.stores(database).map((store) => device.disk.read(database, store))))
      .join();
    for (const { id, email, firstName } of users) {
      if (device.people.includes(id)) continue;
      must(
        !everything.includes(email) && !everything.includes(firstName),
        'I8',
        device.name,
        () => `holds the email or name of another person (${id})`,
      );
    }
  }
}

/** Once faults have stopped and all is quiet, of each person's rows on a device. */
export const onceHealed = [
  i15Drained,
  i4Converged,
  i3AllDecided,
  i3NothingHeld,
  i16AllHeard,
  i12EndsOnItsJob,
  i8Collections,
  i4Screens,
] as const;

/** These run at the end of every run, also where faults never stopped. */
export const invariantsAtEnd = [
  i1CancelledNever,
  i1CountsOnce,
  i1MailedOnce,
  i2InOrder,
  i12ArrivesOnce,
  i14Bounded,
  i8NoSecrets,
  i19AllAlike,
] as const;
