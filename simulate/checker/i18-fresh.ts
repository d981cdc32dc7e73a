import type { ExchangeAnswer } from '../../shared/protocol/exchange.ts';
import { unpackCookie } from '../../sync-server/sync/cookie.ts';
import type { Backend } from '../world/backend.ts';
import { Violation } from './violation.ts';

/**
 * Milliseconds: a server's memory may be half a minute old, and a little more where its proof of that began before it.
 */
const maxAgeMs = 60_000;

/** The newest version at each instant, of one timeline after the other. */
export interface Heads {
  /** I18: checked as a server answers. */
  i18Fresh(answer: ExchangeAnswer): Violation | undefined;
}

export function createHeads(backend: Backend, now: () => number): Heads {
  let heads: { at: number; version: number; timeline: string }[] = [];
  backend.onWrites(({ version }) => {
    if (version !== undefined) heads.push({ at: now(), version, timeline: backend.timeline() });
  });
  return {
    i18Fresh: (answer) => {
      if (answer.kind !== 'delta' || answer.more) return undefined;
      const place = unpackCookie(answer.cookie);
      const old = heads.findLast(({ at, timeline }) => at < now() - maxAgeMs && timeline === backend.timeline());
      heads = heads.slice(Math.max(0, heads.length - 1_000));
      if (place === undefined || old === undefined || place.l !== old.timeline || Number(place.v) >= old.version)
        return undefined;
      return new Violation(
        'I18',
        'the server',
        `answered as of version ${place.v}, and ${old.version} was committed ${Math.round((now() - old.at) / 1_000)} s before`,
      );
    },
  };
}
