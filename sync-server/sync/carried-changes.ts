import { hasSubscription, type Actor } from '../../shared/actor.ts';
import type { Delta, ExchangeAnswer, ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { maxCarriedLength, maxCarriedRows, type CarriedChange } from '../../shared/protocol/poke.ts';
import { mutationsVersion, protocolVersion } from '../../shared/protocol/version.ts';
import { collectionNames, collections as definitions, type CollectionName } from '../../shared/tables/collections.ts';
import type { Place } from '../store/collection-tables.ts';
import { cutToRegions, heldRegions } from './cut-to-regions.ts';
import { accessScopeOf, signCookie, unpackCookie } from './cookie.ts';

/** The position of a device after an answer: the question that it would ask next. */
export type Standing = Pick<ExchangeRequest, 'schema' | 'cookie' | 'shelves' | 'timelines' | 'regions'>;

/**
 * What one commit, or several together, changed in the shared collections, for every reader who had everything before.
 */
export interface SharedChange {
  /** Everything at or below it is in it. */
  head: string;
  timeline: string;
  cookieKey: string;
  collections: Delta['shelves'];
  /** Of the rows of the feed; undefined where no device that listens holds it in part. */
  places: ReadonlyMap<string, Place> | undefined;
}

/**
 * Undefined where an answer says nothing for certain: a page, a reset, none. A collection that came as a manifest is
 * still on its way.
 */
export function standingAfter({ schema, regions }: ExchangeRequest, answer: ExchangeAnswer): Standing | undefined {
  if (answer.kind !== 'delta' || answer.more) return undefined;
  const standing = { schema, cookie: answer.cookie, shelves: {}, timelines: {}, regions } as Standing & {
    timelines: object;
  };
  for (const name of collectionNames) {
    const known = answer.shelves[name];
    if (known === undefined || !('version' in known)) continue;
    standing.shelves[name] = known.version;
    if (known.timeline !== undefined) standing.timelines![name] = known.timeline;
  }
  return standing;
}

/** The commit version up to which a device has its private rows; undefined where its cookie cannot be read. */
export function versionOf({ cookie }: Standing): bigint | undefined {
  const read = cookie === null ? undefined : unpackCookie(cookie);
  return read === undefined ? undefined : BigInt(read.v);
}

/** The question of a device that stands there and has nothing to send. */
export function questionOf(userId: string, standing: Standing): ExchangeRequest {
  return { protocol: protocolVersion, mutationsVersion, userId, mutations: [], awaiting: [], ...standing };
}

export function mayRead(name: CollectionName, actor: Actor | undefined, now: string): boolean {
  return definitions[name].readers === 'public' || (actor !== undefined && hasSubscription(actor, now));
}

/**
 * Does the device have a version of each collection that the person may read? While one is being downloaded it has
 * none.
 */
export function followsAll({ shelves }: Standing, actor: Actor | undefined, now: string): boolean {
  return collectionNames.every((name) => shelves[name] != null || !mayRead(name, actor, now));
}

/** Does a device that stands there hold nothing of what changed? */
export function isElsewhere({ collections, places }: SharedChange, { regions }: Standing): boolean {
  const held = heldRegions(regions);
  if (held === undefined || places === undefined) return false;
  const isTold = (part: Delta['shelves'][CollectionName]) =>
    part !== undefined && !('version' in part && part.puts.length + part.removes.length === 0);
  const { feed: _, ...others } = collections;
  if (Object.values(others).some(isTold)) return false;
  return [...places.values()].every(({ region, left }) => ![region, ...left].some((one) => held.includes(one)));
}

/**
 * The answer to a device whose private rows did not change, made of what all readers get: its cookie moves on, and each
 * collection that it follows. Undefined where it has to ask: its rights or the timeline are others by now, or the
 * change was read for other collections.
 */
export function answerFrom(
  { head, timeline, cookieKey, collections, places }: SharedChange,
  standing: Standing,
  actor: Actor | undefined,
  now: string,
): Delta | undefined {
  const cookie = standing.cookie === null ? undefined : unpackCookie(standing.cookie);
  if (cookie === undefined || actor === undefined) return undefined;
  if (cookie.l !== timeline || cookie.w !== accessScopeOf(actor, now)) return undefined;
  const followed = collectionNames.filter((name) => standing.shelves[name] !== undefined);
  if (followed.some((name) => collections[name] === undefined)) return undefined;
  const held = heldRegions(standing.regions);
  const { feed } = collections;
  const isCut = held !== undefined && feed !== undefined && 'puts' in feed;
  if (isCut && places === undefined) return undefined;
  const told =
    isCut && places !== undefined
      ? { ...collections, feed: { ...feed, ...cutToRegions({ ...feed, places }, held) } }
      : collections;
  return {
    kind: 'delta',
    puts: {},
    removes: {},
    shelves: Object.fromEntries(followed.map((name) => [name, told[name]])),
    outcomes: [],
    cookie: signCookie({ ...cookie, v: head }, cookieKey),
    more: false,
    serverTime: now,
  };
}

/**
 * An answer as the text of an event; undefined where it is none that may be carried: a reset, a page, a manifest, too
 * large.
 */
export function carriedText(userId: string, standing: Standing, answer: ExchangeAnswer): string | undefined {
  if (answer.kind !== 'delta' || answer.more) return undefined;
  const rows = rowsIn(answer);
  if (rows === undefined || rows > maxCarriedRows) return undefined;
  const { cookie, shelves, timelines, regions } = standing;
  const change: CarriedChange = { userId, asked: { cookie, shelves, timelines, regions }, answer };
  const text = JSON.stringify(change);
  return text.length > maxCarriedLength ? undefined : text;
}

/** Rows that an answer changes or removes; undefined where a collection's part is not a list of rows. */
export function rowsIn({ puts, removes, shelves }: Delta): number | undefined {
  let rows = 0;
  for (const list of [...Object.values(puts), ...Object.values(removes)]) rows += list.length;
  for (const part of Object.values(shelves) as (Delta['shelves'][CollectionName] & object)[]) {
    if (!('version' in part)) return undefined;
    rows += part.puts.length + part.removes.length;
  }
  return rows;
}
