import { openPersonDb, type PersonDb } from '../db/person-db.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { createLeader, lockName, type Leader } from '../sync/leader.ts';
import type { ChannelMessage, ChannelPort, LocksPort } from '../sync/ports.ts';
import { fakeChannel } from './fake-channel.ts';
import { fakeLocks } from './fake-locks.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';

const userId = 'aroha';

/** `events`: calls of its ports, in order. `log`: its log entries. */
export interface LeaderTab extends Leader {
  isVisible: boolean;
  readonly events: string[];
  readonly log: string[];
}

export interface LeaderHarness {
  readonly db: PersonDb;
  readonly clock: ManualClock;
  readonly locks: LocksPort;
  /** The name of the lock that all tabs request. */
  readonly lock: string;
  /** The channel of another tab of the same browser, which the test controls. */
  readonly otherTab: ChannelPort;
  /** `of`: a lock manager of its own. */
  openTab(options?: { of?: LocksPort; isVisible?: boolean }): LeaderTab;
  /** Waits until nothing is under way on the disk. */
  rest(): Promise<void>;
  /** Advances the clock step by step, with `rest` after each. */
  pass(...steps: number[]): Promise<void>;
  /** The leadership record on the disk. */
  leadership(): Promise<unknown>;
  /** How many times a tab posted `may-i-lead`. */
  asks(): number;
  pending(): Promise<number | undefined>;
  close(): void;
}

/** Tabs of one browser that only lead, or wait to lead. */
export function openLeaderHarness(): LeaderHarness {
  const db = openPersonDb(makeTestId());
  const clock = manualClock();
  const locks = fakeLocks();
  const channel = fakeChannel();
  const otherTab = channel();
  const heard: ChannelMessage[] = [];
  const opened: Leader[] = [];
  otherTab.listen((message) => void heard.push(message));

  const rest = async () => {
    for (let turn = 0; turn < 12; turn += 1) await db.log.count();
  };
  return {
    db,
    clock,
    locks,
    otherTab,
    rest,
    lock: lockName(userId),
    openTab: ({ of = locks, isVisible = true } = {}) => {
      const tab = { isVisible, events: [] as string[], log: [] as string[] };
      const leader = createLeader({
        db,
        userId,
        clock,
        locks: of,
        channel: channel(),
        log: {
          add: (event, detail = '') => void tab.log.push(`${event} ${detail}`.trim()),
          flush: async () => undefined,
        },
        isVisible: () => tab.isVisible,
        onElected: (epoch) => void tab.events.push(`leads ${epoch}`),
        onDeposed: () => void tab.events.push('led'),
        onBlocked: (error) => void tab.events.push(`blocked ${String(error)}`),
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
    leadership: async () => (await db.meta.get('leader'))?.value,
    asks: () => heard.filter(({ kind }) => kind === 'may-i-lead').length,
    pending: async () => (await locks.query()).pending?.length,
    close: () => opened.forEach((leader) => leader.stop()),
  };
}
