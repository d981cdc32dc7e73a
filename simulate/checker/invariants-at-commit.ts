import { lockName } from '../../app/sync/leader.ts';
import type { Client } from '../device/device.ts';
import type { ClientGroup } from './client-group.ts';
import { readMeta } from './disk-snapshot.ts';
import { must, Violation } from './violation.ts';

/**
 * I11: the tab that moves the cookie is the last one that got the lock. By the lock's own holders, not by the epochs
 * that the engine stores; checked as a transaction over the engine's meta store commits, when no other tab can be
 * writing it.
 */
export function i11OneLeader(group: ClientGroup, tab: Client | undefined): void {
  const { cookie, epoch } = readMeta(group.device.disk, group.database);
  const turn = tab === undefined ? 0 : group.device.locks.turnOf(tab.proc, lockName(group.userId));
  const hasMoved = cookie !== group.cookie && cookie !== undefined;
  const hasTakenOver = epoch !== group.epoch;
  Object.assign(group, { cookie, epoch });
  if (hasMoved)
    must(
      turn > 0 && turn >= group.turn,
      'I11',
      group.key,
      () => `${tab?.proc.name ?? '?'} took an answer in after another tab had come to lead`,
    );
  if (hasMoved || hasTakenOver) group.turn = turn;
}

/**
 * I13: a tab writes into the databases of people whose client groups were opened in it, and into no other. `tab`: those
 * groups.
 */
export function i13OwnDatabase(group: ClientGroup, tab: Client | undefined): void {
  must(
    tab !== undefined && tab.userId === group.userId,
    'I13',
    group.key,
    () => 'a tab writes into another person’s database',
  );
}

/**
 * C1: what is called saved was durable before. `durable`: every uid that a completed transaction has put into an
 * outbox.
 */
export function c1SavedWhenComplete(group: ClientGroup, uid: string, durable: ReadonlySet<string>): void {
  must(durable.has(uid), 'C1', group.key, () => `${uid} was called saved while its transaction was open`);
}

/** I1, first half: no mutation is decided twice. `times`: how often it was, by the server's commits. */
export function i1DecidedOnce(what: string, times: number): Violation | undefined {
  return times > 1 ? new Violation('I1', 'the server', `${what} was decided a second time`) : undefined;
}
