import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { JournalAnswer, SentMutation } from '../../shared/protocol/exchange.ts';
import type { User } from '../../shared/tables/index.ts';
import { isTransient } from '../db/is-transient.ts';
import type { Sync } from '../open-sync.ts';
import { askExchange, post } from './sync-harness.ts';

interface Kept {
  mutation: SentMutation;
  at: JournalAnswer;
}

/**
 * What a device does: posts as fast as it is answered, keeps what was acknowledged, and sends again what a new timeline
 * does not know.
 */
export function createPoster({ sync }: { sync: Pick<Sync, 'exchange'> }, user: User) {
  let cookie: string | null = null;
  let timeline: string | undefined;
  const journal: Kept[] = [];
  const acknowledged = new Set<string>();
  let waiting: SentMutation[] = [];

  async function exchange(): Promise<boolean> {
    const timelines = new Set([...journal.map(({ at }) => at.timeline), ...(timeline === undefined ? [] : [timeline])]);
    const mutations = waiting.slice(0, 50);
    const answer = await askExchange(sync.exchange, user, { cookie, journal: [...timelines], mutations });
    const told = answer.journal;
    if (told !== undefined) {
      timeline = told.timeline;
      const lost = journal.filter(({ at }) => {
        const known = told.known[at.timeline];
        return at.timeline !== told.timeline && (known === undefined || BigInt(at.version) >= BigInt(known));
      });
      for (const kept of journal) if (!lost.includes(kept)) kept.at = { ...kept.at, timeline: told.timeline };
      for (const kept of lost) journal.splice(journal.indexOf(kept), 1);
      const again = lost.map(({ mutation, at }) => ({
        ...mutation,
        from: { timeline: at.timeline, version: at.version },
      }));
      waiting = [...again, ...waiting];
    }
    cookie = answer.kind === 'delta' ? answer.cookie : null;
    if (answer.kind === 'reset') return false;
    for (const { uid, status } of answer.outcomes) {
      const mutation = must(
        waiting.find((one) => one.uid === uid),
        'what was answered',
      );
      waiting = waiting.filter((one) => one.uid !== uid);
      expect(status).toBe('applied');
      acknowledged.add(uid);
      journal.push({ mutation: { ...mutation, from: undefined }, at: must(told, 'journal') });
    }
    return waiting.length === 0;
  }

  return {
    acknowledged,
    exchange,
    cookie: () => cookie,
    add: () => void waiting.push(post()),
    /** Until everything is answered, through whatever is away. */
    async drain(): Promise<void> {
      for (;;) {
        const isDone = await exchange().catch((error: unknown) => {
          if (!isTransient(error)) throw error;
          return sleep(50, false);
        });
        if (isDone) return;
      }
    },
    async postUntil(isOver: () => boolean): Promise<void> {
      while (!isOver()) {
        waiting.push(post());
        await exchange().catch((error: unknown) => {
          if (!isTransient(error)) throw error;
          return sleep(20);
        });
      }
    },
  };
}
