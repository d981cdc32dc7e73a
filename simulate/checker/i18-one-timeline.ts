import type { ExchangeAnswer, ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { unpackCookie } from '../../sync-server/sync/cookie.ts';
import type { SimProcess } from '../time/loop.ts';
import type { Backend } from '../world/backend.ts';
import { Violation } from './violation.ts';

/** The timelines of the database that counts, one after the other: what a former primary says is of an earlier one. */
export interface SeenTimelines {
  /** The database was restored, or another promoted: its timeline is the newest. */
  begun(): void;
  /** How many there were. */
  count(): number;
  /** A device asks this server; the returned rule is for the answer. */
  asked(proc: SimProcess, request: Pick<ExchangeRequest, 'cookie'>): (answer: ExchangeAnswer) => Violation | undefined;
}

export function createSeenTimelines(backend: Backend): SeenTimelines {
  const order = new Map<string, number>();
  const begun = () => void (order.has(backend.timeline()) || order.set(backend.timeline(), order.size));
  /** The newest timeline that each server has answered in. */
  const newest = new Map<SimProcess, number>();
  const placeOf = (timeline: string | undefined) => (timeline === undefined ? undefined : order.get(timeline));

  return {
    begun,
    count: () => order.size,
    asked: (proc, { cookie }) => {
      begun();
      const seen = Math.max(newest.get(proc) ?? 0, placeOf(cookie === null ? undefined : unpackCookie(cookie)?.l) ?? 0);
      return function i18OneTimeline(answer) {
        const of = answer.journal?.timeline ?? (answer.kind === 'delta' ? unpackCookie(answer.cookie)?.l : undefined);
        const place = placeOf(of);
        if (place === undefined) return undefined;
        newest.set(proc, Math.max(newest.get(proc) ?? 0, place));
        if (place >= seen) return undefined;
        return new Violation(
          'I18',
          proc.name,
          `answers of timeline ${of ?? ''}, and it or the device had seen a later one`,
        );
      };
    },
  };
}
