import type { Tab } from '../device/device.ts';
import type { Room } from './room.ts';
import { lookAtMeta } from './sighting.ts';
import { must, Violation } from './violation.ts';

/** I11: whoever moves the cookie is the one who leads. Asked as a transaction over the engine's notes commits, when nobody else can be writing them. */
export function i11OneLeader(room: Room, tab: Tab | undefined): void {
  const { cookie, epoch } = lookAtMeta(room.device.disk, room.database);
  const hasMoved = cookie !== room.cookie && cookie !== undefined;
  room.cookie = cookie;
  if (hasMoved && tab !== undefined) must(tab.epoch === epoch, 'I11', room.key, () => `${tab.life.name} of epoch ${tab.epoch ?? 'none'} took an answer in while ${epoch ?? 'none'} reigned`);
}

/** I13: a tab writes into its own person's database only. */
export function i13OwnDatabase(room: Room, tab: Tab | undefined): void {
  must(tab === undefined || tab.userId === room.userId, 'I13', room.key, () => `${tab?.life.name ?? '?'} writes into another person’s database`);
}

/** C1: what is called saved was durable before. `durable`: every uid that some completed transaction has put into an outbox. */
export function c1SavedWhenComplete(room: Room, uid: string, durable: ReadonlySet<string>): void {
  must(durable.has(uid), 'C1', room.key, () => `${uid} was called saved while its transaction was open`);
}

/** I1, first half: nothing is decided twice. `times`: how often it was, by the server's commits. */
export function i1DecidedOnce(what: string, times: number): Violation | undefined {
  return times > 1 ? new Violation('I1', 'the server', `${what} was decided a second time`) : undefined;
}
