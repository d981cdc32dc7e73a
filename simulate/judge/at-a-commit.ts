import { lockName } from '../../app/sync/leader.ts';
import type { Hand } from '../device/device.ts';
import type { Room } from './room.ts';
import { lookAtMeta } from './sighting.ts';
import { must, Violation } from './violation.ts';

/**
 * I11: whoever moves the cookie is the last who came to lead. By the hands the lock went through, not by what the engine writes about
 * itself; asked as a transaction over the engine's notes commits, when nobody else can be writing them.
 */
export function i11OneLeader(room: Room, tab: Hand | undefined): void {
  const { cookie, epoch } = lookAtMeta(room.device.disk, room.database);
  const turn = tab === undefined ? 0 : room.device.locks.turnOf(tab.life, lockName(room.userId));
  const hasMoved = cookie !== room.cookie && cookie !== undefined;
  const hasTakenOver = epoch !== room.epoch;
  Object.assign(room, { cookie, epoch });
  if (hasMoved) must(turn > 0 && turn >= room.turn, 'I11', room.key, () => `${tab?.life.name ?? '?'} took an answer in after another tab had come to lead`);
  if (hasMoved || hasTakenOver) room.turn = turn;
}

/** I13: a tab writes into the databases of people whose rooms were opened in it, and into no other. `tab`: those rooms. */
export function i13OwnDatabase(room: Room, tab: Hand | undefined): void {
  must(tab !== undefined && tab.userId === room.userId, 'I13', room.key, () => 'a tab writes into another person’s database');
}

/** C1: what is called saved was durable before. `durable`: every uid that some completed transaction has put into an outbox. */
export function c1SavedWhenComplete(room: Room, uid: string, durable: ReadonlySet<string>): void {
  must(durable.has(uid), 'C1', room.key, () => `${uid} was called saved while its transaction was open`);
}

/** I1, first half: nothing is decided twice. `times`: how often it was, by the server's commits. */
export function i1DecidedOnce(what: string, times: number): Violation | undefined {
  return times > 1 ? new Violation('I1', 'the server', `${what} was decided a second time`) : undefined;
}
