import { openPersonDb, type PersonDb } from '../db/person-db.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { createLeader, lockName, type Leader } from '../sync/leader.ts';
import type { ChannelMessage, ChannelPort, LocksPort } from '../sync/ports.ts';
import { fakeChannel } from './fake-channel.ts';
import { fakeLocks } from './fake-locks.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';

const userId = 'aroha';

/** What one tab was told, and what it wrote into its log, line by line. */
export interface LeaderTab extends Leader {
  isVisible: boolean;
  readonly story: string[];
  readonly log: string[];
}

export interface LeaderHouse {
  readonly db: PersonDb;
  readonly clock: ManualClock;
  readonly locks: LocksPort;
  /** The name of the lock that they all ask for. */
  readonly lock: string;
  /** Another tab of the same browser, in the hand of the test. */
  readonly hand: ChannelPort;
  /** `of`: a lock manager of its own. */
  openTab(options?: { of?: LocksPort; isVisible?: boolean }): LeaderTab;
  /** Lets what is under way on the disk come to its end. */
  rest(): Promise<void>;
  /** Passes time step by step, with a rest after each. */
  pass(...steps: number[]): Promise<void>;
  /** Who leads, as it stands on the disk. */
  reign(): Promise<unknown>;
  /** How often somebody asked whether it may lead. */
  asks(): number;
  pending(): Promise<number | undefined>;
  close(): void;
}

/** Tabs of one browser that do nothing but lead, or wait to lead. */
export function openLeaders(): LeaderHouse {
  const db = openPersonDb(makeTestId());
  const clock = manualClock();
  const locks = fakeLocks();
  const channel = fakeChannel();
  const hand = channel();
  const heard: ChannelMessage[] = [];
  const opened: Leader[] = [];
  hand.listen((message) => void heard.push(message));

  const rest = async () => {
    for (let turn = 0; turn < 12; turn += 1) await db.log.count();
  };
  return {
    db, clock, locks, hand, rest,
    lock: lockName(userId),
    openTab: ({ of = locks, isVisible = true } = {}) => {
      const tab = { isVisible, story: [] as string[], log: [] as string[] };
      const leader = createLeader({
        db, userId, clock, locks: of, channel: channel(),
        log: { add: (event, detail = '') => void tab.log.push(`${event} ${detail}`.trim()), flush: async () => undefined },
        isVisible: () => tab.isVisible,
        onElected: (epoch) => void tab.story.push(`leads ${epoch}`),
        onDeposed: () => void tab.story.push('led'),
        onBlocked: (error) => void tab.story.push(`blocked ${String(error)}`),
      });
      opened.push(leader);
      leader.start();
      return Object.assign(tab, leader);
    },
    pass: async (...steps) => {
      for (const ms of steps) {
        clock.advance(ms);
        await rest();
      }
    },
    reign: async () => (await db.meta.get('leader'))?.value,
    asks: () => heard.filter(({ kind }) => kind === 'may-i-lead').length,
    pending: async () => (await locks.query()).pending?.length,
    close: () => opened.forEach((leader) => leader.stop()),
  };
}
