import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { hasSubscription, type Actor } from '../../shared/actor.ts';
import type { Reset } from '../../shared/protocol/exchange.ts';
import { schemaVersion } from '../../shared/protocol/version.ts';

const version = z.string().regex(/^\d{1,18}$/);

/** What a newer server adds is left out: while servers of two versions answer, a cookie of either is of use to both. */
const cookieSchema = z.object({
  /** Version: everything at or below it is on the device. */
  v: version,
  /** Timeline of the database. */
  l: z.string(),
  /** Access scope: what the person's rights let them see. */
  w: z.string(),
  /** Schema of the rows: the server's and the device's. */
  s: z.string(),
  /** The head when a first load began, on its pages. What was removed until then was never on the device. */
  h: version.optional(),
  /**
   * Of a server that tells who began to see a row that did not change itself (decision 23). Where an earlier one has
   * answered since, which tells none of it, all of it is told once more.
   */
  a: z.literal(1).optional(),
  /**
   * Signature of timeline, version and `h`: the database, or a copy of it, had come so far (S14). Earlier servers
   * signed none.
   */
  k: z.string().optional(),
});

/**
 * Up to where a device has everything (P5). Opaque to it, and nothing in it is a secret or a right; what `k` signs is a
 * proof.
 */
export type Cookie = z.output<typeof cookieSchema>;

/** The cookie, signed. */
export const signCookie = (cookie: Cookie, key: string): string =>
  packCookie({ ...cookie, k: signatureOf(cookie, key) });

/** Was it signed with this database's key? */
export function isProof(cookie: Cookie, key: string): boolean {
  const [sent, right] = [Buffer.from(cookie.k ?? ''), Buffer.from(signatureOf(cookie, key))];
  return sent.length === right.length && timingSafeEqual(sent, right);
}

/** How far the database had come when it was signed: on a page of a first load that is further than the page. */
export const reachedBy = ({ v, h = v }: Cookie): string => h;

const signatureOf = ({ l, v, h }: Cookie, key: string) =>
  createHmac('sha256', key)
    .update([l, v, ...(h === undefined ? [] : [h])].join(' '))
    .digest('base64url')
    .slice(0, 22);

export function packCookie(cookie: Cookie): string {
  return Buffer.from(JSON.stringify(cookie)).toString('base64url');
}

/** Undefined where the text is no cookie of ours. */
export function unpackCookie(text: string): Cookie | undefined {
  try {
    return cookieSchema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The name of this person's access scope. Computed at every exchange, so no event can forget to change it (S8). Another
 * person's cookie has another scope (I13).
 */
export function accessScopeOf(actor: Actor, now: string): string {
  return `${actor.id}:${actor.tradieId ?? '-'}:${hasSubscription(actor, now)}`;
}

/** Whose cookie it is. */
export const personOf = ({ w }: Cookie): string => w.slice(0, w.indexOf(':')).toLowerCase();

/** A device with a new column must fetch the rows again, whether device or server was updated first. */
export const schemaOf = (deviceSchema: number): string => `${schemaVersion}.${deviceSchema}`;

export interface Position {
  head: string;
  timeline: string;
  accessScope: string;
  schema: string;
  cookieKey: string;
  /** Removals at or below it are purged. */
  tombstoneFloor: string;
}

/** Why a cookie is of no use any more; undefined where it is (S5, P6). */
export function resetReason(cookie: Cookie | undefined, now: Position): Reset['reason'] | undefined {
  if (cookie === undefined) return 'unreadable';
  if (cookie.s !== now.schema) return 'schema';
  if (cookie.l !== now.timeline) return 'lineage';
  if (cookie.w !== now.accessScope) return 'view';
  if (BigInt(cookie.v) > BigInt(now.head)) return 'ahead';
  if (BigInt(cookie.h ?? cookie.v) < BigInt(now.tombstoneFloor)) return 'too-old';
  return undefined;
}
