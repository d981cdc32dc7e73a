import { minute } from '../../shared/lib/durations.ts';
import { hasSubscription, type Actor } from '../../shared/actor.ts';
import { DatabaseRestored } from '../db/notice-restore.ts';
import type { Delta, ExchangeAnswer, ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { collectionNames, collections as collectionDefinitions } from '../../shared/tables/collections.ts';
import { personOf, schemaOf, unpackCookie, accessScopeOf, type Position } from './cookie.ts';
import { TooManyExchanges, type ExchangeLimit } from './exchange-limit.ts';
import { pull, type PullParts } from './pull.ts';
import { hasMetTimeline } from './journals.ts';
import { noticeByCookie } from './notice-by-cookie.ts';
import { push } from './push.ts';
import type { Sender } from './push-batch.ts';

/**
 * The request names another person than the token does, or, from a phone too old to name one, carries another person's
 * cookie (S9).
 */
export class OtherPerson extends Error {
  override name = 'OtherPerson';
}

/** Neither the request nor its cookie names a person: an app too old to say whose outbox it holds (S9). */
export class PersonMissing extends Error {
  override name = 'NamesNobody';
}

export interface ExchangeParts extends PullParts {
  /**
   * The newest commit version this instance was notified of; undefined where it does not listen, or cannot rely on
   * having received every notice.
   */
  readonly headVersion?: (() => string | undefined) | undefined;
  /** Called when mutations were decided, before the answer is read: other devices need not wait for the notice. */
  readonly onDecided?: (() => void) | undefined;
  /** How often one person may ask the database; where it is left out, as often as they like. */
  readonly limit?: ExchangeLimit | undefined;
}

export type Exchange = (person: Sender, request: ExchangeRequest) => Promise<ExchangeAnswer>;

interface CachedPerson {
  actor: Actor;
  position: Position;
  at: number;
}

/** People whose rights are cached, for as long as nothing was committed, and for so many milliseconds at most (S10). */
const maxRemembered = 10_000;
export const maxRememberedMs = minute;

/**
 * One exchange (P1): pushes the request's mutations, then pulls what changed and their outcomes. A mutation that has to
 * wait does not hold back the answer. A device that has everything is answered without a query.
 *
 * @throws OtherPerson or PersonMissing, before anything else; ProfileMissing; TooManyExchanges; TimelineEnded where the
 * cookie proves a later timeline; a transient error of the database where not even the answer can be read. What was
 * decided stays decided.
 */
export function createExchange(parts: ExchangeParts): Exchange {
  const remembered = new Map<string, CachedPerson>();

  function remember(userId: string, cached: CachedPerson): void {
    remembered.delete(userId);
    remembered.set(userId, cached);
    const [oldest] = remembered.keys();
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
  }

  return async (sender, request) => {
    const { userId } = sender;
    const person = namedBy(request);
    if (person === undefined) throw new PersonMissing();
    if (person !== userId.toLowerCase()) throw new OtherPerson();
    const cached = remembered.get(userId);
    const unchanged = cached === undefined ? undefined : nothingNew(parts, cached, request);
    if (unchanged !== undefined) return unchanged;
    const wait = (await parts.limit?.(userId)) ?? 0;
    if (wait > 0) throw new TooManyExchanges(wait);
    await noticeByCookie(parts, userId, request.cookie === null ? undefined : unpackCookie(request.cookie));
    const at = parts.clock().getTime();
    const tradieId = cached?.actor.tradieId;
    const decide = async () => {
      const hasMet = (timeline: string) => hasMetTimeline(request, timeline);
      const pushed = await push(parts, { ...sender, hasMet, tradieId }, request.mutations);
      if (request.mutations.length > 0) parts.onDecided?.();
      return pull(parts, userId, request, pushed);
    };
    const { answer, actor, position } = await decide().catch(async (error: unknown) => {
      if (!(error instanceof DatabaseRestored)) throw error;
      await parts.store.noticeRestore(parts.log, parts.seen?.());
      return decide();
    });
    remember(userId, { actor, position, at });
    return answer;
  };
}

/**
 * The person that a phone names counts above its cookie: the cookie is only reset, and the phone's mutations are that
 * person's.
 */
function namedBy({ userId, cookie }: ExchangeRequest): string | undefined {
  if (userId !== undefined) return userId.toLowerCase();
  const read = cookie === null ? undefined : unpackCookie(cookie);
  return read === undefined ? undefined : personOf(read);
}

/** The answer to a device that has everything there is and asks nothing; undefined where the database must say. */
function nothingNew(
  { headVersion, clock }: ExchangeParts,
  { actor, position, at }: CachedPerson,
  request: ExchangeRequest,
): Delta | undefined {
  const time = clock();
  const age = time.getTime() - at;
  if (age < 0 || age > maxRememberedMs) return undefined;
  const head = headVersion?.();
  if (head === undefined || request.cookie === null || request.mutations.length > 0 || request.awaiting.length > 0)
    return undefined;
  if (request.journal?.length === 0) return undefined;
  const cookie = unpackCookie(request.cookie);
  // Any commit moves the head, so at the same head the rights are the same too; only time may have ended them.
  if (cookie === undefined || cookie.a === undefined || cookie.h !== undefined) return undefined;
  if (position.head !== head || cookie.v !== head) return undefined;
  const now = time.toISOString();
  if (cookie.l !== position.timeline || cookie.w !== accessScopeOf(actor, now) || cookie.s !== schemaOf(request.schema))
    return undefined;
  const asked = collectionNames.filter((name) => request.shelves[name] !== undefined);
  const areCurrent = asked.every(
    (name) =>
      request.shelves[name] === head &&
      (request.timelines?.[name] ?? position.timeline) === position.timeline &&
      (collectionDefinitions[name].readers === 'public' || hasSubscription(actor, now)),
  );
  if (!areCurrent) return undefined;
  return {
    kind: 'delta',
    puts: {},
    removes: {},
    shelves: Object.fromEntries(
      asked.map((name) => [name, { puts: [], removes: [], version: head, timeline: position.timeline }]),
    ),
    outcomes: [],
    cookie: request.cookie,
    more: false,
    serverTime: now,
  };
}
